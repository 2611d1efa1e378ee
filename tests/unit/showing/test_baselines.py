"""Who does not look: what a guess, one answer and one place earn, worked out of the items."""

from fractions import Fraction

import pandas as pd
import pytest
from table_forms import layout_of

from afterimage.showing.tables.accuracy import accuracy_table
from afterimage.showing.tables.baselines import (
    guess,
    most_frequent,
    one_position,
    option_positions,
    same_answer,
)
from afterimage.showing.tables.compute import frame_of

SETTINGS = {"confidence": 0.95, "resamples": 100, "seed": 1, "title": "Lines"}
OTHER = {"figure": "others", "item_id": "other"}
CHOICES = (
    # offered, key: "same" stands last, or in the middle.
    (("left", "right", "same"), "same"),
    (("red", "same", "blue"), "blue"),
    (("left", "right", "same"), "left"),
    (("red", "blue"), "blue"),
)


def items(questions=CHOICES, is_listed=True):
    return pd.DataFrame(
        [
            {
                "model": "m",
                "figure": "lines",
                "prompt": "p",
                "item_id": f"i{number}",
                "stimulus_id": f"s{number}",
                "offered": list(offered),
                "is_listed": is_listed,
                "key": key,
                "outcome": "exact",
                "reason": "",
                "correct": number == 0,
            }
            for number, (offered, key) in enumerate(questions)
        ]
    )


def test_a_guess_is_right_as_often_as_options_are():
    cells, guessed = guess(items())
    assert cells == {}
    assert guessed["correct"].tolist() == [Fraction(1, 3)] * 3 + [Fraction(1, 2)]


def test_a_right_answer_in_several_spellings_is_guessed_as_often_as_it_is_offered():
    _, guessed = guess(items([(("rome", "rome", "paris", "paris"), "rome")]))
    assert guessed["correct"].tolist() == [Fraction(1, 2)]


def test_nobody_guesses_where_nothing_is_offered():
    assert guess(items([((), "rome")], is_listed=False)) is None
    assert guess(items().drop(columns="offered")) is None


def test_the_best_constant_answer_is_one_option_wherever_it_stands():
    cells, answered = same_answer(items())
    assert cells == {"answer": "blue"}
    assert answered["correct"].tolist() == [False, True, False, True]


def test_the_best_position_is_one_place_whatever_stands_there():
    cells, answered = one_position(items())
    assert cells == {"answer": "last"}
    assert answered["correct"].tolist() == [True, True, False, True]
    first = items([(("left", "right"), "left"), (("red", "blue"), "red")])
    assert one_position(first)[0] == {"answer": "first"}


def test_where_all_offer_as_many_options_the_last_place_has_one_name():
    assert option_positions([("a", "b", "c")] * 2) == {"first": 0, "last": -1, "second": 1}
    assert option_positions([("a", "b", "c"), ("a", "b")]) == {
        "first": 0,
        "last": -1,
        "second": 1,
        "third": 2,
    }
    assert list(option_positions([[str(n) for n in range(8)]]))[-3:] == [
        "fifth",
        "place 6",
        "place 7",
    ]


def test_an_option_whose_id_is_the_label_of_its_place_makes_no_second_row():
    numerals = items([(("I", "II", "III"), "II"), (("I", "II"), "II")])
    assert same_answer(numerals) is None
    assert one_position(numerals)[0] == {"answer": "second"}


def test_open_questions_have_no_places():
    assert one_position(items([(("1", "2"), "2")], is_listed=False)) is None
    mixed = pd.concat([items(), items([(("Yes", "No"), "No")], is_listed=False)])
    assert one_position(mixed) is None


def test_the_first_of_equals_is_the_best():
    assert most_frequent("baab") == ("a", 2)
    tied = items([(("left", "right"), "left"), (("left", "right"), "right")])
    assert one_position(tied)[0] == {"answer": "first"}


class TestTable:
    table = accuracy_table("lines", "{title}")

    def test_the_rows_stand_below_the_models_without_interval(self):
        frame = frame_of(self.table, items(), SETTINGS)
        assert frame["model"].tolist() == [
            *("m", "uniform guessing", "best constant answer", "best position"),
        ]
        assert frame["accuracy"].tolist() == pytest.approx([25, 37.5, 50, 75])
        assert frame["correct_k"].fillna(-1).tolist() == [1, -1, 2, 3]
        assert frame["answer"].fillna("").tolist() == ["", "", "blue", "last"]
        below = frame.iloc[1:]
        assert below[["low", "high", "unparsed_k"]].isna().all(axis=None)
        assert below["n"].tolist() == [4, 4, 4]

    def test_each_condition_has_its_own_best(self):
        two = pd.concat([items(), items([(("red", "blue"), "red")]).assign(**OTHER)])
        frame = frame_of(self.table, two, SETTINGS)
        best = frame[frame["model"] == "best position"].set_index("figure")["answer"]
        assert best.to_dict() == {"lines": "last", "others": "first"}

    def test_readers_see_who_answers_what(self):
        cells = [row.cells[2:] for row in layout_of(self.table, items(), SETTINGS).rows]
        assert cells[1:] == [
            ("uniform guessing", "37.5", ""),
            ("best constant answer (blue)", "50.0 (2/4)", ""),
            ("best position (last)", "75.0 (3/4)", ""),
        ]

    def test_a_model_that_one_place_beats_is_named_with_what_would_tell(self):
        notes = layout_of(self.table, items(), SETTINGS).notes
        assert "more often than: m. Asking" in notes[-1] and "option_orders" in notes[-1]
        seeing = items().assign(correct=True)
        assert not any(
            "option_orders" in note for note in layout_of(self.table, seeing, SETTINGS).notes
        )
