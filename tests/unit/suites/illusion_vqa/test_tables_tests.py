import math

import pandas as pd
import pytest
from illusion_samples import answered
from table_forms import csv_text, layout_of, markdown_text

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.statistics.matched import holm, matched_difference
from afterimage.suites.illusion_vqa.tables_tests import ILLUSION_VQA_TESTS
from afterimage.suites.illusions.names import ILLUSIONS

SETTINGS = {
    "confidence": 0.95,
    "resamples": 500,
    "seed": 7,
    "human_source": "taken from the paper",
    "synthetic_humans": False,
}
FIGURES = ILLUSIONS[:4]


def grades(right, model="m", **more) -> pd.DataFrame:
    """Grades in which images with ``right(figure, variant, condition)`` are both-correct."""
    return answered(lambda *image: right(*image[:3]), FIGURES, model=model, **more)


def fails_on_fakes_of_a(figure, variant, condition):
    return condition != "fake" or variant == "B"


def row(frame, comparison="fake against control_fake", subset="all"):
    chosen = frame[(frame["comparison"] == comparison) & (frame["subset"] == subset)]
    assert len(chosen) == 1
    return chosen.iloc[0]


def test_rows_are_the_two_comparisons_with_their_subsets():
    frame = frame_of(ILLUSION_VQA_TESTS, grades(fails_on_fakes_of_a), SETTINGS)
    assert list(zip(frame["comparison"], frame["subset"], frame["n"], strict=True)) == [
        ("fake against control_fake", "all", 8),
        ("fake against control_fake", "conditional", 8),
        ("fake against control_fake", "human_16", 5),
        ("genuine against control_genuine", "all", 8),
        ("genuine against control_genuine", "human_16", 5),
    ]


def test_pairs_are_counted_on_the_same_image():
    tested = row(frame_of(ILLUSION_VQA_TESTS, grades(fails_on_fakes_of_a), SETTINGS))
    names = ["only_first_k", "only_second_k", "both_k", "neither_k"]
    assert list(tested[names]) == [0, 4, 4, 0]
    assert tested["p_value"] == 1 / 2**4
    assert tested["differing_clusters"] == 4
    assert (tested["first"], tested["second"], tested["difference"]) == (50.0, 100.0, -50.0)


def test_equal_shares_on_different_images_are_told_from_equal_images():
    crossed = grades(lambda f, v, c: v == ("A" if c == "fake" else "B"))
    tested = row(frame_of(ILLUSION_VQA_TESTS, crossed, SETTINGS))
    assert (tested["first"], tested["second"]) == (50.0, 50.0)
    assert list(tested[["only_first_k", "only_second_k", "both_k", "neither_k"]]) == [4, 4, 0, 0]


def test_illusions_are_the_clusters():
    tested = row(frame_of(ILLUSION_VQA_TESTS, grades(fails_on_fakes_of_a), SETTINGS))
    assert tested["clusters"] == 4
    found = matched_difference([False, True] * 4, [True] * 8, [0, 0, 1, 1, 2, 2, 3, 3])
    expected = (100 * found.low, 100 * found.high)
    assert (tested["difference_low"], tested["difference_high"]) == expected
    assert tested["difference_low"] < tested["difference"] < tested["difference_high"]


def test_twins_that_are_alike_count_once():
    alike = grades(lambda f, v, c: c != "fake" or f in FIGURES[:2])
    tested, apart = (
        row(frame_of(ILLUSION_VQA_TESTS, data, SETTINGS))
        for data in (alike, grades(fails_on_fakes_of_a))
    )
    assert (tested["difference"], apart["difference"]) == (-50.0, -50.0)
    assert tested["p_value"] == 0.25 > apart["p_value"]


def test_tests_of_one_comparison_are_corrected_together():
    frame = frame_of(ILLUSION_VQA_TESTS, grades(fails_on_fakes_of_a), SETTINGS)
    for _, family in frame.groupby("comparison"):
        assert list(family["p_holm"]) == holm(list(family["p_value"]))


def test_the_interval_of_a_model_does_not_depend_on_its_neighbours():
    uneven = grades(lambda f, v, c: c != "fake" or (f == FIGURES[0]) == (v == "A"))
    other = grades(lambda f, v, c: True, model="other")
    alone = frame_of(ILLUSION_VQA_TESTS, uneven, SETTINGS)
    with_neighbours = frame_of(ILLUSION_VQA_TESTS, pd.concat([other, uneven]), SETTINGS)
    with_neighbours = with_neighbours[with_neighbours["model"] == "m"].reset_index(drop=True)
    # More tests are corrected together beside another model.
    pd.testing.assert_frame_equal(
        alone.drop(columns="p_holm"), with_neighbours.drop(columns="p_holm")
    )


def test_no_pairs_leave_p_and_shares_undefined_and_print_not_available():
    never_right = grades(lambda f, v, c: c != "genuine")
    frame = frame_of(ILLUSION_VQA_TESTS, never_right, SETTINGS)
    tested = row(frame, subset="conditional")
    assert (tested["n"], tested["clusters"]) == (0, 0)
    assert all(math.isnan(tested[name]) for name in ("p_value", "first", "difference_low"))
    printed = markdown_text(
        frame, layout_of(ILLUSION_VQA_TESTS, never_right, SETTINGS)
    ).splitlines()
    line = next(line for line in printed if "genuine twin" in line)
    assert line.count(" n/a ") == 5


def test_repeats_pair_with_their_own_repeat():
    data = pd.concat(
        [
            grades(lambda f, v, c: c == "fake", repeat=0),
            grades(lambda f, v, c: c == "control_fake", repeat=1),
        ]
    )
    tested = row(frame_of(ILLUSION_VQA_TESTS, data, SETTINGS))
    assert list(tested[["n", "only_first_k", "only_second_k"]]) == [16, 8, 8]


def test_image_without_control_is_refused_by_name():
    data = grades(fails_on_fakes_of_a)
    data = data[data["stimulus_id"] != "zoellner_B_control_fake"]
    with pytest.raises(AfterimageError, match="zoellner_B_fake has no partner"):
        frame_of(ILLUSION_VQA_TESTS, data, SETTINGS)


def test_control_without_image_is_refused_by_name():
    data = grades(fails_on_fakes_of_a)
    data = data[data["stimulus_id"] != "zoellner_B_genuine"]
    with pytest.raises(AfterimageError, match="zoellner_B_"):
        frame_of(ILLUSION_VQA_TESTS, data, SETTINGS)


def test_csv_keeps_small_p_values_and_print_shows_signed_differences():
    data = grades(fails_on_fakes_of_a)
    frame = frame_of(ILLUSION_VQA_TESTS, data, SETTINGS).assign(p_value=1e-9)
    assert ",1e-09," in csv_text(frame, ILLUSION_VQA_TESTS)
    text = markdown_text(frame, ILLUSION_VQA_TESTS, data, SETTINGS)
    assert "-50.0 [-85.0, " in text
    assert "too few differing clusters" in text
    assert "50.0 (4/8)" in text
