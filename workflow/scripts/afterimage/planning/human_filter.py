"""What the decisions of the human filter depend on."""

from typing import Any

from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_suite


def filter_parts(plan: Plan, at: Names) -> list[str]:
    """Return what decides, and the columns that it fills."""
    names = ("decide", "ILLUSION_COLUMNS", "IMAGE_COLUMNS", "PEOPLE_COLUMNS")
    return [f"{plan.studied[at.suite].filter.part}:{name}" for name in names]


def filter_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the human filter depends on, the answers apart."""
    own = plan.studied[at.suite]
    decided = own.filter.spec(own.words, own.settings, tuple(own.figures), own.people)
    return {**decided, "part": own.filter.part, "suite": at.suite}


def has_human_filter(plan: Plan, suite: str) -> bool:
    """Tell whether people's answers decide which figures of a suite count."""
    return plan.studied[suite].suite.decide is not None


def human_responses(plan: Plan, suite: str) -> list[str]:
    """Return the file of people's raw answers, or nothing where the paper's own decision stands."""
    own = plan.studied[suite]
    path = own.filter.responses(own.settings, own.people)
    return [] if path is None else [path]


STAGES = (
    Stage(
        "apply_human_filter",
        "human_filter:apply_human_filter",
        "tables",
        parts=filter_parts,
        spec=filter_spec,
        jobs=each_suite(has_human_filter),
    ),
)
