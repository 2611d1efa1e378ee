"""Tables of probabilities: worked out by hand, each number with its own denominator; made where there are any."""

import math

import pandas as pd
import pytest
from studies import plain_study

from afterimage.planning.plan import Plan
from afterimage.showing.study.charts import draw_calibration
from afterimage.showing.study.graded import CALIBRATION, GRADED
from afterimage.showing.tables.compute import frame_of
from afterimage.stages.all_stages import spec_of

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}


def row(number, probe=None, p=None, mass=0.9, answer="left", scored="first_token"):
    item = f"i{number}"
    return {
        "item_id": item if probe is None else f"{item}~{probe}",
        "stimulus_id": f"s{number}",
        "model": "m",
        "prompt": "p",
        "repeat": 0,
        "key": "left",
        "answer": answer,
        "probe": probe,
        "scored": scored,
        "mass": mass,
        "option_probabilities": None if p is None else {"left": p, "right": 1 - p},
    }


def table(rows, declared=GRADED):
    return frame_of(declared, pd.DataFrame(rows), SETTINGS)


def test_every_number_has_its_own_denominator():
    rows = [
        row(1, p=0.8),
        row(2, p=0.4, answer="right"),
        row(3, p=0.7, answer=None),
        row(4, mass=0.3),
        row(5, mass=None),
        row(6, mass=None, scored=None),
    ]
    (found,) = table(rows).to_dict("records")
    assert [found[name] for name in ("n", "no_scores_k", "no_mass_k", "graded_n")] == [5, 1, 1, 3]
    assert found["p_key"] == pytest.approx((0.8 + 0.4 + 0.7) / 3)
    assert found["brier"] == pytest.approx(2 * (0.04 + 0.36 + 0.09) / 3)
    assert found["log_score"] == pytest.approx(sum(map(math.log, (0.8, 0.4, 0.7))) / 3)
    assert (found["likeliest_k"], found["likeliest"]) == (2, pytest.approx(200 / 3))
    assert (found["read_n"], found["as_read_k"]) == (2, 2)
    assert found["mass"] == pytest.approx((3 * 0.9 + 0.3) / 4)


def test_a_key_without_probability_is_bounded_in_the_log_score_and_nowhere_else():
    (found,) = table([row(1, p=0.0, answer="right")]).to_dict("records")
    assert (found["p_key"], found["log_score"]) == (0, pytest.approx(math.log(1e-4)))


def test_how_much_surer_the_image_makes_it_is_paired_by_question():
    rows = [row(number, p=0.9) for number in range(12)]
    rows += [row(number, "blank", p=0.5 + number / 100) for number in range(10)]
    rows += [row(number, "text_only", mass=0.1) for number in range(12)]
    found = table(rows).set_index("shown")
    assert list(found.index) == ["image", "blank", "none"]
    assert found.loc["blank", "surer_n"] == 10
    assert found.loc["blank", "surer"] == pytest.approx(0.4 - 0.045)
    assert math.isnan(found.loc["image", "surer"])
    assert (found.loc["none", "surer_n"], found.loc["none", "no_mass_k"]) == (0, 12)


def test_bins_of_calibration_hold_what_was_graded():
    rows = [row(number, p=0.5 + number / 50) for number in range(1, 21)] + [row(30, mass=0.2)]
    found = table(rows, CALIBRATION)
    assert list(found["n"]) == [2] * 10
    assert list(found["bin"]) == list(range(1, 11))
    assert found["p_most"].iloc[0] == pytest.approx(0.53)
    assert set(found["likeliest"]) == {100}
    assert draw_calibration({"calibration_x": found}, "calibration_x").axes


def test_where_nobody_is_scored_the_tables_are_empty_and_the_chart_says_so():
    found = table([row(1, mass=None, scored=None)], CALIBRATION)
    assert found.empty
    assert draw_calibration({"calibration_x": found}, "calibration_x").axes[0].texts


def study(root, **settings):
    entry = {"backend": "transformers", "model_id": "resources/models/sprout", "settings": settings}
    config = {"models": ["chance", "m"], "own_models": {"m": entry}}
    return Plan({**plain_study(), **config, "suites": {"search": {}, "texture": {}}}, root)


def test_a_study_has_them_where_a_model_is_scored_and_only_there(root):
    plain, scored = study(root), study(root, scores="first_token")
    assert not [name for name in plain.tables if name.startswith(("graded", "calibration"))]
    assert not [name for name in plain.charts if name.startswith("calibration")]
    new = set(scored.tables) - set(plain.tables)
    assert {"graded_search", "calibration_search"} <= new
    assert "calibration_search" in scored.charts
    assert scored.studied["search"].table("graded_search").title
    assert "probes" in spec_of(scored, "make_table", table="graded_search")
    assert "probes" not in spec_of(scored, "make_table", table="search")
