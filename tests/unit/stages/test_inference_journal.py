"""An inference job and the journal: what was answered once is never asked again."""

import logging

import pytest
from counting_model import Model, item

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import ITEM
from afterimage.models.interface import Failure, Reply
from afterimage.stages.inference import run_model


@pytest.fixture
def model(tmp_path, monkeypatch):
    return Model(tmp_path, monkeypatch)


def test_a_shard_that_the_journal_answers_loads_no_model_and_gives_the_same_rows(model):
    live, asked = model.run(map(item, range(5)))
    assert len(asked) == 5
    again, asked = model.run(map(item, range(5)))
    assert (asked, model.loads) == ([], 0)
    assert again == live
    assert len(model.files()) == 1


def test_items_dropped_or_reordered_shift_no_answer(model):
    live, _ = model.run(map(item, range(6)))
    texts = {row["item_id"]: row["text"] for row in live}
    for order in ((5, 3, 1), (2,), (4, 0, 5, 1, 2, 3)):
        rows, asked = model.run(map(item, order))
        assert asked == []
        assert [(row["item_id"], row["text"]) for row in rows] == [
            (f"item_{number}", texts[f"item_{number}"]) for number in order
        ]


def test_a_suite_under_another_name_finds_its_answers(model):
    live, _ = model.run(map(item, range(3)), suite="illusionvqa")
    renamed = [{**item(number), "suite": "shahgir_illusionvqa"} for number in range(3)]
    again, asked = model.run(renamed, suite="shahgir_illusionvqa")
    assert (asked, model.loads) == ([], 0)
    assert [row["text"] for row in again] == [row["text"] for row in live]


def test_an_image_redrawn_under_the_same_id_is_asked_again_and_only_it(model):
    model.run(map(item, range(3)))
    rows, asked = model.run([item(0), item(1, pixels="2"), item(2)])
    assert asked == ["Question 1"]
    assert [row["text"] for row in rows] == ["answer 1.0", "answer 1.0", "answer 3.0"]


def test_settings_that_the_backend_calls_neutral_ask_nothing_again(model):
    model.declare(neutral_settings=("concurrency",))
    model.run(map(item, range(2)), settings={"concurrency": 1})
    rows, asked = model.run(map(item, range(2)), settings={"concurrency": 8})
    assert asked == []
    assert rows[0]["settings"] == '{"concurrency": 8}'


@pytest.mark.parametrize(("crashes", "lost"), [(False, [3]), (True, [3, 4])])
def test_answers_given_before_a_failure_or_a_crash_are_kept(model, crashes, lost):
    def fail(request):
        if len(model.asked) != 4:
            yield from model.reply(request)
        elif crashes:
            raise RuntimeError("out of memory")
        else:
            yield Failure(request.number, "server error 500")

    model.answer = fail
    rows, _ = model.run(map(item, range(5)))
    assert [number for number, row in enumerate(rows) if row["text"] is None] == lost
    model.answer = model.reply
    assert model.run(map(item, range(5)))[1] == [f"Question {number}" for number in lost]


def test_requests_of_the_same_content_are_asked_once_and_share_the_answer(model):
    items = [item(0, text="same"), item(1), item(2, text="same")]
    live, asked = model.run(items)
    assert asked == ["same", "Question 1"]
    assert live[0]["text"] == live[2]["text"] == "answer 1.0"
    again, asked = model.run(items)
    assert (again, asked) == (live, [])


def test_repeats_are_kept_apart_and_fewer_of_them_ask_nothing(model):
    model.settings = {"repeats": 3}
    live, _ = model.run(map(item, range(2)))
    assert [row["text"] for row in live][:3] == ["answer 1.0", "answer 1.1", "answer 1.2"]
    assert model.run(map(item, range(2))) == (live, [])
    model.settings = {"repeats": 2}
    rows, asked = model.run(map(item, range(2)))
    assert asked == []
    assert [row["text"] for row in rows] == [row["text"] for row in live if row["repeat"] < 2]


def test_the_version_that_answered_is_kept_in_the_journal(model):
    model.answer = lambda request: [Reply(request.number, "a", revision="0a1b2c")]
    live, _ = model.run([item(0)])
    again, asked = model.run([item(0)])
    assert (asked, again) == ([], live)
    assert again[0]["revision"] == "0a1b2c"


def test_a_line_without_a_version_is_as_it_was_before_there_were_versions(model):
    model.run([item(0)])
    (file,) = model.files()
    assert b"revision" not in file.read_bytes().splitlines()[1]


def test_a_request_with_one_of_its_repeats_missing_is_not_answered(model):
    model.settings = {"repeats": 2}
    model.answer = lambda request: [Reply(request.number, "only the second", repeat=1)]
    rows, _ = model.run([item(0)])
    assert [row["text"] for row in rows] == [None, "only the second"]


@pytest.mark.parametrize(
    "declared", [{"reads_metadata": True, "journaled": False}, {"journaled": False}]
)
def test_reference_responders_are_not_journaled(model, declared):
    model.declare(**declared)
    for _ in range(2):
        assert len(model.run(map(item, range(2)))[1]) == 2
    assert model.files() == []


def test_a_journaled_model_is_never_asked_without_a_journal(model):
    write_records(model.folder / "items.parquet", [item(0)], ITEM)
    entry = {"backend": "counting", "model_id": "id", "revision": None, "settings": {}}
    with pytest.raises(ValueError, match="expected the journal's folder"):
        run_model(
            {"suite": "s", "model": "m", "entry": entry},
            {"shards": [model.folder / "items.parquet"]},
            {"responses": model.folder / "r.parquet"},
            {},
        )
    assert model.loads == 0


def test_models_keep_journals_of_their_own(model):
    model.run([item(0)], model="one")
    assert model.run([item(0)], model="two")[1] == ["Question 0"]
    assert {path.parent.name for path in model.files()} == {"one", "two"}


def test_an_answer_to_a_request_that_was_not_asked_is_an_error(model):
    model.answer = lambda request: [Reply(request.number + 1, "whose?")]
    with pytest.raises(AfterimageError, match="answered request 1, which it was not asked"):
        model.run([item(0)])


def test_a_damaged_line_is_reported_and_only_its_request_asked_again(model, caplog):
    model.run(map(item, range(3)))
    (file,) = model.files()
    file.write_bytes(file.read_bytes().replace(b"answer 2", b"answer 7"))
    with caplog.at_level(logging.WARNING):
        rows, asked = model.run(map(item, range(3)))
    assert asked == ["Question 1"]
    assert f"{file}, line 3 is damaged" in caplog.text
    assert [row["text"] for row in rows] == ["answer 1.0", "answer 1.0", "answer 3.0"]


def test_nothing_is_asked_where_answers_cannot_be_recorded(model):
    (model.folder / "journal").touch()
    with pytest.raises(AfterimageError, match="no journal file can be written"):
        model.run([item(0)])
    assert (model.loads, model.asked) == (0, [])


def test_a_journal_of_another_version_stops_before_the_model_is_loaded(model):
    (model.folder / "journal/m").mkdir(parents=True)
    (model.folder / "journal/m/new.jsonl").write_text('{"afterimage_journal": 2}\n')
    with pytest.raises(AfterimageError, match="a journal of version 2"):
        model.run([item(0)])
    assert model.loads == 0


def test_the_model_gets_the_image_itself(model):
    seen = []

    def look(request):
        seen.extend(image.png for image in request.messages[0].images)
        yield from model.reply(request)

    model.answer = look
    model.run([item(0, pixels="7")])
    assert seen == [b"pixels 7"]
