"""The worked examples of the statistics' design, six digits: docs/statistics.md names the sections."""

import math

import pytest

from afterimage.statistics import unmatched
from afterimage.statistics.detectable import smallest_matched
from afterimage.statistics.matched import holm, paired_bounds, sign_flip_p
from afterimage.statistics.shares import (
    Share,
    clustered_score,
    group_correlations,
    mean_of_shares,
    share_of_totals,
)
from afterimage.statistics.unmatched import difference_of_totals


def near(*expected):
    return pytest.approx(expected, abs=1e-6)


SINGLE_28 = [1] * 21 + [0] * 7
S10 = [2] * 10 + [1] * 8 + [0] * 6

SHARES = {
    "S1": (SINGLE_28, [1] * 28, 0.95, 28, 0.566443, 0.873235),
    "S2": ([0] * 300, [1] * 300, 0.95, 300, 0, 0.012643),
    "S3": ([1], [1], 0.95, 1, 0.206549, 1),
    "S4": ([4] * 7, [4] * 7, 0.95, 7, 0.645670, 1),
    "S5": ([0] * 7, [4] * 7, 0.95, 7, 0, 0.354330),
    "S6": ([2] * 3, [6] * 3, 0.95, 3, 0.061492, 0.792340),
    "S7": ([1] * 6, [3] * 6, 0.95, 17.548650, 0.161263, 0.565267),
    "S8": ([2] * 7 + [0] * 7, [2] * 14, 0.95, 14, 0.267992, 0.732008),
    "S9": ([1] * 14, [2] * 14, 0.95, 28, 0.326331, 0.673669),
    "S10": (S10, [2] * 24, 0.95, 30.796078, 0.409649, 0.738534),
    "S11": ([1, 1, 2, 4, 8], [1, 2, 3, 4, 16], 0.95, 2.363636, 0.154554, 0.933350),
    "S12": ([16, 0, 0, 1, 1, 1], [16, 1, 1, 1, 1, 1], 0.95, 1.689655, 0.250994, 0.996301),
    "S13": ([3], [5], 0.95, 1, 0.077119, 0.964191),
    "S14": ([2, 0], [2, 2], 0.95, 2, 0.094531, 0.905469),
    "S15": ([1, 0, 0, 0, 0, 0], [16] * 6, 0.95, 6, 0.000164, 0.402871),
    "S16": ([8] * 12, [16] * 12, 0.95, 114.189046, 0.409797, 0.590203),
    "S17": (S10, [2] * 24, 0.99, 28.881645, 0.354112, 0.781419),
}


@pytest.mark.parametrize("name", SHARES)
def test_shares(name):
    successes, sizes, confidence, effective_n, low, high = SHARES[name]
    found = share_of_totals(successes, sizes, confidence)
    assert (found.effective_n, found.low, found.high) == near(effective_n, low, high)
    assert found.estimate == sum(successes) / sum(sizes)
    assert (found.n, found.clusters) == (sum(sizes), len(sizes))


def test_s18_no_answers_leave_everything_undefined():
    found = share_of_totals([], [])
    assert all(map(math.isnan, (found.estimate, found.low, found.high, found.effective_n)))
    assert (found.n, found.clusters) == (0, 0)


