"""Simulated observers of known parameters: small bias, and intervals that hold the truth about as often as they say."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[4] / "benchmarks" / "psychometric.py"
OBSERVERS = 16


@pytest.fixture(scope="module")
def benchmark():
    """The benchmark as a module."""
    spec = spec_from_file_location("psychometric", BENCHMARK)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def dull(benchmark):
    """What is measured of an observer with noise whose replicates differ."""
    observer = benchmark.Observer("dull", 4.0, 0.3, 0.2, spread=0.05)
    return benchmark.measure(observer, OBSERVERS, seed=1)


def test_fits_are_nearly_unbiased(dull):
    assert dull["found"] > 0.9
    assert abs(dull["pse_bias"]) < 0.06
    assert abs(dull["magnitude_bias"]) < 0.08
    assert abs(dull["c_bias"]) < 0.05
    assert abs(dull["slope_bias"]) < 1


def test_jackknife_intervals_hold_the_truth_and_bootstrap_intervals_too_rarely(dull):
    assert dull["pse_jackknife"] >= 0.8
    assert dull["magnitude_jackknife"] >= 0.8
    for name in ("pse", "magnitude", "slope"):
        assert dull[f"{name}_bootstrap"] <= dull[f"{name}_jackknife"]


def test_guessers_hardly_ever_have_a_point_of_equality(benchmark):
    guesser = benchmark.OBSERVERS[-1]
    assert guesser.slope == 0
    assert benchmark.measure(guesser, OBSERVERS, seed=1)["found"] <= 0.1
