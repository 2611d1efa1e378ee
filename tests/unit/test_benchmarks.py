"""The benchmarks can be run: what they import of the package is there, and every drawn suite has stimuli to measure."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from afterimage.planning.plan import Plan

#: Suites whose images are drawn here, without files of the user's.
DRAWN = [
    "blindtest",
    "contrast",
    "counting_bias",
    "hidden_digits",
    "illusion_strength",
    "illusion_vqa",
    "illusionbench",
    "pope",
    "search",
    "texture",
    "tunnel_vision",
]


#: Those that run local models.
WITH_TORCH = {
    "contamination",
    "graded",
    "inference_transformers",
    "local_models",
    "served_transformers",
}
FOLDER = Path(__file__).parents[2] / "benchmarks"
BENCHMARKS = {path.stem for path in FOLDER.glob("*.py")}


@pytest.fixture
def read(monkeypatch):
    """Import a benchmark; nothing of it is run."""
    monkeypatch.syspath_prepend(str(FOLDER))

    def imported(name):
        spec = spec_from_file_location(f"benchmark_{name}", FOLDER / f"{name}.py")
        module = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return module

    return imported


@pytest.fixture(scope="module")
def plan(root):
    """A study with all of them as they are by default."""
    return Plan({"models": ["chance"], "suites": {suite: {} for suite in DRAWN}}, root)


@pytest.mark.parametrize("suite", DRAWN)
def test_the_stimuli_of_every_drawn_suite_can_be_measured(suite, read, plan):
    assert next(read("stimuli").tasks_of(plan, suite)).draw().ndim == 3


@pytest.mark.parametrize("name", sorted(BENCHMARKS - WITH_TORCH))
def test_what_a_benchmark_imports_is_there(name, read):
    assert read(name).__doc__


@pytest.mark.parametrize("name", sorted(WITH_TORCH))
def test_what_a_benchmark_of_local_models_imports_is_there(name, read):
    pytest.importorskip("torch")
    assert read(name).__doc__
