"""What grades, and the table of all answers, depend on."""

from typing import Any

from afterimage.grading.language.words import digest
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_suite


def graders(plan: Plan, at: Names) -> list[str]:
    """Return the modules that read a suite's answers."""
    return [f"afterimage.grading.readers.{name}" for name in plan.studied[at.suite].answer_types]


def grades_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a model's grades depend on, its answers apart."""
    adaptive = {"adaptive": True} if at.suite in plan.adaptive else {}
    return {"answer_words": digest(), **adaptive}


def all_answers_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return the models and the suites' versions."""
    versions = {name: own.suite.version for name, own in plan.studied.items()}
    return {"models": list(plan.models), "suites": versions}


STAGES = (
    Stage(
        "grade_responses",
        "grades:grade_model",
        "tables",
        parts=graders,
        spec=grades_spec,
        jobs=each_suite(),
    ),
    Stage("make_all_answers", "grades:make_all_answers", "tables", spec=all_answers_spec),
)
