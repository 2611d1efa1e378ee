"""The order of texts and images in a request: the items' own, or texts first where a suite says so of a model."""

import pytest
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM
from afterimage.models.interface import Image
from afterimage.models.item_requests import ItemRequests
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of

IMAGE = {"type": "image", "text": None, "image": 0}


def text(words):
    return {"type": "text", "text": words, "image": None}


@pytest.fixture
def items(tmp_path):
    """An items file of two suites with one item each, an image between two texts, and a second turn."""
    path = tmp_path / "items.parquet"
    turns = [
        {"role": "user", "parts": [text("Look."), IMAGE, text("How many?")]},
        {"role": "assistant", "parts": [text("Two.")]},
        {"role": "user", "parts": [IMAGE, text("Sure?"), IMAGE]},
    ]
    rows = [
        {
            "item_id": suite,
            "suite": suite,
            "stimulus_id": "s",
            "figure": "f",
            "prompt": "p",
            "question": "q",
            "messages": turns,
            "images": [{"pixels_sha256": "0" * 64, "png": b"png"}],
            "answer_type": "integer",
            "options": [],
            "key": "2",
            "factors": {},
        }
        for suite in ("blindtest", "pope")
    ]
    write_records(path, rows, ITEM)
    return path


def sent(requests):
    """The parts of each turn of each request, an image as a word."""
    return [
        [
            "image" if isinstance(part, Image) else part
            for turn in one.messages
            for part in turn.parts
        ]
        for one in requests.requests({0: (0,), 1: (0,)}, {}, with_metadata=False)
    ]


def test_texts_come_first_in_the_suites_that_are_named_and_stay_where_they_are_in_others(items):
    as_they_stand = ["Look.", "image", "How many?", "Two.", "image", "Sure?", "image"]
    text_first = ["Look.", "How many?", "image", "Two.", "Sure?", "image", "image"]
    assert sent(ItemRequests(items)) == [as_they_stand] * 2
    assert sent(ItemRequests(items, ["blindtest"])) == [text_first, as_they_stand]


def test_the_order_is_in_the_hash_and_so_in_the_journals_key_and_changes_no_others(items):
    plain = ItemRequests(items).hashes((0, 1), {})
    ordered = ItemRequests(items, ["blindtest"])
    hashes = ordered.hashes((0, 1), {})
    assert hashes[0] != plain[0]
    assert hashes[1] == plain[1]
    whole = ordered.requests({0: (0,), 1: (0,)}, {}, with_metadata=False)
    assert {one.number: one.sha256 for one in whole} == hashes


@pytest.fixture
def planned(root, monkeypatch):
    monkeypatch.chdir(root)
    local = {"backend": "transformers", "model_id": "me/x"}

    def plan(**blindtest):
        suites = {"blindtest": blindtest, "pope": {}}
        own = {"local": local, "other": local}
        return Plan(plain_study(models=[*own], own_models=own, suites=suites), root)

    return plan


def test_a_model_that_reads_texts_first_in_one_suite_is_asked_so_there_alone(planned):
    def order(stage, **at):
        return spec_of(planned(text_first=["local"]), stage, **at).get("text_first")

    assert order("run_model", suite="blindtest", model="local") == ["blindtest"]
    assert order("run_model", suite="pope", model="local") is None
    assert order("run_model", suite="blindtest", model="other") is None
    assert order("compare_batches", model="local") == ["blindtest"]


def test_nothing_depends_on_an_order_that_is_not_set(planned):
    for model in ("local", "other"):
        spec = spec_of(planned(), "run_model", suite="blindtest", model=model)
        assert "text_first" not in spec
    items = [
        spec_of(planned(text_first=first), "make_items", suite="blindtest", shard="000000-000000")
        for first in ([], ["local"])
    ]
    assert items[0] == items[1]


def test_a_model_that_nobody_knows_is_one_sentence(planned):
    with pytest.raises(AfterimageError, match=r"suites\.blindtest\.text_first\[0\].*'locall'"):
        planned(text_first=["locall"])


def test_options_are_asked_for_where_that_is_wanted_and_the_question_has_some(items, tmp_path):
    (plain, _) = ItemRequests(items).hashes((0, 1), {}).values()
    with_none = ItemRequests(items, with_options=True)
    assert [each.options for each in with_none.requests({0: (0,), 1: (0,)}, {}, False)] == [(), ()]
    assert with_none.hashes((0,), {}) == {0: plain}
    rows = list(read_records(items, ITEM))
    options = [{"option_id": "2", "text": "Two"}, {"option_id": "3", "text": "Three"}]
    write_records(tmp_path / "more.parquet", ({**row, "options": options} for row in rows), ITEM)
    scored = ItemRequests(tmp_path / "more.parquet", with_options=True)
    assert [each.options for each in scored.requests({0: (0,)}, {}, False)] == [("Two", "Three")]
    assert [each.sha256 for each in scored.requests({0: (0,)}, {}, False)] != [plain]
    assert scored.hashes((0,), {})[0] != plain
    assert ItemRequests(tmp_path / "more.parquet").hashes((0,), {}) == {0: plain}
