"""A page of images below which stand answers that were chosen for what they are, not by chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import resolve, with_name
from afterimage.stages.example_page import chosen_by, draw_nothing, page_spec
from afterimage.stages.stage import Stage, each

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.showing.charts.example_page import Chosen
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- what the jobs depend on ----


def chosen_parts(plan: Plan, at: Names) -> list[str]:
    """Return what chooses the answers that a page shows."""
    return [with_name(page_spec(plan, at)["part"], "chosen")]


def _pages(plan: Plan) -> list[str]:
    return [page for page in plan.pages if chosen_by(plan, page) is not None]


# ---- what the jobs do ----


def draw_chosen(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Draw the page in each of the formats that ``outputs`` end in; without answers it says why it is empty.

    Args:
        spec: ``part``, the module whose ``chosen`` takes graded answers and ``settings`` and returns a Chosen;
            ``images``, the most of each prompt, chosen by their ids; ``language``, where that is not English.
        inputs: ``shards``, the item files, schema ITEM; ``grades``, schema GRADE, in the order of the page's lines, of
            which models that are not finished are left out.
        outputs: The files to write, by format.
        beside: Nothing.
    """
    from afterimage.showing.answers import read_grades, unfinished_grades, without
    from afterimage.showing.charts.example_page import OWN_WORDS, Example, Panel, compose
    from afterimage.showing.charts.examples import asked_items, choose, images_of
    from afterimage.showing.charts.finished_figure import save_figure, say

    grades = read_grades(inputs["grades"])
    grades = without(grades, unfinished_grades(inputs["grades"]))
    found: Chosen = resolve(with_name(spec["part"], "chosen"))(grades, spec["settings"])
    by_prompt: dict[str, list[dict[str, Any]]] = {}
    for item in asked_items(inputs["shards"]):
        if item["item_id"] in found.answers:
            by_prompt.setdefault(item["prompt"], []).append(item)
    if not by_prompt:
        draw_nothing(found.nothing, spec, outputs)
        return
    chosen = {prompt: choose(items, spec["images"]) for prompt, items in by_prompt.items()}
    images = images_of([item for items in chosen.values() for item in items])
    panels = [
        Panel(
            prompt if len(chosen) > 1 else "",
            [
                Example(
                    images[item["item_id"]],
                    found.keys[item["item_id"]],
                    found.answers[item["item_id"]],
                )
                for item in items
            ],
        )
        for prompt, items in chosen.items()
    ]
    page = compose(panels, columns=1, said=found.said)
    say(page, spec, "examples", marked=OWN_WORDS)
    save_figure(page, outputs.values())


STAGES = (
    Stage(
        "draw_chosen",
        draw_chosen,
        "figures",
        parts=chosen_parts,
        spec=page_spec,
        jobs=each("page", _pages),
    ),
)
