"""Does the comparison of editions find a model that was taught the published images, and only that one?

Run:  .venv/bin/python benchmarks/contamination.py [--passes 4 16 64 128] [--pairs 40] [--threads 1]

sprout cannot search. It is first taught to, on an edition that is not used again, so that it answers in the suite's
words: that is the clean model. From there it is taught the public edition's questions with their answers, so many
passes: the dose. Compared as in the table `twins`:

  dose         each model on the public and on a fresh edition
  false alarms the clean model on so many pairs of editions that it has never seen; p below 0.05 is an alarm

Teaching goes through the backend's own model and processor; replies are read and compared by the workflow's code.
"""

import argparse
import io
import logging
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import torch
from graded import requests_of
from items import made_items
from local_models import ROOT, Subject, entry_of, loaded
from PIL import Image
from tabulate import tabulate

sys.path.insert(0, str(ROOT / "workflow" / "scripts"))
from afterimage.commands.diff_runs import pairs_of
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.grading.grade import grade_responses
from afterimage.models.transformers import generation
from afterimage.planning.plan import Plan
from afterimage.showing.study.twins import Edition, frame_of_twins, twins_of
from afterimage.stages.all_stages import spec_of
from afterimage.stages.stimuli import draw_figure

SUITE, SETTINGS = "search", {"conditions": ["conjunction"]}
#: Of the pairs: fewer questions, many editions.
SMALL = {"conditions": ["conjunction"], "set_sizes": [4, 32]}
#: Editions: the published one, a fresh one, that of the task; further ones make pairs.
PUBLIC, FRESH, TASK, FURTHER = 1, 2, 3, 4
PASSES_OF_THE_TASK = 24
BATCH, RATE = 32, 1e-3
LEVEL = 0.05
COLUMNS = [
    *("passes", "n", "clusters", "public", "fresh", "difference", "low", "high", "p", "detectable")
]
_NOT_TAUGHT = -100  # What torch's cross entropy leaves out.


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--passes", type=int, nargs="+", default=[4, 16, 64, 128])
    options.add_argument("--pairs", type=int, default=40)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    logging.getLogger("afterimage").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        public, fresh, task = (drawn(folder, edition) for edition in (PUBLIC, FRESH, TASK))
        pupil = Pupil()
        pupil.learn(task, PASSES_OF_THE_TASK)
        # The clean model first: what it has learnt later must not be in its answers.
        doses, alarms, passes = [compared(pupil, "0", public, fresh)], 0, 0
        for pair in range(chosen.pairs):
            editions = (drawn(folder, FURTHER + 2 * pair + one, SMALL) for one in (0, 1))
            alarms += int(compared(pupil, "0", *editions)["p"].iloc[0] < LEVEL)
        print(f"clean model: {alarms} false alarms in {chosen.pairs} pairs of editions", flush=True)
        for wanted in sorted(chosen.passes):
            pupil.learn(public, wanted - passes)
            passes = wanted
            doses.append(compared(pupil, str(wanted), public, fresh))
    print(f"{SUITE}, seed {chosen.seed}, by passes over the public edition")
    print(tabulate(pd.concat(doses)[COLUMNS], headers="keys", showindex=False, floatfmt=".3g"))