SCORES = {
    "G1": ([0, 1, 1, 2, 2, 2, 2, 2], list(range(8)), 8, 0.409275, 0.928521),
    "G2": ([1] * 10, list(range(10)), 75.067272, 0.389680, 0.610320),
    "G3": ([2, 2, 1, 2, 0, 0, 2, 1], [0, 0, 1, 1, 2, 2, 3, 3], 4, 0.219427, 0.908101),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores(name):
    scores, clusters, effective_n, low, high = SCORES[name]
    found = clustered_score(scores, clusters)
    assert (found.effective_n, found.low, found.high) == near(effective_n, low, high)


P6 = [2, 2, 1, 1, 1, 1, -1, -2] + [0] * 6
PAIRS = {
    "P1": ([1] * 5 + [-1] + [0] * 22, [1] * 28, 5, 1, 28, -0.036419, 0.330861, 0.125),
    "P2": ([0] * 14, [2] * 14, 0, 0, 14, -0.215311, 0.215311, 1),
    "P3": ([2] * 3 + [0] * 11, [2] * 14, 6, 0, 14, -0.047163, 0.475892, 0.125),
    "P4": ([1] * 6 + [0] * 8, [2] * 14, 6, 0, 19.245561, 0.012240, 0.435822, 0.015625),
    "P5": ([0] * 14, [2] * 14, 14, 14, 28, -0.347337, 0.347337, 1),
    "P6": (P6, [2] * 14, 8, 3, 14, -0.167313, 0.484780, 0.246094),
    "P7": ([2] * 14, [2] * 14, 28, 0, 14, 0.569378, 1, 0.000061),
}


@pytest.mark.parametrize("name", PAIRS)
def test_matched_differences(name):
    differences, sizes, only_first, only_second, effective_n, low, high, p = PAIRS[name]
    bounds = paired_bounds(differences, sizes, only_first, only_second)
    found = (*map(float, bounds), sign_flip_p(differences))
    assert found == near(low, high, effective_n, p)


def test_p8_four_clusters_cannot_reach_five_percent_five_can():
    assert (sign_flip_p([1] * 4), sign_flip_p([1] * 5)) == (0.0625, 0.03125)


def test_d1_separate_clusters():
    found = difference_of_totals((SINGLE_28, [1] * 28), ([1] * 14 + [0] * 14, [1] * 28))
    assert (found.low, found.high, found.p) == near(-0.002693, 0.462950, 0.052567)
    assert found.correlation == 0


def test_d2_shared_clusters():
    first, second = ([2, 2, 1, 2, 0, 2, 1], [2] * 7), ([1, 1, 0, 1, 0, 1, 0], [1] * 7)
    found = difference_of_totals(first, second, shared=True)
    expected = near(0.735951, -0.097890, 0.362615, 0.269533)
    assert (found.correlation, found.low, found.high, found.p) == expected
    assert found.estimate == 10 / 14 - 4 / 7


@pytest.mark.parametrize(
    ("shares", "effective_ns", "effective_n", "low", "high"),
    [
        ([1, 0.5, 0.75], [7, 14, 28], 51.926654, 0.617836, 0.847723),
        ([1, 1], [7, 7], 14, 0.784689, 1),
    ],
    ids=["M1", "M2"],
)
def test_means_of_separate_groups(shares, effective_ns, effective_n, low, high):
    groups = [Share(p, 0, 1, n, n, n, n) for p, n in zip(shares, effective_ns, strict=True)]
    found = mean_of_shares(groups)
    assert (found.effective_n, found.low, found.high) == near(effective_n, low, high)


def test_m3_mean_of_groups_over_the_same_images():
    successes = [[2, 2, 0, 1], [2, 1, 0, 2]]
    correlations = group_correlations(successes, [2] * 4)
    found = mean_of_shares([share_of_totals(y, [2] * 4) for y in successes], correlations)
    assert correlations[0, 1] == pytest.approx(0.737705, abs=1e-6)
    assert (found.effective_n, found.low, found.high) == near(4.603774, 0.236717, 0.899566)
    assert found.clusters == 4


REPLICATIONS = {
    "R1": ("75.0", 28, [2] * 7 + [1] * 4 + [0] * 3, [2] * 14, -0.409883, 0.224003, "cannot_tell"),
    "R2": ("75.0", 28, [2, 1, 1] + [0] * 11, [2] * 14, -0.797412, -0.221698, "differs"),
    "R3": ("62", 500, [1] * 320 + [0] * 180, [1] * 500, -0.047475, 0.087413, "consistent"),
    "R5": ("62", 500, [1] * 375 + [0] * 125, [1] * 500, 0.064890, 0.193987, "differs"),
}


@pytest.mark.parametrize("name", REPLICATIONS)
def test_replications(name):
    printed, n1, successes, sizes, low, high, verdict = REPLICATIONS[name]
    new = share_of_totals(successes, sizes, unmatched.CONFIDENCE)
    effective_n = unmatched.effective_printed(n1, new.effective_n, new.max_n)
    band = unmatched.printed_band(printed, 100)
    found = unmatched.replicated(band, effective_n, new.estimate, new.effective_n)
    assert (found.low, found.high) == near(low, high)
    assert found.verdict == verdict


def test_r1_worth_of_the_new_number():
    new = share_of_totals([2] * 7 + [1] * 4 + [0] * 3, [2] * 14, unmatched.CONFIDENCE)
    assert new.effective_n == pytest.approx(14.850434, abs=1e-6)


def test_r4_everything_right_in_both():
    # The paper prints 100 without decimals.
    new = share_of_totals([4] * 7, [4] * 7, unmatched.CONFIDENCE)
    effective_n = unmatched.effective_printed(28, new.effective_n, new.max_n)
    found = unmatched.replicated(
        unmatched.printed_band("100", 100), effective_n, 1.0, new.effective_n
    )
    assert (found.low, found.high) == near(-0.375996, 0.382196)
    assert found.verdict == "cannot_tell"


def test_r6_printed_scores():
    kappa = unmatched.score_kappa(1.60, 0.60, 100)
    scores = [0] * 10 + [1] * 20 + [2] * 70
    new = clustered_score(scores, range(100), confidence=unmatched.CONFIDENCE)
    effective_n = unmatched.effective_printed(100, new.effective_n, new.max_n, kappa)
    band = unmatched.printed_band("1.60", 2)
    found = unmatched.replicated(band, effective_n, new.estimate, new.effective_n)
    assert (kappa, new.effective_n) == near(1.766560, 138.934843)
    assert (2 * found.low, 2 * found.high) == near(-0.195999, 0.190004)
    assert found.verdict == "consistent"


def test_h1_h2_holm():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.6, 0.02]) == pytest.approx([1, 1, 0.06])


def test_n1_smallest_detectable_difference():
    assert smallest_matched(56, 28, 0.3, 0.4) == pytest.approx(0.256125, abs=1e-6)
