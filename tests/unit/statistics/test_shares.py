import math

import numpy as np
import pytest
from clustered_data import cells
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.intervals import (
    effective_answers,
    max_effective_answers,
    sized,
    student_factor,
    totals,
    wilson,
    wilson_interval,
)
from afterimage.statistics.shares import (
    clustered_score,
    clustered_share,
    effective_mean,
    f1_of_totals,
    group_correlations,
    mean_of_shares,
    share_of_totals,
)

SCORED = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 8)), min_size=1, max_size=60)


@given(cells())
def test_an_interval_has_width_and_holds_the_share(cell):
    found = share_of_totals(*cell)
    assert 0 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high


@given(cells(), st.randoms(use_true_random=False))
def test_the_order_of_clusters_does_not_matter(cell, random):
    order = list(zip(*cell, strict=True))
    random.shuffle(order)
    assert share_of_totals(*zip(*order, strict=True)) == pytest.approx(share_of_totals(*cell))


@given(cells())
def test_right_and_wrong_mirror_each_other(cell):
    successes, sizes = cell
    found = share_of_totals(successes, sizes)
    wrong = share_of_totals([m - y for y, m in zip(successes, sizes, strict=True)], sizes)
    assert (wrong.low, wrong.high) == pytest.approx((1 - found.high, 1 - found.low))
    assert wrong.effective_n == pytest.approx(found.effective_n)


@given(cells())
def test_answers_are_worth_between_their_clusters_and_themselves(cell):
    found = share_of_totals(*cell)
    effective = sized(cell[1]).effective
    assert effective * (1 - 1e-12) <= found.effective_n <= found.n * (1 + 1e-12)
    of_clusters, of_answers = (wilson(found.estimate, n) for n in (effective, found.n))
    assert of_clusters[0] - 1e-12 <= found.low <= of_answers[0] + 1e-12
    assert of_answers[1] - 1e-12 <= found.high <= of_clusters[1] + 1e-12


@given(st.lists(st.booleans(), min_size=1, max_size=300))
def test_one_answer_per_cluster_is_wilsons_interval_to_the_last_digit(right):
    found = clustered_share(right, range(len(right)))
    assert (found.low, found.high) == wilson_interval(sum(right), len(right))


@given(st.integers(2, 40).flatmap(lambda g: st.tuples(st.integers(0, g), st.just(g))))
def test_all_or_nothing_clusters_are_the_units(counts):
    right, clusters = counts
    successes = [4] * right + [0] * (clusters - right)
    found = share_of_totals(successes, [4] * clusters)
    assert (found.low, found.high) == pytest.approx(wilson_interval(right, clusters))


@given(cells(), st.sampled_from([0.8, 0.95, 0.99]))
def test_more_confidence_is_wider(cell, confidence):
    narrow, wide = share_of_totals(*cell, confidence), share_of_totals(*cell, 0.999)
    assert wide.low <= narrow.low and narrow.high <= wide.high
    assert wide.high - wide.low > narrow.high - narrow.low


def test_clusters_without_answers_do_not_count():
    assert share_of_totals([1, 0, 2], [2, 0, 2]) == share_of_totals([1, 2], [2, 2])


def test_answers_are_taken_together_by_their_clusters():
    right, clusters = [True, False, True, True], ["b", "a", "b", ("c", 1)]
    assert clustered_share(right, clusters) == share_of_totals([2, 0, 1], [2, 1, 1])


@pytest.mark.parametrize(("successes", "sizes"), [([3], [2]), ([-1], [2]), ([1], [1, 1])])
def test_impossible_totals_are_refused(successes, sizes):
    with pytest.raises(ValueError, match="expected"):
        share_of_totals(successes, sizes)


def test_as_many_clusters_as_units_are_wanted():
    with pytest.raises(ValueError, match="one number per unit"):
        totals(["a", "b"], [1.0])


