"""Files that were cut off, garbled or forged: one sentence says so, before anything heavy is done."""

import csv
import io
import json
import random
import zipfile
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from form_samples import answered, as_csv, choice_task, listed, writing_task

from afterimage.contract.model import load_backend, model_of
from afterimage.errors import AfterimageError
from afterimage.files import recorded_rows
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.hub import RepositoryFile
from afterimage.files.human_responses import (
    DECISION_COLUMNS,
    RESPONSE_COLUMNS,
    kept_figures,
    read_responses,
)
from afterimage.files.json_files import read_json
from afterimage.grading.human_answers import count_answers
from afterimage.models import weights
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import DamagedLineError, answer_line, parse
from afterimage.models.recorded.harnesses import read_inspect_ai, read_lmms_eval
from afterimage.models.recorded.reading import read_table
from afterimage.models.weights import known_content
from afterimage.people.forms.joining import answers, join
from afterimage.people.forms.page import COLUMNS as FORM_COLUMNS
from afterimage.people.forms.returned_files import read_returned
from afterimage.people.review import REVIEW_COLUMNS, decisions, read_reviews
from afterimage.showing.study.judges_and_people import HUMAN_COLUMNS, read_human_scores
from afterimage.stages.fetching import chosen_files
from afterimage.suites.images.csv_rows import read_rows as read_own_images
from afterimage.suites.pope.files import read_objects
from afterimage.suites.texture import columns as texture
from afterimage.suites.texture.coco import tables_from
from afterimage.suites.texture.columns import read_rows as read_texture

_TEXTURE = {
    table.file: (partial(read_texture, table=table), [column.name for column in table.columns])
    for table in vars(texture).values()
    if isinstance(table, texture.Table)
}
#: Every reader of CSV that people made, with the columns that it wants.
CSV_READERS = {
    "form": (read_returned, FORM_COLUMNS),
    "review": (lambda path: read_reviews([path]), REVIEW_COLUMNS),
    "responses": (read_responses, RESPONSE_COLUMNS),
    "decisions": (kept_figures, DECISION_COLUMNS),
    "recorded": (lambda path: list(recorded_rows.read_csv(path)), ("item_id", "answer")),
    "scores": (partial(read_human_scores, models={"A": "m"}), HUMAN_COLUMNS),
    "own images": (read_own_images, ("image", "question", "options", "answer")),
    "others": (lambda path: list(read_peoples_rows(path, ("a", "b"), "rows")), ("a", "b")),
    **_TEXTURE,
}
DEEP = b"[" * 100_000 + b"]" * 100_000


def garbled(sound, count, seed):
    """Yield a file with some bytes exchanged, and a third of the time its end cut off."""
    chance = random.Random(seed)
    odd = [0, 9, 10, 13, 34, 44, 59, 200, 255]
    for _ in range(count):
        changed = bytearray(sound)
        for _ in range(chance.randint(1, 6)):
            changed[chance.randrange(len(changed))] = chance.choice([*odd, chance.randrange(256)])
        yield bytes(
            changed[: chance.randint(1, len(changed))] if chance.random() < 0.3 else changed
        )


def odd_tables(columns):
    """Yield files with these columns that are no such table."""
    header = ",".join(columns)
    sound = f"{header}\n{','.join('x' for _ in columns)}\n"
    yield from (b"", b"\n\n", b"\0" * 50, b"\xff\xfe", b"\xff\xfea", b"\xef\xbb\xbf")
    yield from (sound.encode()[:-3], sound.encode("utf-16")[:-1], sound.encode("utf-32"))
    for text in (
        f"{'x' * 200_000},{header}\n",
        f"{header},{'x' * 200_000}\n",
        f"{sound}{'y' * 200_000}\n",
        f'{header}\n"x\nx\n',
        f'{header}\n"a"b,c\n',
        f'"{header}\n',
        f"{header}\na\0b,c\n",
        f"{header}\n{',' * 5000}",
        f"{header}\r{header}\r",
        f"{header},{header}\n",
        f"\x1b[2J{sound}",
    ):
        yield text.encode()
    yield from garbled(sound.encode() * 3, 60, seed=1)


def require_one_sentence(read, path, contents):
    """Read each content: an error is one sentence that a terminal can show."""
    for each in contents:
        path.write_bytes(each)
        try:
            read(path)
        except AfterimageError as error:
            assert len(str(error)) < 1000, each[:80]
            assert "\x1b" not in str(error) and "\n" not in str(error), each[:80]


