"""Times in people's files: read as spreadsheets write them, said to be ambiguous, never replaced by a file's name.

Public report: pandas-dev/pandas issue 26304, days and months exchanged within one column.
"""

from datetime import UTC, datetime

import pytest
from form_samples import answered, as_csv, choice_task, listed

from afterimage.files.written_values import read_times
from afterimage.people.forms.joining import answers, join
from afterimage.people.forms.returned_files import read_returned

MOMENT = datetime(2026, 11, 25, 15, 4, tzinfo=UTC)
DAY = datetime(2026, 11, 25, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-25T15:04:00Z",
        "2026-11-25T15:04:00.000Z",
        "2026-11-26T00:04:00+09:00",
        "2026-11-25 15:04",
        "2026-11-25 15:04:00 UTC",
        "2026/11/25 15:04",
        "2026.11.25 15:04:00",
        "20261125T150400Z",
        "11/25/2026 3:04 PM",
        "11/25/2026 15:04",
        "11/25/2026, 3:04:00 PM",
        "11/25/2026 3:04 p.m.",
        "11/25/26 15:04",
        "25/11/2026 15:04",
        "25.11.2026 15:04",
        "25-11-2026 15:04:00",
        "25 Nov 2026 15:04",
        "Nov 25, 2026 3:04 PM",
        "November 25th, 2026 at 3:04 pm",
        "Wed, 25 Nov 2026 15:04:00 GMT",
        "Wed Nov 25 2026 16:04:00 GMT+0100 (Central European Standard Time)",
        "2026年11月25日 15時04分",
        "2026年11月25日 午後3時04分",
        "2026年11月25日 下午3:04",
        "２０２６／１１／２５　１５：０４",
        "2026. 11. 25. 오후 3:04",
        "2026년 11월 25일 오후 3시 4분",
        "1795619040",
        "1795619040000",
        "46351.6277777778",
        "46351,6277777778",
    ],
)
def test_every_way_to_write_one_moment(text):
    assert read_times([text])[0].moment == MOMENT


@pytest.mark.parametrize(
    "text",
    ["2026-11-25", "20261125", "2026/11/25", "25.11.2026", "11/25/2026", "2026年11月25日", "46351"],
)
def test_a_day_alone_is_its_beginning(text):
    assert read_times([text])[0].moment == DAY


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        *(("11/25/2026 12:04 AM", 0), ("11/25/2026 12:04 PM", 12), ("11/25/2026 1:04 am", 1)),
        *(("2026年11月25日 午前0時04分", 0), ("2026/11/25 오전 12:04", 0)),
    ],
)
def test_noon_and_midnight(text, hour):
    assert read_times([text])[0].moment == MOMENT.replace(hour=hour)


@pytest.mark.parametrize(
    "text",
    [
        *("", "15:04", "yesterday", "2026-02-30", "31/31/2026 10:00", "2026-11", "7", "123456"),
        *("11/25/2026 13:04 PM 5", "11/25/2026 0:04 PM", "11/25/2026 25:00", "9" * 5000, "nan"),
        *("0001-01-01T00:00:00+23:59", "25/25/25", "11/25/2026 15:04 somewhere", "1e9"),
    ],
)
def test_what_is_no_time_is_none(text):
    found = read_times([text])[0]
    assert found.moment is None and not found.either


def days(*texts):
    return [one.moment and (one.moment.day, one.moment.month) for one in read_times(texts)]


def test_one_date_tells_the_order_of_the_whole_column():
    assert days("05/06/2026 3:04 PM") == [None]
    assert days("05/06/2026", "25/11/2026") == [(5, 6), (25, 11)]
    assert days("05/06/2026", "11/25/2026", "") == [(6, 5), (25, 11), None]
    assert days("05-06-2026", "25-11-2026") == [(5, 6), (25, 11)]
    assert days("05/06/2026", "2026-05-06") == [None, (6, 5)]
    assert days("05/05/2026") == [(5, 5)]
    assert days("05.06.2026") == [(5, 6)]
    assert days("05/06/26", "11/25/26") == [(6, 5), (25, 11)]


