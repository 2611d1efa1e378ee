"""Where wrong letters stand, counted by hand."""

import pandas as pd
import pytest

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.blindtest.tables import BLINDTEST_WRONG_LETTERS, distances

SETTINGS = {"confidence": 0.95}


def answers(*given, model="m"):
    """Graded answers from ``(word, place, answer)``; None could not be read."""
    return pd.DataFrame(
        [
            {
                "item_id": f"{model}/{number}",
                "stimulus_id": f"{word}/{place}",
                "model": model,
                "task": "circled_letter",
                "release": "both",
                "prompt": "letter_circled",
                "subtask": word,
                "word": word,
                "letter_index": str(place),
                "base_figure": f"{word}/{place}",
                "key": word[place].lower(),
                "answer": answer,
                "outcome": "contained" if answer else "unparsed",
                "correct": answer == word[place].lower(),
                "repeat": 0,
            }
            for number, (word, place, answer) in enumerate(given)
        ]
    )


def counted(frame, word, model="m"):
    own = frame[(frame["word"] == word) & (frame["model"] == model)]
    return dict(zip(own["distance"], own["n"], strict=True))


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
        answers(
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
    frame = frame_of(BLINDTEST_WRONG_LETTERS, answers(("Subdermatoglyphic", 0, "c")), SETTINGS)
    own = frame[frame["word"] == "Subdermatoglyphic"]
    # Sixteen other letters, of which one each is 1, 2 and 3 places away from the first.
    assert list(own["by_chance"]) == pytest.approx([6.25, 6.25, 6.25, 81.25, 0])


def test_who_gives_no_wrong_letter_has_no_row():
    frame = frame_of(BLINDTEST_WRONG_LETTERS, answers(("Subdermatoglyphic", 0, "s")), SETTINGS)
    assert frame.empty
    assert list(frame.columns) == list(BLINDTEST_WRONG_LETTERS.csv_names)


def test_a_study_without_letters_has_an_empty_table():
    squares = answers(("Acknowledgement", 9, "d")).assign(
        task="nested_squares", key="4", answer="3"
    )
    assert frame_of(
        BLINDTEST_WRONG_LETTERS, squares.drop(columns=["word", "letter_index"]), SETTINGS
    ).empty
