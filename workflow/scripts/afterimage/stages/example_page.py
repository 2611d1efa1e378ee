"""Pages of examples: some images of each task, and what every model answered to them.

Which images are shown follows from their ids and right answers, never from what was answered; but for pages of answers
that are chosen for what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import resolve, with_name
from afterimage.errors import AfterimageError
from afterimage.files.paths import anchored
from afterimage.note import Note
from afterimage.showing.pilot import pilot_note
from afterimage.stages.stage import Stage, each, reader_spec

if TYPE_CHECKING:
    import numpy as np

    from afterimage.planning.plan import Plan
    from afterimage.showing.charts.example_page import Answer, Chosen, Panel
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


#: Images in each panel of a page of examples.
IMAGES_PER_PANEL = 6


def page_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a page of examples depends on, except items, responses and grades."""
    suite = plan.studied[plan.pages[at.page]]
    page = suite.pages[at.page]
    judge = "reference judge" if plan.judging.is_reference else "judge"
    shown = {"images": IMAGES_PER_PANEL, "models": list(plan.models), "panels": list(page.panels)}
    others = plan.ledger.shown(plan.pages[at.page]) if page.recorded else {}
    return {
        **shown,
        **({"title": page.title} if page.title else {}),
        **({"recorded": {**others, "part": page.recorded}} if others else {}),
        **({"cards": page.cards, "judge": judge} if page.cards else {}),
        **(
            {"settings": suite.suite.table_settings(at.page, suite.settings, suite.people)}
            if page.chosen or others
            else {}
        ),
        **({"part": page.chosen} if page.chosen else {}),
        **reader_spec(plan, plan.pages[at.page]),
    }


def files_of_others(plan: Plan, page: str) -> list[str]:
    """Return the files of other models' recorded answers that a page of examples also shows; mostly none."""
    suite = plan.pages[page]
    shows = plan.studied[suite].pages[page].recorded
    return plan.ledger.outcome_files(suite) if shows else []


def page_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that a page of examples calls: for its cards, and for recorded answers."""
    spec = page_spec(plan, at)
    cards = [with_name(spec["cards"], "cards")] if "cards" in spec else []
    others = ("answers", "NOTE") if "recorded" in spec else ()
    return [*cards, *(with_name(spec["recorded"]["part"], name) for name in others)]


def chosen_by(plan: Plan, page: str) -> str | None:
    """Return the reference to the part that chooses a page's answers; None for pages that show a sample."""
    return plan.studied[plan.pages[page]].pages[page].chosen


def _pages(plan: Plan) -> list[str]:
    return [page for page in plan.pages if chosen_by(plan, page) is None]


_NOTHING = "nothing to show: the study leaves no question"


