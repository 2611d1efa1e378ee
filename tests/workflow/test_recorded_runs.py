"""Answers that were given elsewhere, graded with the workflow's own rules and denominators."""

import csv
import gzip
import json
import os

import pytest
from workspace import SMALL_STUDY, Workspace, said

from afterimage.files.parquet import read_records
from afterimage.files.records import GRADE, ITEM, RESPONSE

MERGED = "results/responses/illusion_vqa/theirs.parquet"
GRADES = "results/grades/illusion_vqa/theirs.parquet"
TABLE = "results/tables/fake_vqa.csv"


class Study(Workspace):
    def use(self, name="answers.jsonl", **settings):
        """Let the model's answers come from a file."""
        theirs = {
            "backend": "recorded",
            "model_id": "their-model-2",
            "settings": {"file": name, **settings},
        }
        self.configure(
            {**SMALL_STUDY, "models": ["chance", "theirs"], "own_models": {"theirs": theirs}}
        )

    def write(self, answers, name="answers.jsonl"):
        lines = [json.dumps(answer) for answer in answers]
        (self.folder / name).write_text("\n".join(lines) + "\n")

    def outcomes(self):
        return {row["item_id"]: row["outcome"] for row in read_records(self.folder / GRADES, GRADE)}


@pytest.fixture(scope="module")
def prepared(finished_study, tmp_path_factory):
    """A study with its items made, and a right answer to each, for other tests to copy or to damage."""
    study = Study.copy(finished_study, tmp_path_factory.mktemp("recorded") / "study")
    right = []
    for path in sorted((study.folder / "results/items/illusion_vqa").glob("*.parquet")):
        for item in read_records(path, ITEM):
            texts = {option["option_id"]: option["text"] for option in item["options"]}
            prompt = item["messages"][-1]["parts"][-1]["text"]
            stimulus, question, _ = item["item_id"].split("/")
            answer = {"image": stimulus, "about": question, "said": texts[item["key"]]}
            right.append({**answer, "asked": prompt})
    study.right = right
    return study


MAPPING = {
    "item_id": "{image}/{about}/zero_shot",
    "columns": {"text": "said", "prompt": "asked"},
}


def test_a_file_of_answers_becomes_graded_answers_and_a_changed_one_alone_is_graded_anew(prepared):
    study = prepared
    study.use(**MAPPING)
    study.write(reversed(study.right))
    study.run(TABLE)
    rows = list(read_records(study.folder / MERGED, RESPONSE))
    assert {row["model_id"] for row in rows} == {"their-model-2"}
    assert {row["backend"] for row in rows} == {"recorded"}
    assert set(study.outcomes().values()) == {"exact"}
    assert len(rows) == len(study.right) == 32
    with (study.folder / TABLE).open() as lines:
        theirs = [row["n"] for row in csv.DictReader(lines) if row["model"] == "theirs"]
    # All fake images, those whose genuine twin was answered right (all of them), those that people saw.
    assert theirs == ["4", "4", "2"]
    # What is not asked is not journaled.
    assert not (study.folder / "journal").exists()
    assert study.planned(TABLE) == {}
    (study.folder / "answers.jsonl").touch()
    assert study.planned(TABLE) == {}

    changed = [dict(answer) for answer in study.right]
    changed[5]["said"] = "I would rather not say."
    study.write(changed)
    assert {job.split()[0] for job in study.planned(TABLE)} == {
        *("Matching", "Asking", "Grading", "Making")
    }
    study.run(TABLE)
    wrong = [item for item, outcome in study.outcomes().items() if outcome != "exact"]
    image, about = changed[5]["image"], changed[5]["about"]
    assert wrong == [f"{image}/{about}/zero_shot"]


def test_what_does_not_fit_is_one_sentence_and_other_models_go_on(prepared):
    study = prepared
    study.use("odd.jsonl", **MAPPING)
    odd = [*study.right[3:], {**study.right[3], "image": "ponzo_A_fake"}]
    study.write(odd, "odd.jsonl")
    failed = study.snakemake(TABLE)
    assert failed.returncode != 0
    assert "Traceback" not in failed.stdout
    sentence = said(failed)
    first = f"{study.right[0]['image']}/{study.right[0]['about']}/zero_shot"
    assert "odd.jsonl: found 1 answer without an item, the first for 'ponzo_A_fake/" in sentence
    assert f"; 3 of 32 items without an answer, the first '{first}'" in sentence
    assert (study.folder / "results/responses/illusion_vqa/chance.parquet").is_file()

    study.use("odd.jsonl", missing="empty", unknown="ignore", **MAPPING)
    study.run(GRADES)
    outcomes = study.outcomes()
    assert len(outcomes) == 32
    assert sum(outcome == "exact" for outcome in outcomes.values()) == 29
    log = study.folder / "results/logs/match_recorded_answers/illusion_vqa/theirs.log"
    assert "3 of 32 items without an answer" in log.read_text()


def test_outcomes_without_words_count_in_the_tables_as_words_do(prepared):
    study = prepared
    study.use("outcomes.jsonl", item_id=MAPPING["item_id"], columns={"text": None, "correct": "ok"})
    places = [{key: answer[key] for key in ("image", "about")} for answer in study.right]
    study.write([{**place, "ok": place["about"] == "actual"} for place in places], "outcomes.jsonl")
    # As a clock of another machine dates it.
    os.utime(study.folder / "outcomes.jsonl", (1.9e9, 1.9e9))
    study.run(TABLE)
    assert set(study.outcomes().values()) == {"recorded"}
    with (study.folder / TABLE).open() as lines:
        (theirs,) = [
            row
            for row in csv.DictReader(lines)
            if (row["model"], row["subset"]) == ("theirs", "all")
        ]
    assert (theirs["n"], theirs["actual_only_k"], theirs["unparsed_k"]) == ("4", "4", "0")


def test_a_log_of_inspect_ai_enters_with_its_epochs_as_repeats(prepared, root):
    study = prepared
    packed = (root / "tests/data/inspect_ai_0.3.285.eval.gz").read_bytes()
    (study.folder / "run.eval").write_bytes(gzip.decompress(packed))
    study.use("run.eval", repeats=2, missing="empty", unknown="ignore")
    study.run(MERGED)
    rows = list(read_records(study.folder / MERGED, RESPONSE))
    assert len(rows) == 2 * 32
    given = [row for row in rows if row["finish_reason"] != "not_recorded"]
    assert {(row["repeat"], row["text"].split()[1]) for row in given} == {(0, "1"), (1, "2")}
    assert len(given) == 8
    assert all(row["text"].endswith(row["item_id"]) for row in given)


def test_a_file_that_is_not_there_ends_the_run_before_it_begins(prepared):
    prepared.use("absent.jsonl")
    failed = prepared.snakemake("--dry-run")
    assert failed.returncode != 0
    assert "model 'theirs': settings: key 'file': file 'absent.jsonl' does not exist" in (
        failed.stdout
    )
    assert "Traceback" not in failed.stdout