@pytest.mark.parametrize("longest", [131_072, 1 << 24])
@pytest.mark.parametrize("name", CSV_READERS)
def test_a_table_that_is_none_is_one_sentence(name, longest, tmp_path):
    # Python's own limit and the package's: which of them holds depends on what was read before.
    csv.field_size_limit(longest)
    read, columns = CSV_READERS[name]
    require_one_sentence(read, tmp_path / "a.csv", odd_tables(columns))


def test_a_form_file_that_was_cut_off_anywhere_is_read_as_far_as_it_goes(tmp_path):
    rows = listed([choice_task("a"), choice_task("b")])
    whole = as_csv(answered(rows, lambda row, field: "1")).encode()
    require_one_sentence(
        lambda path: join(rows, read_returned(path)),
        tmp_path / "answers.csv",
        [whole[:length] for length in range(0, len(whole), 7)],
    )


def cut_off(rows, columns, keep):
    """Write a form's file with these columns and cut off all of its last row but so many letters of the last cell."""
    ordered = [{name: row[name] for name in columns} for row in rows]
    whole = as_csv(ordered).removesuffix("\r\n")
    return whole[: len(whole) - len(ordered[-1][columns[-1]]) + keep]


@pytest.mark.parametrize("keep", [0, 1, 2])
def test_half_an_answer_at_the_end_of_a_form_file_is_none_and_every_whole_one_counts(
    tmp_path, keep
):
    rows = listed([writing_task("a"), writing_task("b")])
    given = answered(rows, lambda row, field: "45")
    path = tmp_path / "answers.csv"
    columns = [*(name for name in FORM_COLUMNS if name != "answer"), "answer"]
    path.write_text(cut_off(given, columns, keep), newline="")
    joined = join(rows, read_returned(path))
    assert [one.value for one in joined.given] == ["45"] * (len(given) - 1)
    (reported,) = joined.report
    assert reported["kind"] == "cut_off_answer" and "ends inside this row" in reported["detail"]
    # Once it has its line's end it is an answer.
    path.write_text(f"{cut_off(given, columns, 2)}\r\n", newline="")
    assert len(join(rows, read_returned(path)).given) == len(given)


#: With quotes, a comma and signs of several bytes in it.
ODD_ANSWER = '4"5, \u00e9\u65e5'


def ends(path, columns, rows):
    """Write rows with these columns, cut off after each byte of the last one; yields how much of that is there."""
    whole = as_csv([{name: row[name] for name in columns} for row in rows]).encode()
    for length in range(whole.rindex(b"\n", 0, len(whole) - 2) + 1, len(whole) - 1):
        path.write_bytes(whole[:length])
        yield whole[:length].decode(errors="replace").rpartition("\n")[2]


@pytest.mark.parametrize("last", FORM_COLUMNS)
def test_a_form_file_cut_off_after_any_byte_has_no_half_answer_whatever_its_last_column(
    tmp_path, last
):
    rows = listed([writing_task("a"), writing_task("b")])
    given = answered(rows, lambda row, field: ODD_ANSWER, "p12", shown="672x672 @1")
    columns = [*(name for name in FORM_COLUMNS if name != last), last]
    path = tmp_path / "answers.csv"
    for end in ends(path, columns, given):
        joined = join(rows, read_returned(path))
        assert {one.value for one in joined.given} == {ODD_ANSWER}, end
        assert {one.row.annotator_id for one in joined.given} == {"p12"}, end
        assert len(joined.given) >= len(given) - 1, end


@pytest.mark.parametrize("last", RESPONSE_COLUMNS)
def test_so_have_raw_responses(tmp_path, last):
    columns = [*(name for name in RESPONSE_COLUMNS if name != last), last]
    image, question = "i45", 'q"x'
    rows = [
        dict(zip(RESPONSE_COLUMNS, (person, image, question, "45"), strict=True))
        for person in ("12", "13")
    ]
    items = {image: {question: ["4", "45"]}, "i4": {"q": ["4", "45"]}}
    for end in ends(tmp_path / "a.csv", columns, rows):
        found = count_answers(read_responses(tmp_path / "a.csv"), items)
        assert found.votes == {(image, question): {"12": "45"}}, end