def draw_examples(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Draw the page in each of the formats that ``outputs`` end in.

    Args:
        spec: ``panels``: for each, the values of some factors or of ``figure``, ``prompt`` or ``question``; panels
            without items are left out. ``images``: number of images per panel. ``language``, if it is not English.
            ``title``, if the page has one. ``pilot``, whose items may belong to no panel. ``recorded`` (``part``,
            ``folder``) if recorded answers of others are shown, too, with the ``settings`` of the suite's tables.
            ``cards``, instead of panels: the reference to the function that makes the page's cards from the items;
            ``judge``, the name of their judge.
        inputs: ``shards``, the item files to choose from, schema ITEM; ``responses``, the models' replies, schema
            RESPONSE, shown if they could not be read; ``grades``, the models' judged answers, schema GRADE, in the
            order of the page's lines.
        outputs: The files to write, by format.

    Raises:
        AfterimageError: There are items, and none belongs to any panel.
    """
    from afterimage.showing.charts.example_page import OWN_WORDS, PageTexts, compose
    from afterimage.showing.charts.examples import (
        answers_to,
        choose,
        images_of,
        items_of_panel,
        suite_items,
    )
    from afterimage.showing.charts.finished_figure import save_figure, translate_figure

    items = suite_items(inputs["shards"])
    if "cards" in spec:
        _draw_cards(items, spec, inputs, outputs)
        return
    chosen = [choose(items_of_panel(items, panel), spec["images"]) for panel in spec["panels"]]
    chosen = [of_panel for of_panel in chosen if of_panel]
    if not chosen and "pilot" in spec:
        draw_nothing(_nothing_of(spec), spec, outputs)
        return
    if not items:
        draw_nothing(_NOTHING, spec, outputs)
        return
    if not chosen:
        raise AfterimageError(
            f"page of examples: none of its panels has an item among {len(items)}; "
            "expected items with the factors that the panels name."
        )
    shown = [item for of_panel in chosen for item in of_panel]
    images = images_of(shown)
    answers = answers_to(inputs["grades"], inputs["responses"], [item["item_id"] for item in shown])
    others, note = _recorded(spec, shown)
    for item_id, theirs in others.items():
        answers.setdefault(item_id, []).extend(theirs)
    panels = [_panel(of_panel, images, answers) for of_panel in chosen]
    page = compose(panels, texts=PageTexts(note=note, title=spec.get("title", "")))
    # Questions and answers are not translated.
    translate_figure(page, spec, "examples", marked=OWN_WORDS)
    save_figure(page, outputs.values())


def _nothing_of(spec: Mapping[str, Any]) -> Note:
    return Note("nothing to show ({pilot})", pilot=pilot_note(spec["pilot"]))


def _panel(
    items: Sequence[Mapping[str, Any]],
    images: Mapping[str, np.ndarray],
    answers: Mapping[str, Sequence[Answer]],
) -> Panel:
    from afterimage.showing.charts.example_page import Example, Panel, question_text
    from afterimage.showing.charts.examples import in_words

    examples = [
        Example(images[item["item_id"]], in_words(item["key"]), answers.get(item["item_id"], ()))
        for item in items
    ]
    return Panel(question_text(items[0]), examples)


def _draw_cards(
    items: Sequence[Mapping[str, Any]], spec: Mapping[str, Any], inputs: Files, outputs: Files
) -> None:
    """Draw a page of the suite's cards; without cards it says why it is empty."""
    from afterimage.showing.charts.cards import PageAnswers, compose_cards
    from afterimage.showing.charts.example_page import OWN_WORDS
    from afterimage.showing.charts.examples import answers_to, images_of, scores_of
    from afterimage.showing.charts.finished_figure import save_figure, translate_figure

    cards = resolve(with_name(spec["cards"], "cards"))(items)
    if not cards:
        why = _nothing_of(spec) if "pilot" in spec else _NOTHING
        draw_nothing(why, spec, outputs)
        return
    shown = {picture.item for card in cards for picture in card.pictures}
    images = images_of([item for item in items if item["item_id"] in shown])
    names = [question.item for card in cards for question in card.questions]
    answers = answers_to(inputs["grades"], inputs["responses"], names)
    judged = PageAnswers(answers, scores_of(inputs["grades"], names), spec["judge"])
    page = compose_cards(cards, images, judged)
    translate_figure(page, spec, "texts", "examples", marked=OWN_WORDS)
    save_figure(page, outputs.values())


def draw_nothing(why: str, spec: Mapping[str, Any], outputs: Files) -> None:
    """Draw a page that says why it is empty, in the study's language."""
    from matplotlib.figure import Figure

    from afterimage.showing.charts.finished_figure import save_figure, translate_figure

    empty = Figure(figsize=(4, 1))
    empty.text(0.5, 0.5, why, ha="center", va="center")
    translate_figure(empty, spec, "examples", "texts")
    save_figure(empty, outputs.values())


def _recorded(
    spec: Mapping[str, Any], shown: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, list[Answer]], str]:
    """Return each item's recorded answers of others, and the page's note about them; mostly none."""
    if "recorded" not in spec:
        return {}, ""
    part = spec["recorded"]["part"]
    find, note = (resolve(with_name(part, name)) for name in ("answers", "NOTE"))
    found = find(shown, anchored(spec["recorded"]["folder"]), spec["settings"])
    return found, note if found else ""


# ---- answers that the suite chooses, not a sample ----


def chosen_parts(plan: Plan, at: Names) -> list[str]:
    """Return the part that chooses a page's answers."""
    return [with_name(page_spec(plan, at)["part"], "chosen")]


def _chosen_pages(plan: Plan) -> list[str]:
    return [page for page in plan.pages if chosen_by(plan, page) is not None]


def draw_chosen(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Draw the page in each of the formats that ``outputs`` end in; without answers it says why it is empty.

    Args:
        spec: ``part``, the module whose ``chosen`` takes graded answers and ``settings`` and returns a Chosen;
            ``images``, the largest number per prompt, chosen by their ids; ``language``, if it is not English.
        inputs: ``shards``, the item files, schema ITEM; ``grades``, schema GRADE, in the order of the page's lines;
            unfinished models are left out.
        outputs: The files to write, by format.
    """
    from afterimage.showing.answers import read_grades, unfinished_grades, without
    from afterimage.showing.charts.example_page import OWN_WORDS, Example, Panel, compose
    from afterimage.showing.charts.examples import choose, images_of, suite_items
    from afterimage.showing.charts.finished_figure import save_figure, translate_figure

    grades = read_grades(inputs["grades"])
    grades = without(grades, unfinished_grades(inputs["grades"]))
    found: Chosen = resolve(with_name(spec["part"], "chosen"))(grades, spec["settings"])
    by_prompt: dict[str, list[dict[str, Any]]] = {}
    for item in suite_items(inputs["shards"]):
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
    page = compose(panels, columns=1, texts=found.texts)
    translate_figure(page, spec, "examples", marked=OWN_WORDS)
    save_figure(page, outputs.values())


# ---- stages ----

STAGES = (
    Stage(
        "draw_examples",
        draw_examples,
        "figures",
        parts=page_parts,
        spec=page_spec,
        jobs=each("page", _pages),
    ),
    Stage(
        "draw_chosen",
        draw_chosen,
        "figures",
        parts=chosen_parts,
        spec=page_spec,
        jobs=each("page", _chosen_pages),
    ),
)
