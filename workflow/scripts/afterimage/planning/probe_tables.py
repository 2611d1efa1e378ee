"""What the tables depend on that are about probes of all suites: what is known without image, and who claims to see.

Which suites each is about.
"""

from collections.abc import Iterable
from typing import Any

from afterimage.grading.language.words import digest
from afterimage.planning.configuration import CLAIMING
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, once_if, told_readers


def asking_without_image(plan: Plan) -> list[str]:
    """Return the suites whose questions are asked without their images as well."""
    return [suite for suite, asked in plan.probes.items() if asked["text_only"] or asked["blank"]]


def asked_several_times(plan: Plan) -> list[tuple[str, str]]:
    """Return pairs of suite and model in which a question has several answers: other orders of options, or repeats."""
    return [
        (suite, model)
        for suite in plan.suites
        if suite not in plan.adaptive
        for model, entry in plan.models.items()
        if plan.probes.get(suite, {}).get("option_orders", 0)
        or entry.settings.get("repeats", 1) > 1
    ]


def knowledge_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of what is known without the image depends on, the answers apart."""
    return {
        "confidence": plan.statistics["confidence"],
        "models": list(plan.models),
        **told_readers(plan, *asking_without_image(plan)),
    }


def robustness_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of answers to questions that are asked more than once depends on, the answers apart."""
    return {
        **plan.statistics,
        "asked_again": asked_several_times(plan),
        **told_readers(plan, *(suite for suite, _ in asked_several_times(plan))),
    }


# ---- who claims to see ----


def asking_for_claims(plan: Plan) -> list[str]:
    """Return the suites whose questions are asked without their images to see who claims to have seen them."""
    return [
        suite for suite, asked in plan.probes.items() if any(asked[probe] for probe in CLAIMING)
    ]


def asking_clean(plan: Plan) -> list[str]:
    """Return those of them whose accuracies are wanted without what some model answers rightly without image."""
    return [suite for suite in asking_for_claims(plan) if plan.probes[suite]["clean"]]


def _about(plan: Plan, suites: Iterable[str]) -> dict[str, Any]:
    """Return what a table of claims about these suites depends on, the answers apart.

    An item needs no image where a model answers it without. Reference responders mark none, as one of them guesses and
    two know every figure's name; but where there is nobody else, they do.
    """
    models = [name for name in plan.models if name not in plan.responders or name in plan.recorded]
    return {
        "answer_words": digest(),
        "confidence": plan.statistics["confidence"],
        "marking": models or list(plan.models),
        "models": list(plan.models),
        **told_readers(plan, *suites),
    }


def claims_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of claims depends on."""
    return _about(plan, asking_for_claims(plan))


def clean_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the accuracies without these items depend on."""
    return _about(plan, asking_clean(plan))


STAGES = (
    Stage(
        "make_knowledge_all",
        "probe_tables:make_knowledge",
        "tables",
        spec=knowledge_spec,
        jobs=once_if(asking_without_image),
    ),
    Stage(
        "make_claims",
        "probe_tables:make_claims",
        "tables",
        spec=claims_spec,
        jobs=once_if(asking_for_claims),
    ),
    Stage(
        "make_claims_clean",
        "probe_tables:make_clean",
        "tables",
        spec=clean_spec,
        jobs=once_if(asking_clean),
    ),
    Stage(
        "make_robustness",
        "probe_tables:make_robustness",
        "tables",
        spec=robustness_spec,
        jobs=once_if(asked_several_times),
    ),
)
