"""Whatever an answer holds: nothing raises, text is kept as far as a file can keep it, and what is replaced is said."""

import json
import logging

import pytest
from faulty_model import ask, asked, in_turn, whole
from loopback_api import Reaction, completion

from afterimage.contract.model import ModelEntry
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import RESPONSE
from afterimage.grading import reasoning
from afterimage.models.interface import Failure, Message, Request, reply_columns, storable


def said(text, **others):
    """An answer with this text, as JSON writes it."""
    body = {**whole({"content": text}, "stop"), **others}
    return Reaction(json.dumps(body).encode())


def stored(reply, folder):
    """Return a reply's row after it was written as a response and read again."""
    row = {
        **{"item_id": "i", "suite": "s", "model": "m", "repeat": 0},
        **reasoning.columns(reply.text, reply.reasoning),
        **reply_columns(reply, ModelEntry("m", "b", "m"), "{}", "0" * 64),
    }
    write_records(folder / "responses.parquet", [row], RESPONSE)
    (found,) = read_records(folder / "responses.parquet", RESPONSE)
    return found


TEXTS = {
    "half a character": ("Left \ud83d.", "Left \ufffd."),
    "halves in the wrong order": ("\udc00\ud800", "\ufffd\ufffd"),
    "a whole one in two halves": ("\U0001f600", "\U0001f600"),
    "NUL": ("Left\x00.", "Left\x00."),
    "controls": ("\x1b[2J\x07\r\n\u2028\u202e", "\x1b[2J\x07\r\n\u2028\u202e"),
}


@pytest.mark.parametrize(("text", "kept"), TEXTS.values(), ids=TEXTS)
def test_text_is_kept_as_far_as_it_can_be(text, kept, tmp_path):
    asking, _ = asked(lambda call: said(text), tmp_path)
    assert stored(asking.replies[0][0], tmp_path)["text"] == kept


def test_ten_megabytes_are_kept_where_they_are_allowed(tmp_path):
    text = "Left. " * 1_700_000
    asking, _ = asked(lambda call: said(text), tmp_path, max_response_mb=20)
    assert stored(asking.replies[0][0], tmp_path)["text"] == text


