"""What the matching of recorded answers with items depends on."""

from typing import Any

from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage


def matching_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return a model's settings; ``has_holes`` where images are not there."""
    holes = {"has_holes": True} if plan.missing[at.suite].names else {}
    return {**holes, "model": at.model, "settings": plan.models[at.model].settings}


STAGES = (
    Stage(
        "match_recorded_answers", "recorded:match_recorded_answers", "tables", spec=matching_spec
    ),
)
