"""A table without a number says why: its own reason where it has one."""

import json

import pandas as pd
import pytest
from table_forms import layout_of

from afterimage.showing.tables.columns import Share, Text, whole
from afterimage.showing.tables.declaration import By, Table
from afterimage.showing.tables.layout import NO_ANSWERS
from afterimage.showing.tables.pairs import PAIRS
from afterimage.showing.tables.renderers import json_text
from afterimage.showing.tables.values import Percent, answers, right

SETTINGS = {"confidence": 0.95, "resamples": 10, "seed": 1, "title": "Pairs"}
COLUMNS = ("model", "prompt", "item_id", "stimulus_id", "repeat", "correct", "score")


def grades(*rows):
    return pd.DataFrame([dict(zip(COLUMNS, row, strict=True)) for row in rows], columns=COLUMNS)


def table(**fields):
    return Table(
        "t",
        "A table",
        rows=(By("model"),),
        csv=("model", answers(), right("k"), Percent("share", "k")),
        columns=(Text("Model", "model"), Share("Right", "k")),
        references=lambda grades, settings: [{"Model": "guessing", "Right": "25.0"}],
        **fields,
    )


ONE = ("one", "p", "a", "a", 0, True, None)


def test_a_table_with_a_number_is_not_empty():
    laid = layout_of(table(empty=("no reason",)), grades(ONE), SETTINGS)
    assert laid.empty == ""
    assert "empty" not in json.loads(json_text(laid))


def test_rows_of_reference_alone_leave_a_table_empty():
    laid = layout_of(table(), grades(), SETTINGS)
    assert laid.references
    assert laid.empty == NO_ANSWERS
    assert json.loads(json_text(laid))["empty"] == NO_ANSWERS


def test_the_first_reason_that_is_told_counts_with_its_settings():
    def silent(grades, settings):
        return iter(())

    declared = table(empty=(silent, "nobody was asked in {coverage}", "another"))
    assert layout_of(declared, grades(), SETTINGS).empty == "nobody was asked in 95 %"


@pytest.mark.parametrize(
    ("shown", "empty"),
    [
        ((Text("Model", "model"),), False),
        ((Text("Model", "model"), whole("Given", "share")), True),
        ((Text("Model", "model"), whole("n", "n")), False),
    ],
)
def test_cells_without_a_number_are_empty_and_rows_of_words_are_not(shown, empty):
    frame = pd.DataFrame({"model": ["one"], "n": [0], "share": [float("nan")]})
    declared = Table("t", "A table", rows=lambda grades, settings: frame, columns=shown)
    assert bool(layout_of(declared, frame, SETTINGS).empty) == empty


def test_pairs_of_one_model_say_that_there_is_no_second():
    laid = layout_of(PAIRS, grades(ONE), SETTINGS)
    assert laid.empty == "the study has no second model to compare"
    rated = grades(*((name, "p", "a", "a", 0, False, 1.5) for name in ("one", "two")))
    assert layout_of(PAIRS, rated, SETTINGS).empty.startswith("no two models have right or wrong")