@pytest.mark.parametrize("last", REVIEW_COLUMNS)
def test_so_have_reviews(tmp_path, last):
    columns = [*(name for name in REVIEW_COLUMNS if name != last), last]
    rows = [
        dict(zip(REVIEW_COLUMNS, ("m12", f"i{number}", "abc", said, 'Ann "A"'), strict=True))
        for number, said in ((45, "true"), (46, "false"))
    ]
    for end in ends(tmp_path / "a.csv", columns, rows):
        whole = [one for one in read_reviews([tmp_path / "a.csv"]) if one.is_whole]
        assert [one.item_id for one in whole] == ["i45"], end


def test_a_row_without_all_its_cells_at_the_end_is_no_answer(tmp_path):
    rows = listed([choice_task("a"), choice_task("b")])
    whole = as_csv(answered(rows, lambda row, field: "1"))
    path = tmp_path / "answers.csv"
    for end in (",1", ",", ',"2', ',"'):
        path.write_text(whole[: whole.rindex(",1,")] + end, newline="")
        joined = join(rows, read_returned(path))
        assert len(joined.given) == 1
        assert [row["kind"] for row in joined.report] == ["cut_off_answer"]
    # The answer before half of the last cell is whole.
    whole = as_csv(answered(rows, lambda row, field: "1", shown="672x672 @1"))
    path.write_text(whole[: whole.rindex("x672")], newline="")
    assert all(one.answered_at for one in answers(join(rows, read_returned(path)).given))
    assert len(join(rows, read_returned(path)).given) == 2


def test_half_a_row_of_raw_responses_and_of_reviews_is_none_and_is_reported(tmp_path):
    path = tmp_path / "responses.csv"
    path.write_text(f"{','.join(RESPONSE_COLUMNS)}\np,i,q,a\np2,i,q")
    found = count_answers(read_responses(path), {"i": {"q": ["a", "b"]}})
    assert found.votes == {("i", "q"): {"p": "a"}}
    assert [row["kind"] for row in found.ignored] == ["cut_off_response"]
    path.write_text(f"{','.join(REVIEW_COLUMNS)}\nm,i,a,1,ada\nm,i,b,1")
    first, second = read_reviews([path])
    assert (first.correct, second.correct, second.is_whole) == (True, None, False)
    _, ignored = decisions([], [second], 0.0)
    assert ignored[0]["reason"] == "the file ends inside this row"


@pytest.mark.parametrize("column", ["form_id", "task_id", "field_id", "page_checksum"])
def test_a_forged_form_file_is_one_sentence_or_counts_nothing(column, tmp_path):
    rows = listed([choice_task("a")])
    forged = [{**row, column: "x\x1b[2J"} for row in answered(rows, lambda row, field: "1")]
    path = tmp_path / "answers.csv"
    path.write_text(as_csv(forged))
    try:
        joined = join(rows, read_returned(path))
    except AfterimageError as error:
        assert "not of this study's pages" in str(error) and "\x1b" not in str(error)
    else:
        # Which page it was is told by the tasks themselves.
        assert column == "page_checksum" and len(joined.given) == 1


@pytest.mark.parametrize(
    "moment",
    [
        "2026-02-30T10:00:00Z",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "31/31/2026 10:00",
        "9" * 5000,
    ],
)
def test_an_answer_at_an_impossible_date_counts_and_is_reported(moment, tmp_path):
    rows = listed([choice_task("a")])
    path = tmp_path / "answers.csv"
    path.write_text(as_csv(answered(rows, lambda row, field: "1", answered_at=moment)))
    joined = join(rows, read_returned(path))
    (answer,) = answers(joined.given)
    (reported,) = joined.report
    assert answer.answered_at == ""
    assert reported["kind"] == "impossible_time" and reported["count"] == 1
    assert "is no time" in reported["detail"] and len(reported["detail"]) < 150


@pytest.mark.parametrize("moment", ["2026-02-30", "0001-01-01T00:00:00", "9999-12-31T23:59:59"])
def test_a_journal_s_line_of_an_impossible_date_is_damaged(moment):
    reply = Reply(0, "Left.")
    assert parse(answer_line("k", "r", "2026-02-28T10:00:00+00:00", reply))["text"] == "Left."
    with pytest.raises(DamagedLineError, match="'answered_at' is no date"):
        parse(answer_line("k", "r", moment, reply))


