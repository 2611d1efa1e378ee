"""POPE on probabilities: the area, the threshold at which half is yes, and who has none."""

import pandas as pd
import pytest

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.pope import roc
from afterimage.suites.pope.roc import draw

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}


def row(number, key, p, strategy="random", answer="yes"):
    return {
        **{"item_id": f"i{number}{strategy}", "stimulus_id": f"s{number}", "model": "m"},
        **{"prompt": "p", "variant": "pope", "dataset": "scenes", "repeat": 0},
        **{"strategy": strategy, "key": key, "answer": answer, "scored": "first_token"},
        "mass": 0.1 if p is None else 0.9,
        "option_probabilities": None if p is None else {"yes": p, "no": 1 - p},
    }


# Always says yes, and yet its probabilities tell most pairs apart.
ROWS = [row(n, "yes", 0.9 - n / 100) for n in range(10)]
ROWS += [row(n, "no", 0.8 + n / 100 if n > 8 else 0.6 + n / 100) for n in range(10)]


def test_whoever_always_says_yes_may_know_better_in_probabilities():
    (found,) = frame_of(roc.POPE_ROC, pd.DataFrame(ROWS), SETTINGS).to_dict("records")
    # Of 100 pairs those nine lose whose yes lies below 0.89: 0.81 to 0.88 and 0.89 itself is tied.
    assert found["area"] == pytest.approx((90 + 1 + 0.5) / 100)
    assert found["area_low"] < found["area"] < found["area_high"] <= 1
    assert found["yes_read"] == 100
    assert found["f1_read"] == pytest.approx(100 * 2 / 3)
    assert found["f1_half"] == pytest.approx(90)
    assert found["d_prime"] > 0 > found["criterion"]


def test_curves_go_from_no_yes_to_all_yes_and_are_drawn():
    rows = [*ROWS, *(row(n, "yes", None, "popular") for n in range(3))]
    found = frame_of(roc.POPE_ROC_CURVE, pd.DataFrame(rows), SETTINGS)
    of_strategy = found[found["strategy"] == "random"]
    assert (of_strategy["hit_k"].iloc[-1], of_strategy["false_alarm_k"].iloc[-1]) == (10, 10)
    assert of_strategy["hit_k"].is_monotonic_increasing
    assert of_strategy["false_alarm_k"].is_monotonic_increasing
    assert "popular" not in set(found["strategy"])
    assert draw({"pope_roc_curve": found}).axes[0].lines


def test_answers_without_a_probability_of_yes_are_counted_and_in_no_number():
    rows = [*ROWS, row(20, "yes", None)]
    (found,) = frame_of(roc.POPE_ROC, pd.DataFrame(rows), SETTINGS).to_dict("records")
    assert (found["n"], found["no_mass_k"], found["graded_n"]) == (21, 1, 20)
