"""d', slopes, calibration and the area below a ROC curve."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, norm

from afterimage.statistics.detection import (
    detection,
    equal_mass,
    error_of,
    roc_area,
    squared_error,
    weighted_slope,
)


def test_perfect_answers_have_a_finite_d_prime():
    found = detection(16, 16, 0, 16)
    assert float(found.sensitivity) == pytest.approx(2 * norm.ppf(16.5 / 17))
    assert float(found.sensitivity) == pytest.approx(3.78, abs=0.005)
    assert float(found.bias) == 0


def test_rates_of_a_textbook_example():
    """Hits 0.69 and false alarms 0.31 are one d' apart (Macmillan and Creelman 2005)."""
    found = detection(691_462, 1_000_000, 308_538, 1_000_000)
    assert float(found.sensitivity) == pytest.approx(1, abs=1e-4)
    assert float(found.bias) == pytest.approx(0, abs=1e-4)


def test_the_variance_is_that_of_simulated_answers():
    generator = np.random.default_rng(3)
    hits, alarms = generator.binomial(64, 0.8, 20_000), generator.binomial(64, 0.3, 20_000)
    found = detection(hits, 64, alarms, 64)
    expected = detection(0.8 * 64, 64, 0.3 * 64, 64)
    assert found.sensitivity.var() == pytest.approx(float(expected.variance), rel=0.08)


def test_without_images_of_one_kind_nothing_is_known():
    found = detection([8, 8], [16, 0], [2, 2], [16, 16])
    assert np.isfinite(found.sensitivity).tolist() == [True, False]


def test_a_slope_follows_its_heavy_points():
    x, y = [0, 1, 2], [0, 1, 5]
    assert weighted_slope(x, y, [1, 1, 1]) == pytest.approx(np.polyfit(x, y, 1)[0])
    weights = [1, 9, 4]
    assert weighted_slope(x, y, weights) == pytest.approx(
        np.polyfit(x, y, 1, w=np.sqrt(weights))[0]
    )
    assert weighted_slope(x, [0, np.nan, 4], [1, 1, 1]) == pytest.approx(2)
    assert np.isnan(weighted_slope([1, 1], [2, 3], [1, 1]))


def sums_of(stated, right, bins):
    place = equal_mass(stated, bins)
    sums = np.zeros((place.max() + 1, 3))
    np.add.at(sums, place, np.stack([np.ones(len(stated)), stated, right], 1))
    return sums


def test_bins_hold_equally_many_and_equal_values_share_one():
    assert list(equal_mass(np.arange(10) / 10, 5)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert list(equal_mass([0.5] * 7, 5)) == [0] * 7
    values = [0.1, 0.9, 0.9, 0.9, 0.95]
    place = equal_mass(values, 3)
    assert len(set(place[1:4])) == 1
    assert list(np.unique(place)) == list(range(place.max() + 1))


def test_the_error_of_one_bin_by_hand():
    # Four answers of 0.9, two right: the gap is 0.4, and chance adds 0.25 / 3 to its square.
    square = squared_error(sums_of(np.full(4, 0.9), np.array([1, 1, 0, 0.0]), 10))
    assert square == pytest.approx(0.16 - 0.25 / 3)
    assert error_of(square) == pytest.approx(math.sqrt(0.16 - 0.25 / 3))
    assert error_of(-0.1) == 0


def test_who_is_calibrated_has_no_error_on_average_and_who_is_not_has_his_own():
    generator = np.random.default_rng(7)
    squares, biased = [], []
    for _ in range(400):
        stated = generator.uniform(0.5, 1, 200)
        right = (generator.random(200) < stated).astype(float)
        squares.append(squared_error(sums_of(stated, right, 10)))
        wrong = (generator.random(200) < stated - 0.3).astype(float)
        biased.append(squared_error(sums_of(stated, wrong, 10)))
    assert np.mean(squares) == pytest.approx(0, abs=3 * np.std(squares) / math.sqrt(400))
    assert np.mean(biased) == pytest.approx(0.09, abs=0.003)


def test_the_area_is_that_of_mann_and_whitney_with_ties_as_half():
    generator = np.random.default_rng(3)
    scores = generator.integers(0, 6, 60)
    positive = generator.random(60) < 0.4
    expected = mannwhitneyu(scores[positive], scores[~positive]).statistic
    area = roc_area(scores, positive, range(60)).area
    assert area == pytest.approx(expected / (positive.sum() * (~positive).sum()))


def test_its_interval_covers_with_clusters_as_often_as_it_says():
    generator = np.random.default_rng(11)
    # Both scores vary by 0.98, and pairs of two images share nothing.
    truth, covered = NormalDist().cdf(1 / math.sqrt(2 * 0.98)), 0
    for _ in range(300):
        # Forty images of six questions; what they share shifts all scores of an image.
        positive = np.tile([True, True, True, False, False, False], 40)
        image = np.repeat(np.arange(40), 6)
        scores = positive + generator.normal(0, 0.7, 240) + generator.normal(0, 0.7, 40)[image]
        found = roc_area(scores, positive, image)
        covered += found.low <= truth <= found.high
    assert 0.91 <= covered / 300 <= 0.985


def test_nothing_is_said_of_one_kind_alone_or_of_few_clusters():
    assert all(map(math.isnan, roc_area([1, 2], [True, True], [0, 1])))
    few = roc_area([1, 2, 3, 0], [True, False, True, False], [0, 0, 1, 1])
    assert few.area == 0.75
    assert math.isnan(few.low)
