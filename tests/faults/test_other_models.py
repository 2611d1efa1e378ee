"""A reply that names another model than was asked is counted, or refused where the entry says so.

Public report: icebear0828/codex-proxy#660.
"""

import json

import pytest
from faulty_model import asked, journal_of
from loopback_api import Reaction, completion

from afterimage.contract.model import by_others, is_other_model, noting_others, other_model

SAME = [
    ("gpt-4o", "gpt-4o"),
    ("gpt-4o", "gpt-4o-2024-11-20"),
    ("gpt-4o-2024-11-20", "gpt-4o"),
    ("gpt-4", "gpt-4-0613"),
    ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
    ("claude-3-5-sonnet", "claude-3-5-sonnet@20241022"),
    ("claude-3-5-sonnet-20241022", "anthropic.claude-3-5-sonnet-20241022-v2:0"),
    ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet"),
    ("openai/gpt-4o", "gpt-4o"),
    ("gpt-4o", "openai/gpt-4o-2024-08-06"),
    ("openai/gpt-4o:free", "openai/gpt-4o"),
    ("gemini-1.5-pro", "models/gemini-1.5-pro-002"),
    ("/data/models/Qwen2-VL-7B-Instruct/", "Qwen2-VL-7B-Instruct"),
    ("Qwen/Qwen2-VL-7B-Instruct", "qwen2-vl-7b-instruct"),
    ("llava:latest", "llava"),
    ("org/model_a", "model-a"),
    ("model", None),
    # What names weights and no model.
    ("org/model", "0123456789abcdef0123456789abcdef01234567"),
    ("org/model", "sha256-0123456789abcdef"),
    ("org/model", "main"),
    ("org/model", "v1.2"),
    ("org/model", "2025-01-01"),
    ("org/model", "1.0.0-rc1"),
    ("org/model", "sha256-0123456789abcdef+a-processor"),
    ("amazon.nova-lite", "us.amazon.nova-lite"),
]
OTHER = [
    ("gpt-4o", "gpt-4o-mini"),
    ("gpt-4o", "gpt-4o-mini-2024-07-18"),
    ("gpt-4o-2024-11-20", "gpt-4o-2024-05-13"),
    ("gpt-4", "gpt-4-32k"),
    ("Qwen2-VL-7B", "Qwen2-VL-72B"),
    ("llava:13b", "llava:7b"),
    ("claude-3-5-sonnet-20241022", "claude-3-5-haiku-20241022"),
    ("openai/gpt-4o", "anthropic/claude-3-opus"),
    ("model-a", "model-b"),
    ("some-model", "x"),
    # Names that begin with a number, or end in what another one is.
    ("some-model", "360gpt-pro"),
    ("some-model", "4o-mini"),
    ("some-model", "v2-mini"),
    ("some-model", "sha256-mini"),
    ("gpt-4.o", "o"),
    ("qwen2.vl-72b", "vl-72b"),
    ("vl-72b", "qwen2.vl-72b"),
    ("model", ""),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_of_one_model(one, other):
    assert not is_other_model(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_names_of_two_models(one, other):
    assert is_other_model(one, other)
    assert not is_other_model(one, other, [other])


def test_only_backends_whose_replies_name_a_model_are_asked_and_only_answers_count():
    row = {"backend": "openai_compatible", "model_id": "a", "revision": "b", "text": ""}
    assert other_model(row) == "b"
    assert other_model({**row, "backend": "transformers"}) is None
    assert other_model({**row, "text": None}) is None
    assert other_model({"text": "a person's"}) is None


def test_the_sentence_names_each_model_and_how_many():
    from collections import Counter

    counts = Counter()
    row = {"backend": "served", "model_id": "a", "text": "x"}
    rows = [{**row, "revision": name} for name in ("b", "a", "b", "c", None)]
    assert list(noting_others(rows, counts)) == rows
    assert by_others({"mine": counts, "yours": {}}) == (
        "Answers that another model gave, as the server says: 2 of mine by b; 1 of mine by c."
    )
    assert by_others({"mine": {}}) == ""


def named(text, name):
    return Reaction(json.dumps({**json.loads(completion(text).body), "model": name}).encode())


def half(call):
    """Every second question is answered by a smaller model."""
    name = "some-model-mini" if int(call.text[-1]) % 2 else "some-model-2025-01-01"
    return named(f"answer to {call.text}", name)


def test_by_default_it_counts_and_stands_in_the_row(tmp_path):
    asking, _ = asked(half, tmp_path, 4)
    assert {number: replies[0].revision for number, replies in asking.replies.items()} == {
        0: "some-model-2025-01-01",
        1: "some-model-mini",
        2: "some-model-2025-01-01",
        3: "some-model-mini",
    }


def test_where_it_is_refused_the_request_fails_and_a_later_right_answer_counts(tmp_path):
    refusing = {"on_other_model": "refuse"}
    first, api = asked(half, tmp_path, 4, settings=refusing)
    assert first.replies.keys() == {0, 2}
    assert first.failures == dict.fromkeys((1, 3), "another model answered: some-model-mini")

    def right(call):
        return named(f"right answer to {call.text}", "some-model")

    _, later = asked(right, tmp_path, 4, api.port, settings=refusing)
    assert sorted(call.text for call in later.calls) == ["Question 1", "Question 3"]
    third, none = asked(right, tmp_path, 4, api.port, settings=refusing)
    assert none.calls == []
    assert third.replies[1][0].text == "right answer to Question 1"
    # What was paid for is kept, and the setting changes no key.
    counting, none = asked(right, tmp_path, 4, api.port)
    assert none.calls == []
    assert len(counting.replies) == 4
    assert len(list(journal_of(tmp_path).glob("*.jsonl"))) == 2


def test_a_further_name_of_the_model_is_no_other(tmp_path):
    settings = {"on_other_model": "refuse", "also_named": ["some-model-mini"]}
    asking, _ = asked(half, tmp_path, 4, settings=settings)
    assert len(asking.replies) == 4