def test_dates_that_contradict_each_other_tell_no_order():
    assert days("05/06/2026", "25/11/2026", "11/25/2026") == [None, (25, 11), (25, 11)]


@pytest.fixture(scope="module")
def tasks():
    return listed([choice_task("a")])


@pytest.fixture
def joined(tmp_path, tasks):
    """Join files, each a list of (code of the answer, time)."""

    def joined(*files):
        read = []
        for number, given in enumerate(files):
            rows = [
                row
                for code, time in given
                for row in answered(tasks, lambda row, field, code=code: code, answered_at=time)
            ]
            path = tmp_path / f"{number}.csv"
            path.write_text(as_csv(rows), newline="")
            read += read_returned(path)
        return join(tasks, read)

    return joined


def codes(found):
    return [entry.row.answer for entry in found.given]


LATE = ["11/25/2026 3:04 PM", "25.11.2026 15:04", "1795619040", "46351.63", "2026年11月25日"]


@pytest.mark.parametrize("late", LATE)
def test_the_later_answer_stands_whatever_the_names_of_the_files(joined, late):
    early = "2026-11-24T09:00:00Z"
    assert codes(joined([("2", late)], [("1", early)])) == ["2"]
    found = joined([("1", early)], [("2", late)])
    assert codes(found) == ["2"]
    assert [row["kind"] for row in found.report] == ["duplicate_answer"]
    assert answers(found.given)[0].answered_at.startswith("2026-11-25T")


@pytest.mark.parametrize("unknown", ["05/06/2026 3:04 PM", "some day", ""])
def test_where_no_time_tells_the_order_neither_answer_counts(joined, unknown):
    found = joined([("1", "2026-05-20T09:00:00Z")], [("2", unknown)])
    assert not found.given
    contrary = [row for row in found.report if row["kind"] == "contradictory_answer"]
    assert len(contrary) == 2
    assert "0.csv, line 2, and no time tells which is later" in contrary[1]["detail"]


def test_the_same_answer_needs_no_time(joined):
    assert codes(joined([("1", "some day")], [("1", "05/06/2026")])) == ["1"]


def test_in_one_file_without_times_the_lower_line_stands(joined):
    assert codes(joined([("1", ""), ("2", "")])) == ["2"]
    assert codes(joined([("1", ""), ("2", "05/06/2026")])) == []


def test_an_ambiguous_time_is_said_and_the_answer_counts(joined):
    found = joined([("1", "05/06/2026 3:04 PM")])
    assert codes(found) == ["1"]
    (reported,) = found.report
    assert reported["kind"] == "ambiguous_time"
    assert "'05/06/2026 3:04 PM' is 5 June 2026 or 6 May 2026" in reported["detail"]
    assert answers(found.given)[0].answered_at == ""


def test_two_answers_at_one_moment_in_two_files_are_not_in_order(joined):
    at = "2026-05-20T09:00:00Z"
    assert codes(joined([("1", at)], [("2", at)])) == []


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        *(("2026/11/25 3:04 PM GMT+9", 6), ("2026/11/25 3:04 PM GMT-5", 20)),
        *(("25/11/2026 15h04", 15), ("25.11.2026, 15:04 Uhr", 15), ("2026/11/25(水) 15:04", 15)),
        *(("2026-11-25 15:04:00 +0000 UTC", 15), ("2026年11月25日(水) 午後3:04", 15)),
    ],
)
def test_what_forms_and_machines_of_other_countries_write(text, hour):
    assert read_times([text])[0].moment == MOMENT.replace(hour=hour)


@pytest.mark.parametrize(
    "text", ["25/11/2569 15:04", "1405/09/04", "0026-11-25", "25 marraskuuta 2026", "0126/11/25"]
)
def test_years_of_other_calendars_and_months_that_only_begin_alike_are_none(text):
    assert read_times([text])[0].moment is None
