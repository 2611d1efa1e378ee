"""Which suites ask who claims to see, and what the tables about that depend on. Read whenever a plan is made."""

from collections.abc import Callable
from typing import Any

from afterimage.grading.words import digest
from afterimage.planning.configuration import CLAIMING
from afterimage.planning.plan import Plan
from afterimage.planning.stage_parts import told_readers


def asking_for_claims(plan: Plan) -> list[str]:
    """Return the suites whose questions are asked without their images to see who claims to have seen them."""
    return [
        suite for suite, asked in plan.probes.items() if any(asked[probe] for probe in CLAIMING)
    ]


def asking_clean(plan: Plan) -> list[str]:
    """Return those of them whose accuracies are wanted without what some model answers rightly without image."""
    return [suite for suite in asking_for_claims(plan) if plan.probes[suite]["clean"]]


def claims_spec(plan: Plan, suites: Callable[[Plan], list[str]]) -> dict[str, Any]:
    """Return what a table about these suites depends on, the answers apart.

    An item needs no image where a model answers it without. Reference responders mark none, as one of them guesses and
    two know every figure's name; but where there is nobody else, they do.
    """
    models = [name for name in plan.models if name not in plan.responders or name in plan.recorded]
    return {
        "answer_words": digest(),
        "confidence": plan.statistics["confidence"],
        "marking": models or list(plan.models),
        "models": list(plan.models),
        **told_readers(plan, *suites(plan)),
    }
