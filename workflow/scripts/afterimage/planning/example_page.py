"""What pages of examples depend on beside their files: plain values."""

from typing import Any

from afterimage.contract.parts import with_name
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each, told_readers

#: Images in each panel of a page of examples.
IMAGES_PER_PANEL = 6


def page_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a page of examples depends on, items, responses and grades apart."""
    suite = plan.studied[plan.pages[at.page]]
    own = suite.pages[at.page]
    judge = "reference judge" if plan.judging.is_reference else "judge"
    shown = {"images": IMAGES_PER_PANEL, "models": list(plan.models), "panels": list(own.panels)}
    others = plan.ledger.shown(plan.pages[at.page]) if own.recorded else {}
    return {
        **shown,
        **({"title": own.title} if own.title else {}),
        **({"recorded": {**others, "part": own.recorded}} if others else {}),
        **({"cards": own.cards, "judge": judge} if own.cards else {}),
        **(
            {"settings": suite.suite.table_settings(at.page, suite.settings, suite.people)}
            if own.chosen or others
            else {}
        ),
        **({"part": own.chosen} if own.chosen else {}),
        **told_readers(plan, plan.pages[at.page]),
    }


def files_of_others(plan: Plan, page: str) -> list[str]:
    """Return the files of others' answers that a page of examples shows beside the models'; mostly none."""
    suite = plan.pages[page]
    shows = plan.studied[suite].pages[page].recorded
    return plan.ledger.shown_files(suite) if shows else []


def page_parts(plan: Plan, at: Names) -> list[str]:
    """Return what a page of examples calls: what makes its cards, what finds others' answers."""
    spec = page_spec(plan, at)
    cards = [with_name(spec["cards"], "cards")] if "cards" in spec else []
    others = ("answers", "NOTE") if "recorded" in spec else ()
    return [*cards, *(with_name(spec["recorded"]["part"], name) for name in others)]


def chosen_by(plan: Plan, page: str) -> str | None:
    """Return where it is what chooses the answers that a page shows, of the few where answers decide."""
    return plan.studied[plan.pages[page]].pages[page].chosen


def _pages(plan: Plan) -> list[str]:
    return [page for page in plan.pages if chosen_by(plan, page) is None]


STAGES = (
    Stage(
        "draw_examples",
        "example_page:draw_examples",
        "figures",
        parts=page_parts,
        spec=page_spec,
        jobs=each("page", _pages),
    ),
)
