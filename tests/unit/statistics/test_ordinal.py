"""The ordinal probit: known observers come back, and flat or separated answers give no nonsense."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from afterimage.statistics import ordinal
from afterimage.statistics.ordinal import (
    FLAT_SLOPE,
    GREATEST_LAPSE,
    PRIOR_SCALE,
    OrdinalFit,
    fit_ordinal,
    probabilities,
)

DIFFERENCES = np.linspace(-1, 1, 17)
STRENGTHS = 3
PLACE = np.repeat(np.arange(STRENGTHS), len(DIFFERENCES))
D = np.tile(DIFFERENCES, STRENGTHS)


def observer(slope=5.0, equality=(0.3, 0.0, -0.3), c=0.15, lapse=0.03, forced=False):
    slopes = np.full(STRENGTHS, slope)
    return OrdinalFit(
        slopes,
        slopes * np.array(equality),
        slopes * (0.0 if forced else c),
        lapse,
        forced,
        0.0,
    )


def expected_counts(truth, answers=1000):
    return answers * probabilities(truth, PLACE, D)


def test_probabilities_follow_the_formula():
    from scipy.stats import norm

    truth = observer()
    first, neutral, second = probabilities(truth, [0], [0.5])[0]
    assert first == pytest.approx(0.01 + 0.97 * norm.cdf((0.5 - 0.3 - 0.15) * 5))
    assert second == pytest.approx(0.01 + 0.97 * norm.cdf((0.3 - 0.5 - 0.15) * 5))
    assert first + neutral + second == pytest.approx(1)


def test_forced_choice_shares_lapses_between_two_options():
    first, neutral, second = probabilities(observer(slope=100, forced=True), [1], [1.0])[0]
    assert (first, neutral, second) == pytest.approx((0.985, 0, 0.015))


@pytest.mark.parametrize("forced", [False, True])
def test_the_gradient_is_that_of_the_likelihood(forced):
    counts = np.random.default_rng(1).integers(0, 5, (len(D), 3)).astype(float)
    if forced:
        counts[:, ordinal.NEUTRAL] = 0
    values = np.array([2.0, 4.0, 1.0, 0.3, -0.2, 0.8, 0.4, 0.7, 0.2, 0.05])
    if forced:
        values[6:9] = 0
    arguments = (PLACE, D, counts, STRENGTHS, forced)
    given = ordinal._objective(values, *arguments)[1]
    numeric = approx_fprime(values, lambda v: ordinal._objective(v, *arguments)[0], 1e-7)
    free = np.array([True] * 6 + [not forced] * 3 + [True])
    np.testing.assert_allclose(given[free], numeric[free], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("forced", [False, True])
def test_known_parameters_come_back_from_many_answers(forced):
    truth = observer(forced=forced)
    fit = fit_ordinal(PLACE, D, expected_counts(truth), forced)
    np.testing.assert_allclose(fit.equality, [0.3, 0, -0.3], atol=0.005)
    np.testing.assert_allclose(fit.slope, 5, rtol=0.02)
    np.testing.assert_allclose(fit.neutral_criterion, 0 if forced else 0.15, atol=0.005)
    assert fit.lapse == pytest.approx(0.03, abs=0.003)


def test_each_strength_has_its_own_slope_and_criterion():
    slope, c = np.array([0.0, 4.0, 9.0]), np.array([0.5, 0.2, 0.1])
    truth = OrdinalFit(slope, slope * -0.2, np.where(slope > 0, slope * c, c), 0.01, False, 0.0)
    fit = fit_ordinal(PLACE, D, expected_counts(truth))
    np.testing.assert_allclose(fit.slope, slope, atol=0.2)
    np.testing.assert_allclose(fit.neutral_criterion[1:], c[1:], atol=0.01)
    assert np.isnan(fit.equality[0])


@pytest.mark.parametrize("said", [ordinal.FIRST, ordinal.NEUTRAL, ordinal.SECOND])
def test_one_answer_to_everything_is_flat_and_finite(said):
    counts = np.zeros((len(D), 3))
    counts[:, said] = 4
    fit = fit_ordinal(PLACE, D, counts)
    assert (np.abs(fit.slope) < FLAT_SLOPE).all()
    assert np.isfinite([fit.location, fit.criterion]).all()
    assert np.isnan(fit.equality).all()


def test_answers_without_overlap_put_equality_in_the_middle_of_the_gap():
    counts = np.zeros((len(D), 3))
    counts[D >= 0.5, ordinal.FIRST] = 4
    counts[D <= 0.25, ordinal.SECOND] = 4
    fit = fit_ordinal(PLACE, D, counts)
    between = DIFFERENCES[DIFFERENCES <= 0.25].max(), DIFFERENCES[DIFFERENCES >= 0.5].min()
    np.testing.assert_allclose(fit.equality, np.mean(between), atol=0.03)
    assert (fit.slope < 2 * PRIOR_SCALE).all()


def test_swapping_the_targets_mirrors_the_curves():
    counts = np.random.default_rng(3).integers(0, 5, (len(D), 3)).astype(float)
    fit = fit_ordinal(PLACE, D, counts)
    mirrored = fit_ordinal(PLACE, -D, counts[:, ::-1])
    np.testing.assert_allclose(mirrored.slope, fit.slope, atol=0.01)
    np.testing.assert_allclose(mirrored.location, -fit.location, atol=0.01)


def test_answers_against_the_difference_have_a_negative_slope():
    counts = expected_counts(observer())[:, ::-1]
    assert (fit_ordinal(PLACE, D, counts).slope < -4).all()


def test_cells_without_answers_change_nothing():
    counts = expected_counts(observer())
    more = fit_ordinal(
        np.append(PLACE, 1), np.append(D, 0.9), np.vstack([counts, np.zeros((1, 3))])
    )
    np.testing.assert_allclose(more.location, fit_ordinal(PLACE, D, counts).location, atol=1e-3)


def test_the_lapse_rate_stays_within_its_bounds():
    counts = expected_counts(observer(lapse=0.2)) + 200
    assert fit_ordinal(PLACE, D, counts).lapse <= GREATEST_LAPSE


def test_neutral_answers_in_forced_choice_are_refused():
    with pytest.raises(ValueError, match="forced choice"):
        fit_ordinal(PLACE, D, np.ones((len(D), 3)), forced=True)


def test_counts_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="three counts per cell"):
        fit_ordinal(PLACE, D, np.ones((len(D), 2)))