def archive(samples):
    """Return a log of inspect_ai as it is archived."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps({"version": 2}))
        for number, sample in enumerate(samples):
            file.writestr(f"samples/{number}.json", json.dumps(sample))
    return packed.getvalue()


SAMPLE = {"id": 1, "epoch": 1, "input": "q", "output": {"choices": [{"message": {"content": "a"}}]}}
LINE = {"item_id": "a", "answer": "x", "resps": [["a"]], "tokens": 1, "right": True}
_COLUMNS = {"text": "answer", "prompt_tokens": "tokens", "correct": "right"}
_COLUMNS |= dict.fromkeys(
    ("repeat", "prompt", "finish_reason", "completion_tokens", "latency_seconds")
)
_ODD = ["x", 1, None, [], {}, True, -1, float("inf"), [[]], [None], 10**30]


def odd_records(record, count=300):
    """Yield a record as JSON with one value, however deep, exchanged for one of another kind."""
    chance = random.Random(2)
    for _ in range(count):
        changed = json.loads(json.dumps(record))
        holder, key = changed, chance.choice(list(changed))
        while isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.8:
            holder = holder[key]
            key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        holder[key] = chance.choice(_ODD)
        yield changed


def test_recorded_answers_that_are_none_are_one_sentence(tmp_path):
    path = tmp_path / "answers"
    inspect_ai = partial(read_inspect_ai, template="{id}")
    read = {
        "log": lambda path: list(inspect_ai(path)),
        "lmms": lambda path: list(read_lmms_eval(path, "{item_id}")),
        "table": lambda path: list(read_table(path, "jsonl", "{item_id}", _COLUMNS)),
        "parquet": lambda path: list(recorded_rows.read_parquet(path)),
    }
    require_one_sentence(read["log"], path, garbled(archive([SAMPLE]), 200, seed=3))
    logs = odd_records({"version": 2, "samples": [SAMPLE]})
    require_one_sentence(read["log"], path, (json.dumps(log).encode() for log in logs))
    require_one_sentence(read["log"], path, (json.dumps(odd).encode() for odd in _ODD))
    for kind in ("lmms", "table"):
        lines = (json.dumps(record).encode() for record in odd_records(LINE))
        require_one_sentence(read[kind], path, lines)
    pq.write_table(pa.table({"item_id": ["a"], "answer": ["x"]}), path)
    require_one_sentence(read["parquet"], path, garbled(path.read_bytes(), 200, seed=4))


def test_a_log_that_unpacks_to_more_than_it_says_is_one_sentence(tmp_path):
    path = tmp_path / "log.eval"
    packed = archive([SAMPLE])
    size = len(json.dumps(SAMPLE)).to_bytes(4, "little")
    assert packed.count(size) >= 2
    # In the local header and in the directory.
    path.write_bytes(packed.replace(size, (1 << 31).to_bytes(4, "little")))
    with pytest.raises(AfterimageError, match="not a log of inspect_ai"):
        list(read_inspect_ai(path, "{id}"))


@pytest.mark.parametrize(
    "read", [read_json, read_objects, lambda path, _: tables_from(path, {}, 0.0)]
)
def test_deep_json_of_a_dataset_is_one_sentence(read, tmp_path):
    path = tmp_path / "deep.json"
    path.write_bytes(DEEP)
    with pytest.raises(AfterimageError, match=r"deep\.json: not"):
        read(path, "questions")


def test_pickled_weights_are_refused_before_they_are_read(tmp_path, monkeypatch):
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04cos\nsystem\n(S'touch pwned'\ntR.")
    monkeypatch.setattr(weights, "content_sha256", lambda _: pytest.fail("read"))
    entry = model_of("m", {"backend": "transformers", "model_id": str(folder), "settings": {}})
    assert load_backend("transformers").weights_in_folder
    with pytest.raises(AfterimageError, match=r"pickled \(pytorch_model\.bin\).*safetensors"):
        known_content(entry, tmp_path / "journal")


def test_pickled_weights_are_never_fetched():
    there = ["config.json", "pytorch_model.bin", "model.pt", "model.safetensors"]
    files = [RepositoryFile(name, 1, None, name) for name in there]
    assert [file.path for file in chosen_files(files)] == ["config.json", "model.safetensors"]
    assert [file.path for file in chosen_files(files[:3])] == ["config.json"]
