"""A judge behind a real server: `transformers serve` with a checkpoint of random weights, which has no opinion."""

import sys
from pathlib import Path

import pytest
from judged_rows import PROMPTS, fields, item, response

from afterimage.contract.model import ModelEntry
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import VOTE
from afterimage.models.asking import Asking
from afterimage.models.progress import Progress
from afterimage.stages.votes import RETRIES, AskedJudge, collect_votes, judged_answers

ROUNDS = 3


@pytest.fixture
def entry(tiny_llava, tmp_path, monkeypatch):
    program = Path(sys.executable).with_name("transformers")
    if not program.is_file():
        pytest.skip("transformers is not installed with its command")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    words = ["serve", "{model}", "--host", "{host}", "--port", "{port}", "--device", "cpu"]
    serve = {"health": "/health", "start_timeout": 600, "log": str(tmp_path / "logs")}
    settings = {
        "command": [str(program), *words],
        "api_key_env": None,
        "temperature": 1,
        "top_p": None,
        "seed": 1,
        "max_tokens": 3,
        "max_completion_tokens": None,
        "image_detail": None,
        "extra_body": {},
    }
    return ModelEntry(
        "j",
        "served",
        str(tiny_llava),
        settings=settings,
        client={"concurrency": 2},
        serve=serve,
    )


def test_a_judge_behind_a_real_server_votes_once_and_is_not_started_again(entry, tmp_path):
    answers = [response(0, "Yes"), response(1, "No, output 1")]
    items = {one["item_id"]: one for one in (item(0), item(1))}
    judge = AskedJudge(entry, "own", PROMPTS, ROUNDS)

    def judged():
        return judged_answers(answers, items, fields, PROMPTS)

    def votes():
        with Asking(entry, None, tmp_path / "journal", Progress()) as asking:
            write_records(
                tmp_path / "v.parquet", collect_votes(judged, judge, "s", "m", asking), VOTE
            )
        return list(read_records(tmp_path / "v.parquet", VOTE))

    live = votes()
    assert {(row["item_id"], row["round"]) for row in live} == {
        (one, number) for one in items for number in range(ROUNDS)
    }
    for row in live:
        # Random letters hardly ever are a vote; what is none was asked for again, and all of it is kept.
        later = [r for r in live if (r["item_id"], r["round"]) == (row["item_id"], row["round"])]
        assert [r["attempt"] for r in later] == list(range(len(later)))
        assert later[-1]["value"] is not None or len(later) == RETRIES + 1
        assert row["backend"] == "served"
    logs = list((tmp_path / "logs").iterdir())
    assert logs
    assert votes() == live
    assert list((tmp_path / "logs").iterdir()) == logs
