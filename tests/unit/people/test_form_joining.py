"""Rows that came back are joined with the tasks that they answer."""

from dataclasses import replace

import pytest
from form_samples import (
    answered,
    choice_task,
    fields_of,
    listed,
    png,
    rating_task,
    words_task,
    writing_task,
)

from afterimage.errors import AfterimageError
from afterimage.people.forms.joining import answers, join
from afterimage.people.forms.returned_files import ReturnedRow

TASKS = [choice_task("a"), choice_task("b")]


def returned(rows, file="p1.csv", first=2):
    """Make rows of a page's file into what reading it gives."""
    names = [name for name in ReturnedRow._fields if name not in ("file", "line")]
    return [
        ReturnedRow(file, line, **{name: row.get(name, "") for name in names})
        for line, row in enumerate(rows, first)
    ]


def option(wanted):
    """Answer with the option of this own id, as a page does."""

    def answer(row, field):
        return next(o["option_id"] for o in field["options"] if o["own_id"] == wanted)

    return answer


def values(joined):
    return {(a.annotator_id, a.task_id, a.field_id): a.value for a in answers(joined.given)}


def kinds(joined):
    return [(row["kind"], row["count"], row["lines"]) for row in joined.report]


@pytest.fixture(scope="module")
def rows():
    return listed(TASKS)


def test_ids_lead_back_to_the_suite_s_own_names(rows):
    joined = join(rows, returned(answered(rows, option("same"))))
    assert values(joined) == {("p1", "a", "larger"): "same", ("p1", "b", "larger"): "same"}
    assert joined.report == []
    answer = answers(joined.given)[0]
    assert answer.about == {"image_id": answer.task_id}
    assert answer.form == "verify"
    assert answer.answered_at == "2025-06-01T10:00:00Z"


@pytest.mark.parametrize(
    "typed",
    ["2", "２", "The right one.", "the  RIGHT one", "rightの方。", "2 = The right one."],
)
def test_what_is_typed_into_a_sheet_names_an_option_by_number_or_text(rows, typed):
    joined = join(rows, returned(answered(rows, lambda row, field: typed)))
    assert list(values(joined).values()) == ["right", "right"]


def test_zero_is_an_answer_and_blank_is_missing():
    rows = listed([rating_task("r")])
    (score,) = [f["field_id"] for f in fields_of(rows[0]) if f["own_id"] == "score"]
    given = answered(rows, lambda row, field: "0" if field["field_id"] == score else "")
    joined = join(rows, returned(given))
    assert values(joined) == {("p1", "r", "score"): "score_0"}
    assert kinds(joined) == [("blank_answer", 1, "line 3")]


def test_two_way_answers_may_be_typed_as_one_and_zero():
    rows = listed([words_task("w")])
    typed = iter("10101")
    joined = join(rows, returned(answered(rows, lambda row, field: next(typed))))
    assert sorted(values(joined).values()) == ["accepted"] * 3 + ["rejected"] * 2


def test_an_answer_that_names_no_option_is_listed_and_the_others_count(rows):
    typed = iter(["middle", "1"])
    joined = join(rows, returned(answered(rows, lambda row, field: next(typed))))
    assert len(values(joined)) == 1
    (row,) = joined.report
    assert (row["kind"], row["lines"]) == ("unreadable_answer", "line 2")
    assert "'middle' names none of its options" in row["detail"]


def test_what_is_written_is_kept_as_it_is():
    rows = listed([writing_task("w")])
    joined = join(rows, returned(answered(rows, lambda row, field: "  ふわ\nふわ ".strip())))
    assert set(values(joined).values()) == {"ふわ\nふわ"}


def test_of_two_answers_the_later_one_stands_whatever_the_order_of_the_files(rows):
    late = answered(rows, option("left"), answered_at="2025-06-02T10:00:00.000Z")
    early = answered(rows, option("right"), answered_at="2025-06-01T10:00:00.000Z")
    joined = join(rows, returned(late, "1.csv") + returned(early, "2.csv"))
    assert set(values(joined).values()) == {"left"}
    assert [row["file"] for row in joined.report] == ["2.csv", "2.csv"]
    assert "'right', later 'left', which stands" in joined.report[0]["detail"]


def test_times_that_a_spreadsheet_rewrote_still_tell_which_is_later(rows):
    late = answered(rows, option("left"), answered_at="2025/6/2 10:00")
    early = answered(rows, option("right"), answered_at="2025-06-01T10:00:00.000Z")
    joined = join(rows, returned(late, "1.csv") + returned(early, "2.csv"))
    assert set(values(joined).values()) == {"left"}


