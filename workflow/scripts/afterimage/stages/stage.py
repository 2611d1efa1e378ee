"""A kind of job, its stage; and what the specs of several stages have in common.

Each feature has a module beside this one: what its jobs depend on, what they do, and its stages, which
``all_stages.py`` collects. The Snakefile imports them all, so that slow packages are imported within the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from afterimage.showing.language import depends

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan

#: The names of what a job makes, such as ``suite`` and ``model``: what a rule has as wildcards, or gives itself.
Names = SimpleNamespace

#: The names of a study's jobs of one stage.
Jobs = Callable[["Plan"], Iterable[Mapping[str, str]]]


@dataclass(frozen=True)
class Stage:
    """A kind of job.

    Attributes:
        name: The stage's name, as rules and reasons of reruns give it.
        run: Module and function of ``afterimage.stages``, called with ``(spec, inputs, outputs, beside)``.
        environment: The file of ``envs/`` with its packages.
        parts: What the function finds by name, ``package.module:name`` or a module for all of it. A job's fingerprint
            covers what these and the function reach, and nothing else.
        spec: What its result depends on beside code and input files: plain values.
        jobs: The names of a study's jobs as far as their code differs: not each shard, stimulus and number of its own.
            By default there is one job, without names.
    """

    name: str
    run: Callable[..., object]
    environment: str
    parts: Callable[[Plan, Names], Iterable[str]] = lambda plan, at: ()
    spec: Callable[[Plan, Names], Mapping[str, Any]] = lambda plan, at: {}
    jobs: Jobs = lambda plan: [{}]

    @property
    def part(self) -> str:
        """Where the function is, ``package.module:name``."""
        return f"{self.run.__module__}:{self.run.__qualname__}"

    def code(self, plan: Plan, at: Names) -> str:
        """Return the fingerprint of the code and the packages behind a job."""
        return plan.codes.code(self.name, self.part, list(self.parts(plan, at)), self.environment)

    def begin(self, plan: Plan, at: Names) -> list[str]:
        """Return the parts from which all code of a job is reached."""
        return plan.codes.begin(self.part, list(self.parts(plan, at)))


# ---- which jobs there are ----


def once_if(condition: Callable[[Plan], object]) -> Jobs:
    """Return who names one job where a study meets a condition."""
    return lambda plan: [{}] if condition(plan) else []


def each(key: str, named: Callable[[Plan], Iterable[str]]) -> Jobs:
    """Return who names a job for each of some names."""
    return lambda plan: [{key: name} for name in named(plan)]


def each_of_suites(key: str, named: Callable[[Plan, str], Iterable[str]]) -> Jobs:
    """Return who names a job for each of some names of every suite."""
    return lambda plan: [
        {"suite": suite, key: name} for suite in plan.suites for name in named(plan, suite)
    ]


def each_suite(condition: Callable[[Plan, str], object] = lambda plan, suite: True) -> Jobs:
    """Return who names a job for each suite that meets a condition."""
    return each("suite", lambda plan: [suite for suite in plan.suites if condition(plan, suite)])


# ---- what tables, charts and pages tell readers ----


def spoken(plan: Plan) -> dict[str, str]:
    """Return what depends on the study's language: nothing where that is English."""
    return depends(plan.language)


def told_readers(plan: Plan, *suites: str) -> dict[str, Any]:
    """Return what readers of tables about these suites, or about all, are told: of a pilot, in which language."""
    return {**plan.pilot(*suites), **spoken(plan)}
