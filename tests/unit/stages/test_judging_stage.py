"""The judging job and the grading behind it: from files to files."""

import logging
import sys
from types import ModuleType

import pytest

from afterimage.contract.model import Backend
from afterimage.contract.readings import JudgeFields
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE, VOTE
from afterimage.models.interface import Reply
from afterimage.stages.judge_checks import compare_judge, queue_review, validate_judge
from afterimage.stages.judging import grade_judged, judge_responses

PROMPT = {"text": "{gold}/{answer}", "values": [0, 1], "aggregation": "majority"}
STATISTICS = {"confidence": 0.95, "resamples": 100, "seed": 1}


def item(number):
    return {
        "item_id": f"item_{number}",
        "suite": "stub_suite",
        "stimulus_id": f"image_{number}",
        "figure": "f",
        "prompt": "p",
        "question": "semantic",
        "messages": [{"role": "user", "parts": [{"type": "text", "text": "Same?", "image": None}]}],
        "images": [{"pixels_sha256": "1" * 64, "png": b"pixels"}],
        "answer_type": "yes_no",
        "options": [],
        "key": "Yes",
        "factors": {},
    }


def response(number, text):
    return {
        "item_id": f"item_{number}", "suite": "stub_suite", "model": "m", "repeat": 0, "text": text,
        "reasoning": None, "answer_text": text,
        "finish_reason": "stop", "backend": "b", "model_id": "i", "revision": None, "settings": "{}",
        "request_sha256": f"{number}", "prompt_tokens": None, "completion_tokens": None, "reasoning_tokens": None,
        "latency_seconds": None,
    }  # fmt: skip


def fields(item, response):
    text = next(part["text"] for part in item["messages"][0]["parts"])
    return JudgeFields("ask", {"question": text, "gold": item["key"], "answer": response["text"]})


FIELDS = "afterimage.suites.stub_suite.judging:fields"


class Job:
    """The files of a study of one model, and a judge that votes 1 for every yes."""

    def __init__(self, folder):
        self.folder = folder
        write_records(folder / "items.parquet", [item(n) for n in range(4)], ITEM)
        said = ("Yes", "No", "Well, yes", "=1+1")
        write_records(
            folder / "responses.parquet", [response(n, said[n]) for n in range(4)], RESPONSE
        )

    @property
    def asked(self):
        return {
            "responses": self.folder / "responses.parquet",
            "shards": [self.folder / "items.parquet"],
        }

    def judge(self, temperature=1, prompt=PROMPT):
        entry = {
            "backend": "stub_yes",
            "model_id": "j",
            "revision": None,
            "settings": {"temperature": temperature},
        }
        judge = {
            "name": "j",
            "entry": entry,
            "prompt_set": "own",
            "prompts": {"ask": prompt},
            "rounds": 5,
        }
        return judge_responses(
            {"suite": "stub_suite", "model": "m", "fields": FIELDS, "judge": judge},
            self.asked,
            {"votes": self.folder / "votes.parquet"},
            {"client": "{}", "journal": self.folder / "journal"},
        )

    def grade(self, votes=True, aggregation="majority"):
        grade_judged(
            {"fields": FIELDS, "aggregations": {"ask": aggregation}},
            {**self.asked, "votes": [self.folder / "votes.parquet"] if votes else []},
            {"grades": self.folder / "grades.parquet"},
            {},
        )
        return list(read_records(self.folder / "grades.parquet", GRADE))


@pytest.fixture
def job(tmp_path, monkeypatch):
    suite = ModuleType("afterimage.suites.stub_suite.judging")
    suite.fields = fields
    monkeypatch.setitem(sys.modules, "afterimage.suites.stub_suite.judging", suite)

    def answer(requests):
        for request in requests:
            vote = str(int("yes" in request.messages[0].text.partition("/")[2].lower()))
            yield from (Reply(request.number, vote, repeat=n) for n in request.repeats)

    judge = ModuleType("afterimage.models.stub_yes")
    judge.BACKEND = Backend(lambda entry, part: answer)
    monkeypatch.setitem(sys.modules, "afterimage.models.stub_yes", judge)
    return Job(tmp_path)