class Pupil:
    """sprout, which learns answers; its eye stays as it is."""

    def __init__(self) -> None:
        self.subject: Subject = loaded(ROOT / "resources" / "models" / "sprout")
        self.processor = self.subject.new_processor()
        self._encoded: dict[Path, list[Mapping[str, torch.Tensor]]] = {}
        # Its weights are kept in half precision, in which nothing can be learnt.
        model = self.subject.model.float()
        self._taught = [
            parameter
            for name, parameter in model.named_parameters()
            if parameter.requires_grad_("vision_tower" not in name).requires_grad
        ]

    def learn(self, shards: Sequence[Path], passes: int) -> None:
        """Go over an edition's questions so many times, in another order each time."""
        if shards[0] not in self._encoded:
            self._encoded[shards[0]] = [self._encode(row) for row in items_of(shards)]
        rows = self._encoded[shards[0]]
        optimiser = torch.optim.AdamW(self._taught, RATE)
        self.subject.model.train()
        with torch.enable_grad():
            for _ in range(passes):
                for part in torch.randperm(len(rows)).split(BATCH):
                    loss = self.subject.model(**_batch([rows[one] for one in part])).loss
                    optimiser.zero_grad()
                    loss.backward()
                    optimiser.step()
        self.subject.model.eval()

    def _encode(self, row: Mapping) -> Mapping[str, torch.Tensor]:
        """Return a question with its answer, of which only this is learnt."""
        answer = f"{text_of_key(row)}</s>"
        image = Image.open(io.BytesIO(row["images"][0]["png"])).convert("RGB")
        made = self.processor(images=[image], text=self._prompt(row) + answer, return_tensors="pt")
        size = len(self.processor.tokenizer(answer, add_special_tokens=False)["input_ids"])
        labels = made["input_ids"].clone()
        labels[:, :-size] = _NOT_TAUGHT
        return {**made, "labels": labels}

    def _prompt(self, row: Mapping) -> str:
        parts = row["messages"][0]["parts"]
        content = [
            {"type": "image"} if part["type"] == "image" else {"type": "text", "text": part["text"]}
            for part in parts
        ]
        return self.processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True
        )

    def grades(self, name: str, shards: Sequence[Path]) -> Path:
        """Answer an edition's questions and grade the answers."""
        rows = items_of(shards)
        settings = entry_of(Path(), batch_size=64, max_new_tokens=24).settings
        processor = self.subject.new_processor()
        answer = generation.answering(self.subject.model, processor, settings, "none")
        with torch.no_grad():
            replies = {reply.number: reply.text for reply in answer(requests_of(rows, (0,)))}
        blank = dict.fromkeys(RESPONSE.names)
        responses = [
            {**blank, "item_id": row["item_id"], "suite": SUITE, "model": "sprout", "repeat": 0}
            | {"text": replies[number], "answer_text": replies[number], "finish_reason": "stop"}
            for number, row in enumerate(rows)
        ]
        path = shards[0].with_name(f"grades-{name}.parquet")
        write_records(path, grade_responses(responses, rows), GRADE)
        return path


def _batch(rows: Sequence[Mapping[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Pad on the right and put together."""
    fill = {"input_ids": 0, "attention_mask": 0, "labels": _NOT_TAUGHT}
    padded = {
        name: torch.nn.utils.rnn.pad_sequence(
            [row[name][0] for row in rows], batch_first=True, padding_value=value
        )
        for name, value in fill.items()
    }
    return {**padded, "pixel_values": torch.cat([row["pixel_values"] for row in rows])}


def compared(
    pupil: Pupil, name: str, public: Sequence[Path], fresh: Sequence[Path]
) -> pd.DataFrame:
    """Return the table's rows about all questions, of one model on two editions."""
    editions = [Edition(one, {"sprout": pupil.grades(name, one)}) for one in (public, fresh)]
    rows, left_out = twins_of(SUITE, pairs_of(SUITE), *editions, 0.95)
    assert not left_out, left_out
    frame = frame_of_twins(rows, 0.95)
    return frame[frame["part"] == frame["part"].iloc[0]].assign(passes=name)


def drawn(folder: Path, edition: int, settings: Mapping = SETTINGS) -> list[Path]:
    """Draw an edition and make its questions; return the files of these."""
    edition_folder = folder / f"edition-{edition}"
    study = {"models": ["chance"], "suites": {SUITE: settings}, "edition": edition}
    plan = Plan(study, ROOT, folder / "fingerprints")
    for figure in plan.figures[SUITE]:
        images = edition_folder / "results" / "stimuli" / SUITE / figure
        images.mkdir(parents=True)
        outputs = {"stimuli": images / "stimuli.parquet", "measured": images / "measured.csv"}
        draw_figure(spec_of(plan, "draw_figure", suite=SUITE, figure=figure), {}, outputs, {})
    return made_items(plan, SUITE, edition_folder, edition_folder / "items")


def text_of_key(row: Mapping) -> str:
    return next(option["text"] for option in row["options"] if option["option_id"] == row["key"])


def items_of(shards: Sequence[Path]) -> list[dict]:
    return [row for shard in shards for row in read_records(shard, ITEM)]


if __name__ == "__main__":
    main()
