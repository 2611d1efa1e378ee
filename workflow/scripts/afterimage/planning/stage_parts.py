"""What several stages have in common: parts that their functions find by name, and values of their specs."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from afterimage.planning.plan import Plan
from afterimage.showing.language import depends

#: The names of what a job makes, such as ``suite`` and ``model``: what a rule has as wildcards, or gives itself.
Names = SimpleNamespace


def graders(plan: Plan, at: Names) -> list[str]:
    """Return the modules that read a suite's answers."""
    return [f"afterimage.grading.{name}" for name in plan.studied[at.suite].answer_types]


def told(plan: Plan, at: Names) -> list[str]:
    """Return the part that says what a judge is told, with the readers where it asks them what was left unread."""
    own = [plan.judging.told(at.suite)]
    return [*own, *graders(plan, at)] if at.suite in plan.judging.unread else own


def voting(plan: Plan, at: Names) -> list[str]:
    """Return what is behind a judge's votes; a reference judge has the suite's readers say what is right."""
    decides = plan.judging.decides(at.suite)
    own = [plan.judging.backend, *told(plan, at), *decides]
    return list(dict.fromkeys([*own, *(graders(plan, at) if decides else [])]))


def papers(plan: Plan, at: Names) -> list[str]:
    """Return the modules that say where the papers' numbers stand."""
    return plan.ledger.parts


def part_of(
    spec: Callable[[Plan, Names], Mapping[str, Any]],
) -> Callable[[Plan, Names], list[str]]:
    """Return who names the part in a spec."""
    return lambda plan, at: [spec(plan, at)["part"]]


def versions(plan: Plan) -> dict[str, str]:
    """Return the version of each suite."""
    return {name: own.suite.version for name, own in plan.studied.items()}


def spoken(plan: Plan) -> dict[str, str]:
    """Return what depends on the study's language: nothing where that is English."""
    return depends(plan.language)


def told_readers(plan: Plan, *suites: str) -> dict[str, str]:
    """Return what readers of tables about these suites, or about all, are told: of a pilot, in which language."""
    return {**plan.pilot(*suites), **spoken(plan)}


def for_readers(plan: Plan, at: Names, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table's spec with what it tells readers of the study: of a pilot, in which language."""
    return {**spec, "readers": told_readers(plan, at.suite)}
