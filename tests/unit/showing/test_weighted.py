"""Answers by their probabilities: what counts answers counts weights; what is not graded is left out and counted."""

import numpy as np
import pandas as pd
import pytest

from afterimage.showing.tables.weighted import (
    by_probability,
    counts_of_graded,
    of_scored,
    weights_of,
)
from afterimage.suites.search.tables import counted
from afterimage.suites.thresholds import tables
from afterimage.suites.thresholds.steps import Steps


def row(key="Yes", p=None, mass=0.9, answer="Yes", **more):
    return {
        **{"key": key, "answer": answer, "mass": mass, "scored": "first_token"},
        **{"outcome": "exact", "correct": answer == key, "set_size": "4", "group": "a"},
        "option_probabilities": None if p is None else [("Yes", p), ("No", 1 - p)],
        **more,
    }


def test_an_answer_becomes_a_row_an_option_that_weighs_its_probability():
    spread = by_probability(pd.DataFrame([row(p=0.8), row(mass=0.2), row("No", p=0.3)]))
    assert list(spread["answer"]) == ["Yes", "No", "Yes", "No"]
    assert list(weights_of(spread)) == pytest.approx([0.8, 0.2, 0.3, 0.7])
    assert list(spread["correct"]) == [True, False, False, True]
    assert list(weights_of(pd.DataFrame([row()]))) == [1]


def test_what_has_no_probabilities_is_counted_by_why():
    rows = [row(p=0.8), row(mass=0.2), row(mass=None), row(p=0.5)]
    counts = counts_of_graded(pd.DataFrame(rows))
    assert counts == {"n": 4, "no_scores_k": 1, "no_mass_k": 1, "graded_n": 2}


def test_others_and_other_probes_stay_out_and_the_rest_says_what_was_shown():
    rows = [row(p=0.8), row(p=0.8, scored=None), row(p=0.8, probe="blank")]
    rows += [row(p=0.8, probe="text_only"), row(p=0.8, probe="option_order")]
    assert list(of_scored(pd.DataFrame(rows))["shown"]) == ["image", "blank", "none"]
    assert list(of_scored(pd.DataFrame([row()]))["shown"]) == ["image"]


def test_counts_of_search_are_sums_of_weights():
    rows = [row(p=0.8), row(p=0.6), row("No", p=0.25)]
    counts = counted(by_probability(pd.DataFrame(rows)))[0, 0]
    assert list(counts) == pytest.approx([1.4, 2, 0.25, 1, 0.8 + 0.6 + 0.75, 3])


def test_a_curve_on_probabilities_is_that_of_as_many_drawn_answers():
    steps = Steps(1.0, 4, "%")
    rng = np.random.default_rng(5)
    drawn, stated = [], []
    for replicate in "abcd":
        for side, sign in (("left", 1), ("right", -1)):
            for level in range(1, 5):
                p = 1 / (1 + np.exp(-4 * sign * level / 4))
                trial = {"condition": "c", "level": level, "side": side, "replicate": replicate}
                stated += [
                    {**trial, "answer": "left", "weight": p},
                    {**trial, "answer": "right", "weight": 1 - p},
                ]
                for is_left in rng.random(400) < p:
                    drawn.append({**trial, "answer": "left" if is_left else "right"})
    is_left = ("left", None, "right")
    fits = [
        tables.curves(pd.DataFrame(rows), ["c"], is_left, steps, {"confidence": 0.95})["c"]
        for rows in (drawn, stated)
    ]
    assert fits[1].slope == pytest.approx(fits[0].slope, rel=0.05)