def test_votes_and_grades_come_out_of_items_and_responses(job):
    assert job.judge() == 20
    votes = list(read_records(job.folder / "votes.parquet", VOTE))
    assert [vote["value"] for vote in votes] == [1] * 5 + [0] * 5 + [1] * 5 + [0] * 5
    grades = job.grade()
    assert [grade["correct"] for grade in grades] == [True, False, True, False]
    assert {grade["decided_by"] for grade in grades} == {"judge"}
    assert {grade["decided_by"] for grade in job.grade(votes=False)} == {"parser"}


def test_at_temperature_0_it_warns_that_the_rounds_are_one_reply(job, caplog):
    with caplog.at_level(logging.WARNING):
        job.judge()
        assert caplog.messages == []
        job.judge(temperature=0)
    assert caplog.messages == [
        "judge 'j' answers at temperature 0: its 5 rounds are one reply, repeated"
    ]


def test_parser_and_judge_are_compared_and_no_listed_answer_is_a_formula(job):
    job.judge()
    job.grade()
    # The parser is made to differ, as if the judge had been wrong.
    rows = list(read_records(job.folder / "grades.parquet", GRADE))
    for row in rows:
        row["readings"]["correct_grader"] = "true"
    write_records(job.folder / "grades.parquet", rows, GRADE)
    names = [
        f"{table}_{form}"
        for table in ("agreement", "rounds")
        for form in ("csv", "markdown", "latex", "html", "json")
    ]
    outputs = {name: job.folder / name for name in (*names, "disagreements")}
    compare_judge(
        {"statistics": STATISTICS, "readers": {}},
        {
            "grades": [job.folder / "grades.parquet"],
            "responses": [job.folder / "responses.parquet"],
        },
        outputs,
        {},
    )
    listed = outputs["disagreements"].read_text().splitlines()
    assert [line.rpartition(",")[2] for line in listed] == ["answer", "No", "'=1+1"]
    assert all(path.stat().st_size for path in outputs.values())


def test_the_queue_is_written_for_spreadsheets(job):
    job.judge()
    job.grade()
    count = queue_review(
        {"fields": FIELDS, "right_share": 0.0},
        {
            "grades": [job.folder / "grades.parquet"],
            "responses": [job.folder / "responses.parquet"],
            "shards": [job.folder / "items.parquet"],
        },
        {"queue": job.folder / "queue.csv"},
        {},
    )
    lines = (job.folder / "queue.csv").read_text().splitlines()
    assert count == len(lines) - 1 == 2
    assert lines[2].endswith(",Same?,Yes,'=1+1")


def test_ratings_are_validated_against_people(job):
    rating = {"text": "{gold}/{answer}", "values": [0, 1, 2], "aggregation": "mean"}
    job.judge(prompt=rating)
    job.grade(aggregation="mean")
    scores = "".join(f"image_{n},A,semantic,ada,{2 * (n % 2 == 0)}\n" for n in range(4))
    (job.folder / "human.csv").write_text(
        f"image_id,model_code,question_type,evaluator,score\n{scores}"
    )
    outputs = {
        form: job.folder / f"v.{form}" for form in ("csv", "markdown", "latex", "html", "json")
    }
    spec = {"model_codes": {"A": "m"}, "statistics": STATISTICS, "readers": {}}
    files = {"grades": [job.folder / "grades.parquet"], "scores": [job.folder / "human.csv"]}
    validate_judge(spec, files, outputs, {})
    lines = outputs["csv"].read_text().splitlines()
    assert lines[0].startswith("number,evaluator,question_type,rho,")
    assert lines[1].startswith("1,ada,all,1.0")
