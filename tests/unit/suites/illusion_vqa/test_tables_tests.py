import math
from itertools import product

import pandas as pd
import pytest
from table_forms import csv_text, layout_of, markdown_text

from afterimage.errors import AfterimageError
from afterimage.showing.compute import frame_of
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.tables.illusion_vqa_tests import TABLE
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS

SETTINGS = {
    "confidence": 0.95,
    "resamples": 500,
    "seed": 7,
    "human_source": "taken from the paper",
    "synthetic_humans": False,
}
FIGURES = ILLUSIONS[:4]


def grades(right, model="m", repeat=0, conditions=CONDITIONS) -> pd.DataFrame:
    """Grades in which images with ``right(figure, variant, condition)`` are both-correct."""
    return pd.DataFrame(
        {
            "model": model,
            "prompt": "zero_shot",
            "repeat": repeat,
            "stimulus_id": f"{figure}_{variant}_{condition}",
            "figure": figure,
            "question": question,
            "outcome": "exact",
            "correct": bool(right(figure, variant, condition)),
            "variant": variant,
            "condition": condition,
            "human_subset": str(variant == "A").lower(),
            "option_count": "3",
        }
        for figure, variant, condition, question in product(
            FIGURES, VARIANTS, conditions, ("actual", "apparent")
        )
    )


def fails_on_fakes_of_a(figure, variant, condition):
    return condition != "fake" or variant == "B"


def row(frame, comparison="fake against control_fake", subset="all"):
    chosen = frame[(frame["comparison"] == comparison) & (frame["subset"] == subset)]
    assert len(chosen) == 1
    return chosen.iloc[0]


def test_rows_are_the_two_comparisons_with_their_subsets():
    frame = frame_of(TABLE, grades(fails_on_fakes_of_a), SETTINGS)
    assert list(zip(frame["comparison"], frame["subset"], frame["n"], strict=True)) == [
        ("fake against control_fake", "all", 8),
        ("fake against control_fake", "conditional", 8),
        ("fake against control_fake", "human_16", 4),
        ("genuine against control_genuine", "all", 8),
        ("genuine against control_genuine", "human_16", 4),
    ]


def test_pairs_are_counted_on_the_same_image():
    tested = row(frame_of(TABLE, grades(fails_on_fakes_of_a), SETTINGS))
    names = ["only_first_k", "only_second_k", "both_k", "neither_k"]
    assert list(tested[names]) == [0, 4, 4, 0]
    assert tested["p_value"] == pytest.approx(2 / 2**4)
    assert (tested["first"], tested["second"], tested["difference"]) == (50.0, 100.0, -50.0)


def test_equal_shares_on_different_images_are_told_from_equal_images():
    crossed = grades(lambda f, v, c: v == ("A" if c == "fake" else "B"))
    tested = row(frame_of(TABLE, crossed, SETTINGS))
    assert (tested["first"], tested["second"]) == (50.0, 50.0)
    assert list(tested[["only_first_k", "only_second_k", "both_k", "neither_k"]]) == [4, 4, 0, 0]


def test_illusions_are_the_clusters_of_the_bootstrap():
    tested = row(frame_of(TABLE, grades(fails_on_fakes_of_a), SETTINGS))
    assert (tested["clusters"], tested["resamples"], tested["seed"]) == (4, 500, 7)
    # Every illusion has the same difference, so resampling illusions changes nothing.
    assert (tested["difference_low"], tested["difference_high"]) == (-50.0, -50.0)


def test_difference_between_illusions_widens_the_interval():
    uneven = grades(lambda f, v, c: c != "fake" or f in FIGURES[:2])
    tested = row(frame_of(TABLE, uneven, SETTINGS))
    assert tested["difference_low"] < tested["difference"] < tested["difference_high"]
    assert tested["first_low"] - tested["second"] == tested["difference_low"]


def test_seed_alone_decides_the_interval_of_a_model_not_its_neighbours():
    uneven = grades(lambda f, v, c: c != "fake" or (f == FIGURES[0]) == (v == "A"))
    other = grades(lambda f, v, c: True, model="other")
    alone = frame_of(TABLE, uneven, SETTINGS)
    beside = frame_of(TABLE, pd.concat([other, uneven]), SETTINGS)
    beside = beside[beside["model"] == "m"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, beside)


def test_no_pairs_leave_p_and_shares_undefined_and_print_not_available():
    never_right = grades(lambda f, v, c: c != "genuine")
    frame = frame_of(TABLE, never_right, SETTINGS)
    tested = row(frame, subset="conditional")
    assert (tested["n"], tested["clusters"], tested["resamples"]) == (0, 0, 0)
    assert all(math.isnan(tested[name]) for name in ("p_value", "first", "difference_low"))
    printed = markdown_text(frame, layout_of(TABLE, never_right, SETTINGS)).splitlines()
    line = next(line for line in printed if "genuine twin" in line)
    assert line.count(" n/a ") == 4


def test_repeats_pair_with_their_own_repeat():
    data = pd.concat(
        [
            grades(lambda f, v, c: c == "fake", repeat=0),
            grades(lambda f, v, c: c == "control_fake", repeat=1),
        ]
    )
    tested = row(frame_of(TABLE, data, SETTINGS))
    assert list(tested[["n", "only_first_k", "only_second_k"]]) == [16, 8, 8]


def test_image_without_control_is_refused_by_name():
    data = grades(fails_on_fakes_of_a)
    data = data[data["stimulus_id"] != "zoellner_B_control_fake"]
    with pytest.raises(AfterimageError, match="zoellner_B_fake has no partner"):
        frame_of(TABLE, data, SETTINGS)


def test_control_without_image_is_refused_by_name():
    data = grades(fails_on_fakes_of_a)
    data = data[data["stimulus_id"] != "zoellner_B_genuine"]
    with pytest.raises(AfterimageError, match="zoellner_B_"):
        frame_of(TABLE, data, SETTINGS)


def test_csv_keeps_small_p_values_and_print_shows_signed_differences():
    data = grades(fails_on_fakes_of_a)
    frame = frame_of(TABLE, data, SETTINGS).assign(p_value=1e-9)
    assert ",1e-09," in csv_text(frame, TABLE)
    text = markdown_text(frame, TABLE, data, SETTINGS)
    assert "-50.0 [-50.0, -50.0]" in text
    assert "50.0 (4/8)" in text