@given(SCORED)
def test_scores_have_width_and_hold_their_mean(scored):
    scores, clusters = zip(*scored, strict=True)
    found = clustered_score(scores, clusters)
    assert 0 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high
    assert found.max_n >= found.effective_n * (1 - 1e-12)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=1, max_size=60))
def test_scores_of_nothing_or_all_are_right_or_wrong_answers(scored):
    right, clusters = zip(*scored, strict=True)
    found = clustered_score([2 * one for one in right], clusters)
    assert found == pytest.approx(clustered_share(right, clusters))


def test_scores_out_of_range_are_refused():
    with pytest.raises(ValueError, match="scores from 0 to 2"):
        clustered_score([3], ["a"])


@given(cells())
def test_f1_is_the_one_of_precision_and_recall_and_rises_with_the_bounds(cell):
    hits, sizes = cell
    mistakes = [m - y for y, m in zip(hits, sizes, strict=True)]
    found = f1_of_totals(hits, mistakes)
    assert found.estimate == pytest.approx(2 * sum(hits) / (2 * sum(hits) + sum(mistakes)))
    assert 0 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high


def test_replicates_are_worked_out_at_once():
    sizes = sized([1, 2, 3])
    y = np.array([[1, 0, 2], [0, 2, 1]])
    one_by_one = [float(effective_answers(row, sizes)) for row in y]
    assert effective_answers(y, sizes).tolist() == one_by_one
    max_n = max_effective_answers(y, y.sum(axis=1), sizes)
    assert max_n == pytest.approx([6, 6])


def test_a_single_cluster_needs_no_t():
    assert student_factor(1.0, 0.95) == 0.0
    assert student_factor(14.0, 0.95) == pytest.approx((1.959964 / 2.160369) ** 2, abs=1e-6)


@given(st.lists(cells(), min_size=1, max_size=6))
def test_a_mean_has_width_and_holds_the_average(groups):
    shares = [share_of_totals(*group) for group in groups]
    found = mean_of_shares(shares)
    assert found.estimate == pytest.approx(np.mean([share.estimate for share in shares]))
    assert 0 <= found.low < found.high <= 1
    assert found.low - 1e-12 <= found.estimate <= found.high + 1e-12
    assert found.n == sum(share.n for share in shares)


@given(cells())
def test_the_mean_of_one_group_is_the_group(cell):
    share = share_of_totals(*cell)
    found = mean_of_shares([share])
    assert found[:3] == pytest.approx(share[:3])
    assert found.effective_n == pytest.approx(share.effective_n)


@given(cells(), st.integers(2, 5))
def test_the_same_group_twice_is_worth_no_more_where_it_is_shared(cell, times):
    share = share_of_totals(*cell)
    correlations = group_correlations([cell[0]] * times, cell[1])
    shared = mean_of_shares([share] * times, correlations)
    assert correlations == pytest.approx(np.ones((times, times)))
    assert shared.effective_n == pytest.approx(share.effective_n)
    assert (shared.clusters, mean_of_shares([share] * times).clusters) == (
        share.clusters,
        times * share.clusters,
    )


@given(st.integers(1, 12), st.integers(2, 4), st.randoms(use_true_random=False))
def test_correlations_are_a_correlation_matrix(clusters, groups, random):
    sizes = [[random.randint(0, 3) for _ in range(clusters - 1)] + [2] for _ in range(groups)]
    successes = [[random.randint(0, size) for size in row] for row in sizes]
    found = group_correlations(successes, sizes)
    assert np.diag(found) == pytest.approx(np.ones(groups))
    assert found == pytest.approx(found.T)
    assert np.linalg.eigvalsh(found).min() > -1e-9


def test_equal_separate_groups_add_up():
    assert float(effective_mean([0.0, 0.0, 0.0], [5, 5, 5])) == pytest.approx(15)


def test_a_group_without_answers_leaves_the_mean_undefined():
    found = mean_of_shares([share_of_totals([1], [2]), share_of_totals([], [])])
    assert all(map(math.isnan, found[:3]))
    assert found.n == 2


def test_no_group_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        mean_of_shares([])
