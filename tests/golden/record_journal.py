"""Ask once what the kept journal answers ever since: python tests/golden/record_journal.py [--add].

Without ``--add`` only for a new beginning: a journal that is recorded anew proves nothing about answers that were
given before. With it the kept entries stay as they are, and only what they do not answer is asked.
"""

import csv
import gzip
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
from golden_files import HERE
from golden_paths import ROOT
from golden_studies import JUDGED, PORT, STUDIES, workspace_of
from loopback_api import LoopbackApi, completion
from workspace import Workspace

QUEUE = "results/review/illusionbench/queue.csv"
TARGETS = (QUEUE, "results/tables/illusionbench_judge_agreement.csv")
#: What a model says, by the length of what it is asked: right, wrong, in many words, and nothing.
SAID = ("True", "False", "It is true, I think.", "", "There is no illusion in the image.")


def react(call):
    """Answer as if at random, and as every other model and judge would."""
    number = sum(call.text.encode())
    if call.body["model"] == "some-judge":
        return completion(str(number % 2 + number // 2 % 2), usage=(50, 1))
    return completion(SAID[number % len(SAID)], usage=(100, 5))


def add() -> None:
    """Run the study with the kept journal and a server, and add what the journal did not answer."""
    with tempfile.TemporaryDirectory() as folder, LoopbackApi(react, port=PORT) as api:
        workspace = workspace_of(ROOT, Path(folder) / "study", JUDGED)
        workspace.run(*TARGETS)
        print(f"{len(api.calls)} calls")
        for model in ("hosted", "judge"):
            path = HERE / "journal" / f"{model}.jsonl.gz"
            entries = [
                file.read_bytes()
                for file in sorted((workspace.folder / "journal" / model).glob("*.jsonl"))
            ]
            lines = dict.fromkeys(gzip.decompress(path.read_bytes()).splitlines())
            lines |= dict.fromkeys(line for entry in entries for line in entry.splitlines())
            path.write_bytes(gzip.compress(b"".join(b"%s\n" % line for line in lines), mtime=0))


def main() -> None:
    """Run the study with a server, and keep its journal and what people say to its answers."""
    people = HERE / "people"
    with tempfile.TemporaryDirectory() as folder, LoopbackApi(react, port=PORT) as api:
        study = STUDIES[JUDGED].config("illusionbench")
        workspace = Workspace(ROOT, Path(folder) / "study", {**study, "review": {}})
        workspace.run(*TARGETS)
        print(f"{len(api.calls)} calls")
        for model in ("hosted", "judge"):
            (written,) = (workspace.folder / "journal" / model).glob("*.jsonl")
            packed = gzip.compress(written.read_bytes(), mtime=0)
            (HERE / "journal" / f"{model}.jsonl.gz").write_bytes(packed)
        queue = _read(workspace.folder / QUEUE)
        grades = pq.read_table(
            workspace.folder / "results/grades/illusionbench/hosted.parquet",
            columns=["stimulus_id", "question"],
        ).to_pylist()
    _write(people / "illusionbench_review.csv", list(_reviewed(queue)))
    _write(people / "illusionbench_scores.csv", list(_scored(grades)))


def _reviewed(queue):
    """Let somebody decide about most of the answers that people are to look at."""
    for index, row in enumerate(queue):
        if index % 4:
            looked_at = {name: row[name] for name in ("model", "item_id", "answer_sha")}
            yield {**looked_at, "human_correct": int(index % 3 == 0), "reviewer": "ada"}


def _scored(grades):
    """Let two people score every description."""
    for row in sorted(grades, key=lambda row: (row["question"], row["stimulus_id"])):
        if row["question"] in ("semantic", "illusion"):
            for evaluator in ("ada", "charles"):
                yield {
                    "image_id": row["stimulus_id"],
                    "model_code": "A",
                    "question_type": row["question"],
                    "evaluator": evaluator,
                    "score": sum(f"{row['stimulus_id']}{evaluator}".encode()) % 3,
                }


def _read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    add() if "--add" in sys.argv[1:] else main()
