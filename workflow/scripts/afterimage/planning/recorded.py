"""What the matching of recorded answers with items depends on."""

from typing import Any

from afterimage.files.paths import RESULTS
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites


def matching_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return a model's settings; ``has_holes`` where images are not there."""
    holes = {"has_holes": True} if plan.missing[at.suite].names else {}
    return {**holes, "model": at.model, "settings": plan.models[at.model].settings}


def stimuli_named(plan: Plan, suite: str, model: str) -> list[str]:
    """Return the files that say what a suite's images are called, where recorded answers go by that."""
    goes_by = "{file}" in (plan.models[model].settings["item_name"] or "")
    figures = plan.figures[suite] if goes_by else ()
    return [f"{RESULTS}/stimuli/{suite}/{figure}/stimuli.parquet" for figure in figures]


STAGES = (
    Stage(
        "match_recorded_answers",
        "recorded:match_recorded_answers",
        "tables",
        spec=matching_spec,
        jobs=each_of_suites("model", lambda plan, suite: plan.recorded),
    ),
)
