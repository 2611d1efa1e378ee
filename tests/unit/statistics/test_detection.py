"""d' and weighted slopes against numbers that are known otherwise."""

import numpy as np
import pytest
from scipy.stats import norm

from afterimage.statistics.detection import detection, weighted_slope


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
