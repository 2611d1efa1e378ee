"""What images as files of their own, and contact sheets of them, depend on."""

from typing import Any

from afterimage.errors import unknown_name
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each, once_if

#: Images of a study that are written as files too.
MOST_IMAGE_FILES = 5000


def image_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return which stimulus is written."""
    return {"stimulus": at.stimulus}


def sheet_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a contact sheet depends on, its images apart."""
    columns, stimuli = plan.studied[plan.sheets[at.sheet]].sheets[at.sheet]
    return {"columns": columns, "stimuli": stimuli}


def sheet_figures(plan: Plan, sheet: str) -> list[str]:
    """Return the figures whose stimuli a contact sheet shows."""
    _, stimuli = plan.studied[plan.sheets[sheet]].sheets[sheet]
    return list(dict.fromkeys(figure for figure, _ in stimuli))


def are_written(plan: Plan) -> bool:
    """Tell whether images are written as files too, for people: there are few enough to look through a folder."""
    return sum(own.positions.drawn for own in plan.studied.values()) <= MOST_IMAGE_FILES


def require_stimulus(plan: Plan, suite: str, figure: str, stimulus: str) -> None:
    """Check that there is an image of this name.

    Raises:
        AfterimageError: The figure has no such stimulus.
    """
    if figure not in plan.figures[suite]:
        raise unknown_name("figure", figure, plan.figures[suite], f"suite '{suite}'")
    known = plan.studied[suite].stimulus_ids(figure)
    if stimulus not in known:
        raise unknown_name("stimulus", stimulus, known, f"figure '{figure}' of suite '{suite}'")


STAGES = (
    Stage(
        "write_image", "images:write_image", "stimuli", spec=image_spec, jobs=once_if(are_written)
    ),
    Stage(
        "draw_contact_sheet",
        "images:draw_contact_sheet",
        "figures",
        spec=sheet_spec,
        jobs=each("sheet", lambda plan: plan.sheets),
    ),
)
