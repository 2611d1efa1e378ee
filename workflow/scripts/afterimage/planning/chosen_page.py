"""What pages of examples that are chosen by answers depend on."""

from afterimage.contract.parts import with_name
from afterimage.planning.example_page import chosen_by, page_spec
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each


def chosen_parts(plan: Plan, at: Names) -> list[str]:
    """Return what chooses the answers that a page shows."""
    return [with_name(page_spec(plan, at)["part"], "chosen")]


def _pages(plan: Plan) -> list[str]:
    return [page for page in plan.pages if chosen_by(plan, page) is not None]


STAGES = (
    Stage(
        "draw_chosen",
        "chosen_page:draw_chosen",
        "figures",
        parts=chosen_parts,
        spec=page_spec,
        jobs=each("page", _pages),
    ),
)
