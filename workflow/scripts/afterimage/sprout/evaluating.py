"""What a saved checkpoint answers about pictures that it was never trained on, at the size of the suites' images."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor, LlavaProcessor

from afterimage.grading.readers.choice import parse
from afterimage.sprout.kinds import KINDS, NAMED, truths
from afterimage.sprout.picture import SIDE, Picture, new_case
from afterimage.sprout.recipe import Recipe
from afterimage.sprout.words import AS_THE_SUITE, Question, ask
from afterimage.statistics.intervals import wilson_interval

#: Side of the suites' images, px.
_LARGE = int(3 * SIDE)
_BATCH = 64
_LONGEST_ANSWER = 24
_SEED = 2


@dataclass(frozen=True)
class Score:
    """How often answers about fresh pictures of a kind are right.

    Attributes:
        truth: ``same`` where nothing differs, ``different`` where the difference is that of the suites' fakes,
            ``named`` where nothing is compared.
        right, parsed, number: Answers that are right, that name an option, and all.
    """

    kind: str
    truth: str
    right: int
    parsed: int
    number: int

    @property
    def share(self) -> float:
        return self.right / self.number

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share, at 95 %."""
        low, high = wilson_interval(self.right, self.number)
        return float(low), float(high)


def score_checkpoint(folder: str | PathLike[str], recipe: Recipe) -> list[Score]:
    """Ask a saved checkpoint about fresh pictures of every kind, in the suites' own words.

    The pictures are drawn at 672 px and go through the checkpoint's own processor, as the suites' images do.
    """
    processor = AutoProcessor.from_pretrained(folder, trust_remote_code=False)
    model = AutoModelForImageTextToText.from_pretrained(
        folder, trust_remote_code=False, use_safetensors=True, dtype=torch.float32
    )
    scores = []
    for kind in KINDS:
        for truth, pictures in fresh_pictures(recipe, kind).items():
            random = np.random.default_rng([recipe.seed, _SEED, list(KINDS).index(kind)])
            questions = [ask(random, picture, AS_THE_SUITE) for picture in pictures]
            replies = answers(model, processor, pictures, questions)
            scores.append(_score(kind, truth, questions, replies))
    return scores


def fresh_pictures(recipe: Recipe, kind: str) -> dict[str, list[Picture]]:
    """Draw pictures of a kind that are never trained on: so many without a difference, so many with the suites'.

    Of what is named, so many in all.
    """
    random = np.random.default_rng([recipe.seed, _SEED, list(KINDS).index(kind), 1])
    found: dict[str, list[Picture]] = {truth: [] for truth in truths(kind)}
    while any(len(pictures) < recipe.pictures.fresh for pictures in found.values()):
        case = new_case(random, (1.0, 1.0))
        wanted = found["named" if kind in NAMED else "different" if case.difference else "same"]
        if len(wanted) < recipe.pictures.fresh:
            wanted.append(KINDS[kind](case, _LARGE))
    return found


def answers(
    model: torch.nn.Module,
    processor: LlavaProcessor,
    pictures: Sequence[Picture],
    questions: Sequence[Question],
) -> list[str]:
    replies: list[str] = []
    for some in _batches(len(questions)):
        prompts = [
            processor.apply_chat_template(_conversation(questions[row]), add_generation_prompt=True)
            for row in some
        ]
        images = [[Image.fromarray(pictures[row].pixels)] for row in some]
        inputs = processor(images=images, text=prompts, padding=True, return_tensors="pt")
        with torch.inference_mode():
            generated = model.generate(**inputs, max_new_tokens=_LONGEST_ANSWER, do_sample=False)
        new = generated[:, inputs["input_ids"].shape[1] :]
        replies += processor.batch_decode(new, skip_special_tokens=True)
    return replies


def _conversation(question: Question) -> list[dict[str, object]]:
    content = [{"type": "image"}, {"type": "text", "text": question.text}]
    return [{"role": "user", "content": content}]


def _batches(number: int) -> Iterator[range]:
    for start in range(0, number, _BATCH):
        yield range(start, min(start + _BATCH, number))


def _score(kind: str, truth: str, questions: Sequence[Question], replies: Sequence[str]) -> Score:
    right = parsed = 0
    for question, reply in zip(questions, replies, strict=True):
        options = [(option, option) for option in question.options]
        read = parse(reply, options).answer
        parsed += read is not None
        right += read == question.answer
    return Score(kind, truth, right, parsed, len(questions))
