"""What pages of examples that are chosen by answers depend on."""

from afterimage.contract.parts import with_name
from afterimage.planning.example_page import page_spec
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage


def chosen_by(plan: Plan, page: str) -> str | None:
    """Return where it is what chooses the answers that a page shows, of the few where answers decide."""
    return plan.studied[plan.pages[page]].pages[page].chosen


def chosen_parts(plan: Plan, at: Names) -> list[str]:
    """Return what chooses the answers that a page shows."""
    return [with_name(page_spec(plan, at)["part"], "chosen")]


STAGES = (Stage("draw_chosen", "chosen_page:draw_chosen", "figures", chosen_parts, page_spec),)
