"""What drawn figures depend on, and the files in others' forms beside them."""

from typing import Any

from afterimage.contract.parts import name_of
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites


def figure_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that draw and measure a figure."""
    return plan.studied[at.suite].drawing_parts(at.figure)


def figure_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the drawing and measuring of a figure depends on, its code apart."""
    return plan.studied[at.suite].drawing_spec(at.figure)


def side_files_parts(plan: Plan, at: Names) -> list[str]:
    """Return the part that writes files in others' forms."""
    return [name_of(side_files_spec(plan, at)["part"])]


def side_files_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what these files depend on, their inputs apart."""
    files = plan.studied[at.suite].side_files[at.writer]
    return {"part": files.part, "settings": files.spec}


def sources(plan: Plan, suite: str, figure: str) -> list[str]:
    """Return the user's files that a figure's stimuli are made from, as far as they are there."""
    absent = set(plan.missing[suite].names)
    return [file for file in plan.studied[suite].sources(figure) if file not in absent]


STAGES = (
    Stage(
        "draw_figure",
        "stimuli:draw_figure",
        "stimuli",
        parts=figure_parts,
        spec=figure_spec,
        jobs=each_of_suites("figure", lambda plan, suite: plan.figures[suite]),
    ),
    Stage(
        "write_side_files",
        "stimuli:write_side_files",
        "stimuli",
        parts=side_files_parts,
        spec=side_files_spec,
        jobs=each_of_suites("writer", lambda plan, suite: plan.studied[suite].side_files),
    ),
)
