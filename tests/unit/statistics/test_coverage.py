"""The benchmark that repeats the coverage figures measures what it says it does."""

import importlib.util

import numpy as np
import pytest


@pytest.fixture(scope="module")
def coverage(root):
    path = root / "benchmarks" / "coverage.py"
    module = importlib.util.module_from_spec(
        spec := importlib.util.spec_from_file_location("coverage_benchmark", path)
    )
    spec.loader.exec_module(module)
    return module


def held(cells, method):
    return np.mean([cell[method].held for cell in cells])


def test_shares_hold_the_truth_where_independent_answers_and_the_bootstrap_do_not(coverage):
    cells = list(coverage.shares(10, coverage.common_answer, 1))
    assert held(cells, coverage.HERE) > 0.95 > 0.85 > held(cells, "Wilson, answers independent")
    assert held(cells, "percentile bootstrap of clusters") < 0.85
    assert min(cell[coverage.HERE].least for cell in cells) > 0
    assert 0.93 < held(cells, coverage.ORACLE) < 0.97


def test_means_of_groups_hold_the_truth_where_summed_intervals_do_not(coverage):
    cells = list(coverage.means(10, shared=True))
    assert held(cells, coverage.HERE) > 0.95 > held(cells, "sum of the groups' intervals")


def test_exact_replications_differ_as_rarely_as_promised(coverage):
    found = [rates for _, rates, _ in coverage.replications(20, 0.0)]
    here, before = (np.mean([rates[name] for rates in found]) for name in found[0])
    assert here < 0.04 < 0.2 < before


def test_shared_clusters_of_a_difference_are_worth_knowing(coverage):
    cells = list(coverage.unmatched(10))
    assert held(cells, coverage.HERE) > 0.93
    widths = {name: np.mean([cell[name].width for cell in cells]) for name in cells[0]}
    assert widths[coverage.HERE] < widths["shared clusters taken for separate"]
