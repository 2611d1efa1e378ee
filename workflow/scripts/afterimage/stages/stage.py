"""The stage, a kind of job, and what the specs of several stages have in common.

Each feature has a module in this package with the specs of its jobs, their functions and its stages, which
``all_stages.py`` collects. The Snakefile imports all of them, so slow packages are imported within the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from afterimage.showing.language import depends

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan

#: The names of a job's result, such as ``suite`` and ``model``: wildcards of the rule, or set by it.
Names = SimpleNamespace

#: The names of a study's jobs of one stage.
Jobs = Callable[["Plan"], Iterable[Mapping[str, str]]]


@dataclass(frozen=True)
class Stage:
    """A kind of job.

    Attributes:
        name: The stage's name in rules and in reasons of reruns.
        run: Module and function of ``afterimage.stages``, called with ``(spec, inputs, outputs, resources)``.
        environment: The file of ``envs/`` with its packages.
        parts: What the function looks up by name: ``package.module:name``, or a module for all of it. A job's
            fingerprint covers only the code that is reachable from these and the function.
        spec: The plain values that the result depends on, in addition to code and input files.
        jobs: The names of a study's jobs as far as their code differs: shards, stimuli and single numbers are not
            listed separately. By default there is one job, without names.
    """

    name: str
    run: Callable[..., object]
    environment: str
    parts: Callable[[Plan, Names], Iterable[str]] = lambda plan, at: ()
    spec: Callable[[Plan, Names], Mapping[str, Any]] = lambda plan, at: {}
    jobs: Jobs = lambda plan: [{}]

    @property
    def part(self) -> str:
        """Reference of the function, ``package.module:name``."""
        return f"{self.run.__module__}:{self.run.__qualname__}"

    def code(self, plan: Plan, at: Names) -> str:
        """Return the fingerprint of a job's code and packages."""
        return plan.codes.code(self.name, self.part, list(self.parts(plan, at)), self.environment)

    def begin(self, plan: Plan, at: Names) -> list[str]:
        """Return the parts from which all code of a job is reached."""
        return plan.codes.begin(self.part, list(self.parts(plan, at)))


# ---- jobs of a study ----


def once_if(condition: Callable[[Plan], object]) -> Jobs:
    """Return a function that names one job if a study meets a condition."""
    return lambda plan: [{}] if condition(plan) else []


def each(key: str, named: Callable[[Plan], Iterable[str]]) -> Jobs:
    """Return a function that names a job for each of some names."""
    return lambda plan: [{key: name} for name in named(plan)]


def each_of_suites(key: str, named: Callable[[Plan, str], Iterable[str]]) -> Jobs:
    """Return a function that names a job for each of some names of every suite."""
    return lambda plan: [
        {"suite": suite, key: name} for suite in plan.suites for name in named(plan, suite)
    ]


def each_suite(condition: Callable[[Plan, str], object] = lambda plan, suite: True) -> Jobs:
    """Return a function that names a job for each suite that meets a condition."""
    return each("suite", lambda plan: [suite for suite in plan.suites if condition(plan, suite)])


# ---- parts of specs that concern readers ----


def spoken(plan: Plan) -> dict[str, str]:
    """Return the study's language and its texts; nothing if it is English."""
    return depends(plan.language)


def reader_spec(plan: Plan, *suites: str) -> dict[str, Any]:
    """Return what tables about these suites, or about all, say to readers: the pilot and the language."""
    return {**plan.pilot(*suites), **spoken(plan)}
