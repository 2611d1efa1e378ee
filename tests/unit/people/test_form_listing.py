"""The list of a form's tasks: ids, checksums, attention checks, order."""

import zlib
from dataclasses import replace

import pytest
from form_samples import (
    choice_task,
    fields_of,
    listed,
    png,
    rating_task,
    words_task,
    writing_task,
)

from afterimage.contract.task import Choice, Option, literal
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records, write_records
from afterimage.files.stimulus import FORM_TASK


def ids(rows):
    return [row["own_id"] for row in rows]


def test_rows_follow_the_schema(tmp_path):
    rows = listed([choice_task("a"), words_task("b"), writing_task("c"), rating_task("d")])
    write_records(tmp_path / "tasks.parquet", rows, FORM_TASK)
    assert list(read_records(tmp_path / "tasks.parquet", FORM_TASK)) == rows


def test_no_task_no_page():
    assert listed([]) == []


def test_all_opaque_ids_differ_although_options_and_fields_are_called_the_same():
    rows = listed([choice_task(f"task{number}") for number in range(20)])
    found = [row["task_id"] for row in rows]
    for row in rows:
        for field in fields_of(row):
            found += [field["field_id"], *(option["option_id"] for option in field["options"])]
    assert len(set(found)) == len(found) == 20 * (1 + 1 + 3)


def test_ids_stay_when_other_tasks_come_and_go():
    before = {row["own_id"]: row for row in listed([choice_task("a"), choice_task("b")])}
    after = {row["own_id"]: row for row in listed([choice_task("b"), choice_task("c")])}
    assert before["b"]["task_id"] == after["b"]["task_id"]
    assert before["b"]["task_checksums"] == after["b"]["task_checksums"]
    assert before["b"]["page_checksum"] != after["b"]["page_checksum"]
    assert before["b"]["form_id"] == after["b"]["form_id"]


def test_ids_under_another_salt_have_nothing_in_common():
    one, other = listed([choice_task("a")]), listed([choice_task("a")], salt="6b" * 32)
    assert one[0]["task_id"] != other[0]["task_id"]
    assert one[0]["form_id"] != other[0]["form_id"]


def checksums(task):
    return listed([task])[0]["task_checksums"]


def test_a_change_of_what_is_shown_changes_the_checksum_in_the_languages_that_show_it():
    task = choice_task("a")
    base = checksums(task)
    question = task.fields[0]
    assert checksums(replace(task, images=(png(129),)))["en"] != base["en"]
    reworded = replace(question, text={**question.text, "ja": "どちらが大きく見えますか。"})
    changed = checksums(replace(task, fields=(reworded,)))
    assert changed["en"] == base["en"]
    assert changed["ja"] != base["ja"]
    options = (replace(question.options[0], text=literal("Other.")), *question.options[1:])
    changed = checksums(replace(task, fields=(replace(question, options=options),)))
    assert changed["en"] != base["en"]
    assert checksums(replace(task, heading=literal("New")))["en"] != base["en"]


def test_what_is_not_shown_leaves_the_checksum_alone():
    task = choice_task("a")
    assert checksums(replace(task, about={"x": "y"}, group="g", id="b")) == checksums(task)


def test_checks_are_spread_over_the_pages_and_never_come_first():
    rows = listed([choice_task(f"t{number}") for number in range(70)], attention=0.05)
    checks = [row for row in rows if row["attention"]]
    assert [row["page"] for row in checks] == ["01", "02", "03"]
    assert all(row["order"] > 1 for row in checks)
    assert [row["order"] for row in rows if row["page"] == "02"] == list(range(1, 25))


def test_where_tasks_name_their_page_a_check_is_made_of_one_of_its_own_page():
    shades = {"dark": 40, "middle": 128, "light": 220}
    tasks = [
        choice_task(f"{page}{number}", shade, page=page)
        for page, shade in shades.items()
        for number in range(8)
    ]
    rows = listed(tasks, attention=0.2)
    shown = {row["page"]: row["images"] for row in rows if not row["attention"]}
    checks = [row for row in rows if row["attention"]]
    assert {row["page"] for row in checks} == {"01", "02", "03"}
    assert [row["images"] for row in checks] == [shown[row["page"]] for row in checks]


