"""What images as files of their own, and contact sheets of them, depend on."""

from typing import Any

from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage


def image_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return which stimulus is written."""
    return {"stimulus": at.stimulus}


def sheet_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a contact sheet depends on, its images apart."""
    columns, stimuli = plan.studied[plan.sheets[at.sheet]].sheets[at.sheet]
    return {"columns": columns, "stimuli": stimuli}


STAGES = (
    Stage("write_image", "images:write_image", "stimuli", spec=image_spec),
    Stage("draw_contact_sheet", "images:draw_contact_sheet", "figures", spec=sheet_spec),
)
