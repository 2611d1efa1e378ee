"""Every suite has a table of all pairs of models, and it says what the statistics say."""

import pandas as pd
import pytest
from table_forms import csv_text, markdown_text

from afterimage.contract.finding import load_suite, pairs_table, suite_names, table_names
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.pairs import PAIRS
from afterimage.statistics.matched import holm, matched_difference

SETTINGS = {"confidence": 0.95, "resamples": 100, "seed": 1, "title": "Dots"}
RIGHT = {"a": (0, 1, 2, 3, 4, 5, 6, 8, 10, 12), "b": (0, 2), "c": (0, 2)}


def grades():
    """Three models on sixteen questions about eight images; c was not asked the last one; one more has a score."""
    rows = [
        {
            "model": model,
            "prompt": "plain",
            "item_id": f"i{number}",
            "stimulus_id": f"s{number // 2}",
            "repeat": 0,
            "correct": number in right,
            "score": None,
        }
        for model, right in RIGHT.items()
        for number in range(16 if model != "c" else 15)
    ]
    free = [{**rows[0], "item_id": "free", "score": 1.5, "model": model} for model in "ab"]
    return pd.DataFrame([*rows, *free])


@pytest.mark.parametrize("name", suite_names())
def test_every_suite_has_one(name):
    assert table_names(name, load_suite(name)).count(pairs_table(name)) == 1


def test_pairs_are_compared_by_image_on_what_both_answered():
    frame = frame_of(PAIRS, grades(), SETTINGS)
    assert frame[["first", "second", "n", "alone_n"]].to_numpy().tolist() == [
        ["a", "b", 16, 0],
        ["a", "c", 15, 1],
        ["b", "c", 15, 1],
    ]
    first, second = ([number in RIGHT[model] for number in range(16)] for model in "ab")
    found = matched_difference(first, second, [number // 2 for number in range(16)])
    row = frame.iloc[0]
    expected = [100 * value for value in found[:3]]
    assert list(row[["difference", "difference_low", "difference_high"]]) == expected
    assert (row["clusters"], row["differing_clusters"], row["p"]) == (8, 7, found.p)
    assert list(frame["p_holm"]) == holm(list(frame["p"]))


def test_two_models_that_answer_alike_differ_in_nothing_that_could_be_said():
    frame = frame_of(PAIRS, grades(), SETTINGS)
    row = frame.iloc[2]
    assert (row["difference"], row["p"], row["p_holm"]) == (0, 1, 1)
    assert row["difference_low"] < 0 < row["difference_high"]
    text = markdown_text(frame, PAIRS, grades(), SETTINGS)
    assert "too few differing clusters" in text
    assert "Dots: models compared on the same items" in text
    assert csv_text(frame, PAIRS).splitlines()[1].startswith("plain,a,b,16,0,")


def test_one_model_has_nobody_to_be_compared_with():
    alone = grades()[lambda part: part["model"] == "a"]
    assert frame_of(PAIRS, alone, SETTINGS).empty
