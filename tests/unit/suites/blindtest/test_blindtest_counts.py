import pandas as pd
import pytest
from table_forms import csv_text, layout_of, markdown_text

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.blindtest import tables_factors
from afterimage.suites.blindtest.tables_factors import UNPARSED


def grade(task, subtask, key, answer, number, model="m", outcome="exact", prompt="p"):
    return {
        "item_id": f"{task}/{subtask}/{number}/{prompt}",
        "stimulus_id": f"{task}_{subtask}_{number}",
        "model": model,
        "prompt": prompt,
        "key": key,
        "answer": answer,
        "outcome": outcome,
        "correct": answer == key,
        "task": task,
        "subtask": subtask,
        "release": "v1",
        "base_figure": str(number),
    }


def grades(task, subtask, key, answers, **common):
    return [
        grade(task, subtask, key, answer, number, **common) for number, answer in enumerate(answers)
    ]


def counts(rows):
    return frame_of(tables_factors.BLINDTEST_COUNTS, pd.DataFrame(rows), {})


def said(frame, **where):
    for name, value in where.items():
        frame = frame[frame[name] == value]
    return dict(zip(frame["answer"], frame["n"], strict=True))


def test_answers_are_counted_by_true_count_and_shares_are_of_that_true_count():
    rows = [
        *grades("nested_squares", "depth_2", "2", ["2", "2", "2", "3"]),
        *grades("nested_squares", "depth_3", "3", ["2", "3"]),
    ]
    frame = counts(rows)
    assert said(frame, truth="2") == {"2": 3, "3": 1}
    assert said(frame, truth="3") == {"2": 1, "3": 1}
    assert list(frame["total"]) == [4, 4, 2, 2]
    assert list(frame["share"]) == [75.0, 25.0, 50.0, 50.0]


def test_an_unparsed_reply_is_an_answer_of_its_own_and_counts_in_the_total():
    rows = [
        *grades("subway", "paths_1", "1", ["1"]),
        *grades("subway", "paths_1", "1", [None, None], outcome="unparsed", prompt="q"),
    ]
    frame = counts(rows)
    assert said(frame) == {"1": 1, UNPARSED: 2}
    assert set(frame["total"]) == {3}


def test_answers_of_which_only_the_verdict_was_recorded_are_left_out():
    rows = [
        *grades("subway", "paths_1", "1", ["1"]),
        *grades("subway", "paths_1", "1", [None], outcome="recorded", prompt="q"),
    ]
    frame = counts(rows)
    assert said(frame) == {"1": 1}
    assert list(frame["total"]) == [1]


def test_circles_and_pentagons_are_told_apart_and_line_widths_are_not():
    rows = [
        *grades("olympic_shapes", "circles", "5", ["5"]),
        *grades("olympic_shapes", "pentagons", "5", ["6"]),
        *grades("line_intersection", "thickness_2", "1", ["1"]),
        *grades("line_intersection", "thickness_4", "1", ["2"]),
    ]
    frame = counts(rows)
    assert said(frame, subtask="circles") == {"5": 1}
    assert said(frame, subtask="pentagons") == {"6": 1}
    assert said(frame, task="line_intersection", subtask="all") == {"1": 1, "2": 1}


def test_answers_stand_in_the_order_of_numbers_and_unparsed_is_last():
    rows = [
        *grades("olympic_shapes", "circles", "9", ["10", "9", "100", "5"]),
        *grades("olympic_shapes", "circles", "9", [None], outcome="unparsed", prompt="q"),
    ]
    assert list(counts(rows)["answer"]) == ["5", "9", "10", "100", UNPARSED]


def test_models_keep_their_order_and_every_model_its_own_answers():
    rows = [
        *grades("subway", "paths_1", "1", ["1"], model="zebra"),
        *grades("subway", "paths_1", "1", ["3"], model="ape"),
    ]
    frame = counts(rows)
    assert list(frame["model"]) == ["zebra", "ape"]
    assert said(frame, model="ape") == {"3": 1}


def test_tasks_whose_answer_is_no_count_have_no_rows():
    rows = [
        *grades("two_circles", "touching", "Yes", ["Yes"]),
        *grades("grid", "blank", "3x3", ["3x3"]),
    ]
    frame = counts(rows)
    assert frame.empty
    assert "truth" in frame


def test_releases_are_never_mixed():
    rows = grades("line_intersection", "thickness_2", "1", ["1", "2"])
    rows[1]["release"] = "final"
    with pytest.raises(AfterimageError, match="releases final, v1"):
        counts(rows)


def test_readers_see_the_count_and_the_total_of_each_share():
    rows = grades("nested_squares", "depth_2", "2", ["2", "3", "3", "3"])
    frame, layout = counts(rows), layout_of(tables_factors.BLINDTEST_COUNTS, pd.DataFrame(rows), {})
    assert "75.0 (3/4)" in markdown_text(frame, layout)
    assert csv_text(frame, layout).splitlines()[2] == "nested_squares,all,m,2,3,3,4,75.0000"