def test_without_times_the_later_line_stands(rows):
    first = answered(rows, option("left"), answered_at="")
    second = answered(rows, option("right"), answered_at="2025-06-01T10:00:00.000Z")
    joined = join(rows, returned(first) + returned(second, first=9))
    assert set(values(joined).values()) == {"right"}


def test_the_same_file_twice_counts_once_and_is_reported(rows):
    given = answered(rows, option("left"))
    joined = join(rows, returned(given, "a.csv") + returned(given, "a (1).csv"))
    assert len(values(joined)) == 2
    assert {row["kind"] for row in joined.report} == {"duplicate_answer"}
    assert all("given again, the same" in row["detail"] for row in joined.report)


def test_a_blank_takes_no_answer_back_and_a_page_saved_half_done_leaves_nothing_out(rows):
    done = answered(rows, option("left"))
    half = answered(rows, lambda row, field: "", answered_at="")
    joined = join(rows, returned(done, "1.csv") + returned(half, "2.csv"))
    assert len(values(joined)) == 2
    assert joined.report == []


def test_two_people_are_two_people(rows):
    given = [answered(rows, option("left"), annotator=name) for name in ("p1", "p2")]
    joined = join(rows, returned(given[0], "1.csv") + returned(given[1], "2.csv"))
    assert len(values(joined)) == 4
    assert joined.report == []


def test_an_answer_to_what_has_changed_since_is_listed_and_not_applied(rows):
    given = returned(answered(rows, option("left")))
    now = listed([replace(TASKS[0], images=(png(1),)), TASKS[1]])
    joined = join(now, given)
    assert values(joined) == {("p1", "b", "larger"): "left"}
    (row,) = joined.report
    assert (row["kind"], row["count"]) == ("stale_answer", 1)
    assert row["detail"] == "a: what was shown has changed since"


def test_answers_on_an_older_page_count_where_their_task_is_the_same(rows):
    given = returned(answered(rows, option("left")))
    joined = join(listed([*TASKS, choice_task("c")]), given)
    assert len(values(joined)) == 2
    assert joined.report == []


def test_an_answer_to_a_task_that_is_no_longer_put_is_stale(rows):
    given = returned(answered(rows, option("left")))
    joined = join(listed([TASKS[0]]), given)
    assert values(joined) == {("p1", "a", "larger"): "left"}
    gone = next(row["task_id"] for row in rows if row["own_id"] == "b")
    (line,) = [row.line for row in given if row.task_id == gone]
    assert kinds(joined) == [("stale_answer", 1, f"line {line}")]


def test_a_new_language_makes_no_answer_stale(rows):
    given = returned(answered(rows, option("left")))
    translated = replace(
        TASKS[0],
        fields=(replace(TASKS[0].fields[0], text={**TASKS[0].fields[0].text, "ja": "別の文。"}),),
    )
    assert len(values(join(listed([translated, TASKS[1]]), given))) == 2


def spoilt(rows, **cells):
    given = returned(answered(rows, option("left")))
    return [given[0], given[1]._replace(**cells)]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"form_id": "zzz"}, "p1.csv: unknown form 'zzz' in line 3"),
        ({"task_id": "zzz"}, "p1.csv: unknown task 'zzz' in line 3"),
        ({"field_id": "zzz"}, "p1.csv: unknown field 'zzz' in line 3"),
        ({"task_id": "zzz", "page_checksum": ""}, "p1.csv: unknown task 'zzz' in line 3"),
    ],
)
def test_what_the_page_never_had_is_an_error_with_file_and_line(rows, cells, sentence):
    with pytest.raises(AfterimageError) as caught:
        join(rows, spoilt(rows, **cells))
    assert sentence in str(caught.value)


def test_a_page_made_with_another_salt_is_not_this_study_s(rows):
    other = listed(TASKS, salt="6b" * 32)
    with pytest.raises(AfterimageError, match="unknown form"):
        join(rows, returned(answered(other, option("left"))))


def test_attention_checks_are_no_answers():
    rows = listed(TASKS, attention=0.05)
    joined = join(rows, returned(answered(rows, option("left"))))
    assert len(joined.given) == 3
    assert {task for _, task, _ in values(joined)} == {"a", "b"}


def test_answers_come_by_annotator_and_then_in_the_order_of_the_form():
    rows = listed([choice_task(f"t{number}") for number in range(8)])
    given = [answered(rows, option("left"), annotator=name) for name in ("p2", "p1")]
    joined = join(rows, returned(given[0][::-1], "1.csv") + returned(given[1], "2.csv"))
    found = [(answer.annotator_id, answer.task_id) for answer in answers(joined.given)]
    assert found == [(name, row["own_id"]) for name in ("p1", "p2") for row in rows]
