"""What asking adaptively depends on, each question chosen by the answers so far: plain values."""

from collections.abc import Iterable
from typing import Any

from afterimage.grading.language.words import digest
from afterimage.planning.grades import graders
from afterimage.planning.inference import model_parts, model_spec
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites


def adaptive_parts(plan: Plan, at: Names) -> list[str]:
    """Return what asks a model, says where items stand and reads answers."""
    own = f"{plan.studied[at.suite].suite.adaptive}:ADAPTIVE"
    return [*model_parts(plan, at), own, *graders(plan, at)]


def adaptive_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what can change which questions are chosen, and their answers."""
    own = plan.studied[at.suite]
    chosen = {"adaptive": f"{own.suite.adaptive}:ADAPTIVE", "trials": own.trials}
    return {**model_spec(plan, at), **chosen, "answer_words": digest()}


def _models(plan: Plan, suite: str) -> Iterable[str]:
    return plan.models if suite in plan.adaptive else ()


STAGES = (
    Stage(
        "run_adaptive",
        "adaptive:run_adaptive",
        "inference",
        parts=adaptive_parts,
        spec=adaptive_spec,
        jobs=each_of_suites("model", _models),
    ),
)
