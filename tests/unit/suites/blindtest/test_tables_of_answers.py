"""What was answered: to each true count, and in the place of each letter; counted by hand."""

import pandas as pd
import pytest
from blindtest_samples import graded
from table_forms import csv_text, layout_of, markdown_text

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.blindtest import tables_factors
from afterimage.suites.blindtest.tables import BLINDTEST_WRONG_LETTERS, distances
from afterimage.suites.blindtest.tables_factors import UNPARSED


def grades(task, subtask, key, answers, **common):
    return [
        graded(task, subtask, key, answer, number, **common)
        for number, answer in enumerate(answers)
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


# ---- Wrong letters by their distance from the oval ----


SETTINGS = {"confidence": 0.95}


def letters(*given, model="m"):
    """Graded answers from ``(word, place, answer)``; None could not be read."""
    return pd.DataFrame(
        [
            graded(
                *("circled_letter", word, word[index].lower(), answer, number, model),
                outcome="contained" if answer else "unparsed",
                stimulus_id=f"{word}/{index}",
                base_figure=f"{word}/{index}",
                word=word,
                letter_index=str(index),
            )
            for number, (word, index, answer) in enumerate(given)
        ]
    )


def counted(frame, word, model="m"):
    rows = frame[(frame["word"] == word) & (frame["model"] == model)]
    return dict(zip(rows["distance"], rows["n"], strict=True))


def test_a_letter_that_stands_twice_is_as_near_as_its_nearest_place():
    # Acknowledgement: e at 7, 10 and 12, d at 8, g at 9, m at 11.
    found = distances("Acknowledgement", 9)
    assert {letter: found[letter] for letter in "edma"} == {
        "e": "1",
        "d": "1",
        "m": "2",
        "a": "4 or more",
    }
    assert "g" not in found


def test_wrong_letters_are_counted_by_distance_and_right_and_unread_ones_are_not():
    frame = frame_of(
        BLINDTEST_WRONG_LETTERS,
        letters(
            ("Subdermatoglyphic", 3, "e"),
            ("Subdermatoglyphic", 3, "b"),
            ("Subdermatoglyphic", 3, "s"),
            ("Subdermatoglyphic", 3, "c"),
            ("Subdermatoglyphic", 3, "@"),
            ("Subdermatoglyphic", 3, "d"),
            ("Subdermatoglyphic", 3, None),
            ("Acknowledgement", 9, "e"),
        ),
        SETTINGS,
    )
    expected = {"1": 2, "2": 0, "3": 1, "4 or more": 1, "not in the string": 1}
    assert counted(frame, "Subdermatoglyphic") == expected
    assert set(frame.loc[frame["word"] == "Subdermatoglyphic", "total"]) == {5}
    assert counted(frame, "all") == expected | {"1": 3}


def test_chance_is_any_other_letter_of_the_string():
    frame = frame_of(BLINDTEST_WRONG_LETTERS, letters(("Subdermatoglyphic", 0, "c")), SETTINGS)
    rows = frame[frame["word"] == "Subdermatoglyphic"]
    # Sixteen other letters, of which one each is 1, 2 and 3 places away from the first.
    assert list(rows["by_chance"]) == pytest.approx([6.25, 6.25, 6.25, 81.25, 0])


def test_who_gives_no_wrong_letter_has_no_row():
    frame = frame_of(BLINDTEST_WRONG_LETTERS, letters(("Subdermatoglyphic", 0, "s")), SETTINGS)
    assert frame.empty
    assert list(frame.columns) == list(BLINDTEST_WRONG_LETTERS.csv_names)


def test_a_study_without_letters_has_an_empty_table():
    squares = letters(("Acknowledgement", 9, "d")).assign(
        task="nested_squares", key="4", answer="3"
    )
    assert frame_of(
        BLINDTEST_WRONG_LETTERS, squares.drop(columns=["word", "letter_index"]), SETTINGS
    ).empty