def test_an_instructed_check_names_the_option_that_it_expects():
    rows = listed([choice_task("a"), choice_task("b")], attention=0.05)
    (check,) = [row for row in rows if row["attention"]]
    (field,) = fields_of(check)
    expected = next(o for o in field["options"] if o["own_id"] == field["expected"])
    assert expected["text"]["en"] in field["text"]["en"]
    assert expected["text"]["ja"] in field["text"]["ja"]
    assert check["about"] == {}


def test_an_instructed_check_of_a_task_with_many_fields_asks_one_question():
    rows = listed([words_task("a")], attention=0.05)
    (check,) = [row for row in rows if row["attention"]]
    (field,) = fields_of(check)
    assert field["layout"] == "list"
    assert field["expected"] in ("accepted", "rejected")


def test_there_is_no_instructed_check_where_nothing_can_be_chosen():
    rows = listed([writing_task("a")], attention=0.5)
    assert ids(rows) == ["a"]


def test_a_form_may_make_its_own_checks():
    def attention(tasks, number, texts):
        for count in range(number):
            yield replace(tasks[0], id=f"obvious/{count}", expected={"larger": "same"})

    rows = listed([choice_task("a")], module_other={"attention": attention}, attention=0.05)
    (check,) = [row for row in rows if row["attention"]]
    assert check["own_id"] == "obvious/0"
    assert fields_of(check)[0]["expected"] == "same"


def test_fields_are_shuffled_by_the_salt_where_the_task_says_so():
    orders = {
        tuple(field["own_id"] for field in fields_of(listed([words_task("a")], salt=f"{salt}")[0]))
        for salt in range(20)
    }
    assert len(orders) > 10


def test_options_are_shuffled_only_where_the_field_says_so():
    task = choice_task("a")
    shuffled = replace(task, fields=(replace(task.fields[0], shuffle=True),))

    def orders(one):
        return {
            tuple(o["own_id"] for o in fields_of(listed([one], salt=f"{salt}")[0])[0]["options"])
            for salt in range(30)
        }

    assert orders(task) == {("left", "right", "same")}
    assert len(orders(shuffled)) == 6


def test_codes_number_the_options_in_the_order_shown_unless_they_have_their_own():
    (row,) = listed([choice_task("a")])
    assert [option["code"] for option in fields_of(row)[0]["options"]] == ["1", "2", "3"]
    (row,) = listed([rating_task("a")])
    score = next(field for field in fields_of(row) if field["own_id"] == "score")
    assert [option["code"] for option in score["options"]] == ["0", "1", "2"]


ONE_OPTION = Choice("x", {"en": "?"}, (Option("a", {"en": "A"}),))
TWO = (Option("a", {"en": "A"}), Option("b", {"en": "B"}))


@pytest.mark.parametrize(
    ("tasks", "sentence"),
    [
        ([choice_task("a"), choice_task("a")], "task 'a': occurs twice"),
        ([replace(choice_task("a"), fields=())], "task 'a': has no field"),
        ([replace(choice_task("a"), fields=(ONE_OPTION,))], "field 'x': has 1 options"),
        (
            [replace(choice_task("a"), fields=choice_task("a").fields * 2)],
            "has fields with the same name",
        ),
        (
            [replace(choice_task("a"), fields=(Choice("x", {"en": "?"}, TWO + TWO),))],
            "has options with the same name",
        ),
        (
            [
                replace(
                    choice_task("a"),
                    fields=(Choice("x", {"en": "?"}, (TWO[0], replace(TWO[1], code="1"))),),
                )
            ],
            "1 of 2 options have a code",
        ),
        ([choice_task("a", expected={"larger": "middle"})], "expected option is 'middle'"),
        ([replace(choice_task("a"), images=(b"GIF89a",))], "not a PNG"),
    ],
)
def test_a_task_that_cannot_be_shown_is_named(tasks, sentence):
    with pytest.raises(AfterimageError) as caught:
        listed(tasks)
    assert sentence in str(caught.value)
    assert "form surfaces/verify" in str(caught.value)


def test_a_picture_with_metadata_is_refused():
    data = png(10)
    chunk = b"tEXtSource\0fick_A_fake"
    text = (len(chunk) - 4).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    with pytest.raises(AfterimageError, match="metadata"):
        listed([replace(choice_task("a"), images=(data[:33] + text + data[33:],))])