def test_what_is_replaced_is_said(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        asked(lambda call: said("a\ud800b"), tmp_path)
    assert "the answer to request 0 cannot be kept whole: 1 half characters in its text" in (
        caplog.text
    )


def test_reasoning_version_and_finish_reason_are_kept_in_the_same_way(tmp_path):
    body = whole({"content": "x", "reasoning": "\ud800"}, "\ud800")
    body["model"] = "\ud800"
    asking, _ = asked(lambda call: Reaction(json.dumps(body).encode()), tmp_path)
    row = stored(asking.replies[0][0], tmp_path)
    assert [row[name] for name in ("reasoning", "finish_reason", "revision")] == ["\ufffd"] * 3


def test_a_later_item_can_hold_such_an_answer(tmp_path):
    asking, _ = asked(lambda call: said("a\ud800b"), tmp_path)
    text = asking.replies[0][0].text
    assert len(Request(1, (Message("user", (text,)),)).sha256) == 64


USAGES = {
    "2^63": {"prompt_tokens": 2**63, "completion_tokens": 10**4000},
    "negative": {"prompt_tokens": -1, "completion_tokens": -(2**70)},
    "words": {"prompt_tokens": "many", "completion_tokens": [3]},
    "a list": [1, 2],
    "a number": 7,
    "a word": "many",
}


@pytest.mark.parametrize("usage", USAGES.values(), ids=USAGES)
def test_a_count_that_cannot_be_is_unknown_and_holds_nobody(usage, tmp_path):
    asking, _ = asked(
        lambda call: said("Left.", usage=usage), tmp_path, count=3, tokens_per_minute=100_000
    )
    rows = [stored(asking.replies[number][0], tmp_path) for number in range(3)]
    assert [row["text"] for row in rows] == ["Left."] * 3
    assert {row["prompt_tokens"] for row in rows} == {None}


DEEP = {
    "the body": b"[" * 100_000,
    "a closed body": b"[" * 100_000 + b"]" * 100_000,
    "content": b'{"choices":[{"message":{"content":' + b"[" * 50_000 + b"]" * 50_000 + b"}}]}",
    "the error": b'{"error":' + b"[" * 900 + b"]" * 900 + b"}",
}


@pytest.mark.parametrize("body", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("status", [200, 500])
def test_json_that_is_nested_deeply_is_a_failure_like_any_other(body, status):
    api, (reply,) = ask(in_turn(Reaction(body, status), completion("Left.")))
    assert reply.text == "Left."
    assert len(api.calls) == 2


@pytest.mark.parametrize("words", ["\x1b[2J\x1b]0;t\x07", "a\ud800", "\u202egnorw", "x" * 10**6])
def test_a_reason_can_be_printed_and_moves_no_cursor(words):
    error = Reaction(json.dumps({"error": {"message": words}}).encode(), 400)
    _, (failure,) = ask(lambda call: error)
    assert isinstance(failure, Failure)
    assert failure.reason.isprintable()
    assert len(failure.reason.encode()) < 2000


def old_journal(folder, **fields):
    """Make the journal of an earlier version, which wrote whatever came; return its file and the server's port."""
    _, api = asked(lambda call: said("Left."), folder)
    (file,) = (folder / "journal" / "hosted").glob("*.jsonl")
    from afterimage.models.journaling.entries import decode, encode

    header, line = file.read_bytes().splitlines(keepends=True)
    record = {name: value for name, value in {**decode(line), **fields}.items() if value != "gone"}
    file.write_bytes(header + encode(record))
    return file, api.port


OLD = {
    "half a character": {"text": "a\ud800b"},
    "half a character in reasoning": {"reasoning": "a\ud800b"},
    "too many tokens": {"prompt_tokens": 2**63},
    "negative tokens": {"completion_tokens": -5},
    "scores above certainty": {"scores": {"options": [{"text": "a", "logprob": 5.0, "tokens": 1}]}},
    "scores that are no numbers": {
        "scores": {"first_token": [{"token": "Left", "logprob": "x", "top": []}]}
    },
    "scores of nothing": {"scores": {"first_token": [{"token": None, "logprob": -1}]}},
    "scores in words": {"scores": {"first_token": "Left"}},
    "scores without end": {"scores": {"options": [{"text": "a", "logprob": float("-inf")}]}},
}


@pytest.mark.parametrize("fields", OLD.values(), ids=OLD)
def test_old_journals_that_hold_such_answers_are_read_without_asking(fields, tmp_path):
    _, port = old_journal(tmp_path, **fields)
    asking, api = asked(lambda call: said("Never asked."), tmp_path, port=port)
    assert api.calls == []
    assert asking.replies[0][0].scores is None
    assert stored(asking.replies[0][0], tmp_path)["text"] in ("Left.", "a\ufffdb")


@pytest.mark.parametrize("fields", OLD.values(), ids=OLD)
def test_verify_finds_them_and_repair_mends_them_without_asking(fields, tmp_path, capsys):
    from afterimage.commands.cli import main

    file, port = old_journal(tmp_path, **fields)
    where = ["--journal", str(tmp_path / "journal")]
    assert main(["journal", "verify", *where]) == 1
    assert f"{file}, line 2: " in capsys.readouterr().err
    assert main(["journal", "repair", "--idle-minutes", "-1", *where]) == 0
    assert main(["journal", "verify", *where]) == 0
    assert "1 answers in 1 files; 0 damaged lines" in capsys.readouterr().out
    asking, api = asked(lambda call: said("Never asked."), tmp_path, port=port)
    assert api.calls == []
    assert storable(asking.replies[0][0])[1] == ""


def test_repair_leaves_a_withdrawn_answer_withdrawn(tmp_path):
    from afterimage.models.journaling import upkeep

    file, port = old_journal(tmp_path, text="a\ud800b")
    upkeep.refresh(file.parent)
    upkeep.repair(file.parent, idle_seconds=-60)
    asking, _ = asked(lambda call: said("Anew."), tmp_path, port=port)
    assert asking.replies[0][0].text == "Anew."


@pytest.mark.parametrize("field", ["text", "request", "repeat", "answered_at", "finish_reason"])
def test_a_record_that_lacks_a_field_is_reported_and_asked_again(field, tmp_path, caplog):
    from afterimage.models.journaling import upkeep

    file, port = old_journal(tmp_path, **{field: "gone"})
    (fault,) = upkeep.survey(file.parent).damaged
    assert f"it has no '{field}'" in str(fault)
    asking, _ = asked(lambda call: said("Anew."), tmp_path, port=port)
    assert asking.replies[0][0].text == "Anew."


@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens", "latency_seconds"])
def test_a_record_that_lacks_what_may_be_unknown_is_an_answer(field, tmp_path):
    from afterimage.models.journaling.export import export_answers

    file, port = old_journal(tmp_path, **{field: "gone"})
    assert export_answers([file.parent], tmp_path / "answers.parquet") == 1
    asking, _ = asked(lambda call: said("Never asked."), tmp_path, port=port)
    assert asking.replies[0][0].text == "Left."
