"""The page of examples: some images of each task, and what every model answered to them.

Which images are shown follows from their ids and right answers, never from what was answered.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure

from afterimage.contract.parts import resolve, with_name
from afterimage.errors import AfterimageError
from afterimage.files.attempts import FAILED
from afterimage.files.parquet import read_records, read_table
from afterimage.files.paths import anchored
from afterimage.files.png import decode_png
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.grading.reasoning import answer_of
from afterimage.items.option_order import without_probes
from afterimage.jobs.running import Files
from afterimage.note import Note
from afterimage.showing.charts.cards import Answered, compose_cards
from afterimage.showing.charts.example_page import (
    OWN_WORDS,
    Answer,
    Example,
    Panel,
    Said,
    compose,
    question_text,
)
from afterimage.showing.charts.finished_figure import save_figure, say
from afterimage.showing.pilot import pilot_note

_ASKED = (
    *("item_id", "stimulus_id", "figure", "prompt", "question", "messages", "options", "key"),
    "factors",
)

_NOTHING = "nothing to show: the study leaves no question"


def draw_examples(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Draw the page in each of the formats that ``outputs`` end in.

    Args:
        spec: ``panels``: for each, the values of some factors or of ``figure``, ``prompt`` or
            ``question``; panels without items are left out. ``images``: number of images per panel. ``language``, where
            that is not English.
            ``title``, where the page has one. ``pilot``, of which no item may belong to any panel. ``recorded``
            (``part``, ``folder``) where others' answers are shown, too, with the ``settings`` of the suite's tables.
            ``cards``, in place of panels: where the function is that takes the items and returns the page's cards;
            ``judge``, what their judge is called.
        inputs: ``shards``, the item files to choose from, schema ITEM; ``responses``, the models' replies, schema
            RESPONSE, shown where they could not be read; ``grades``, the models' judged answers, schema GRADE, in the
            order of the page's lines.
        outputs: The files to write, by format.
        beside: Nothing.

    Raises:
        AfterimageError: There are items, and none belongs to any panel.
    """
    asked = asked_items(inputs["shards"])
    if "cards" in spec:
        _draw_cards(asked, spec, inputs, outputs)
        return
    chosen = [choose(_of_panel(asked, panel), spec["images"]) for panel in spec["panels"]]
    chosen = [of_panel for of_panel in chosen if of_panel]
    if not chosen and "pilot" in spec:
        draw_nothing(_nothing_of(spec), spec, outputs)
        return
    if not asked:
        draw_nothing(_NOTHING, spec, outputs)
        return
    if not chosen:
        raise AfterimageError(
            f"page of examples: none of its panels has an item among {len(asked)}; "
            "expected items with the factors that the panels name."
        )
    shown = [item for of_panel in chosen for item in of_panel]
    images = images_of(shown)
    answers = _answers(inputs["grades"], inputs["responses"], [item["item_id"] for item in shown])
    others, note = _recorded(spec, shown)
    for item, theirs in others.items():
        answers.setdefault(item, []).extend(theirs)
    panels = [_panel(of_panel, images, answers) for of_panel in chosen]
    page = compose(panels, said=Said(note=note, title=spec.get("title", "")))
    # What was asked and answered stays as it is.
    say(page, spec, "examples", marked=OWN_WORDS)
    save_figure(page, outputs.values())


def _nothing_of(spec: Mapping[str, Any]) -> Note:
    return Note("nothing to show ({pilot})", pilot=pilot_note(spec["pilot"]))


def _panel(
    items: Sequence[Mapping[str, Any]],
    images: Mapping[str, np.ndarray],
    answers: Mapping[str, Sequence[Answer]],
) -> Panel:
    examples = [
        Example(images[item["item_id"]], _words(item["key"]), answers.get(item["item_id"], ()))
        for item in items
    ]
    return Panel(question_text(items[0]), examples)


def _draw_cards(
    asked: Sequence[Mapping[str, Any]], spec: Mapping[str, Any], inputs: Files, outputs: Files
) -> None:
    """Draw the page whose cards the suite makes of its items; without any it says why it is empty."""
    cards = resolve(with_name(spec["cards"], "cards"))(asked)
    if not cards:
        why = _nothing_of(spec) if "pilot" in spec else _NOTHING
        draw_nothing(why, spec, outputs)
        return
    shown = {picture.item for card in cards for picture in card.pictures}
    images = images_of([item for item in asked if item["item_id"] in shown])
    names = [one.item for card in cards for one in card.asked]
    answers = _answers(inputs["grades"], inputs["responses"], names)
    judged = Answered(answers, _scores(inputs["grades"], names), spec["judge"])
    page = compose_cards(cards, images, judged)
    say(page, spec, "texts", "examples", marked=OWN_WORDS)
    save_figure(page, outputs.values())


def _scores(
    grades: Sequence[str | os.PathLike[str]], names: Sequence[str]
) -> dict[tuple[str, str], float]:
    """Return what a judge made of descriptions, by item and model; of repeated ones of the first."""
    columns = ("model", "item_id", "repeat", "score")
    return {
        (row["item_id"], row["model"]): row["score"]
        for path in grades
        for row in _rows(path, GRADE, columns, names)
        if row["score"] is not None and not row["repeat"]
    }


def draw_nothing(why: str, spec: Mapping[str, Any], outputs: Files) -> None:
    """Draw a page that says why it is empty, in the study's language."""
    empty = Figure(figsize=(4, 1))
    empty.text(0.5, 0.5, why, ha="center", va="center")
    say(empty, spec, "examples", "texts")
    save_figure(empty, outputs.values())


def asked_items(shards: Sequence[str | os.PathLike[str]]) -> list[dict[str, Any]]:
    """Return a suite's own items without their images, each with the ``shard`` that it is in."""
    return [
        {**item, "shard": shard}
        for shard in shards
        for item in without_probes(read_records(shard, ITEM, _ASKED))
    ]


def choose(items: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """Choose at most ``count`` items, evenly over the right answers in their natural order.

    Of the items with one right answer, those whose stimulus ids have the smallest hashes: a choice that
    neither results nor the order of the files can sway. Each stimulus is taken once.

    Args:
        items: Candidates; ``stimulus_id`` and ``key`` are looked at.
        count: How many are wanted; fewer where there are not as many stimuli.
    """
    distinct = {item["stimulus_id"]: item for item in reversed(items)}
    waiting: dict[str, list[Mapping[str, Any]]] = {}
    for item in sorted(distinct.values(), key=_hash):
        waiting.setdefault(item["key"], []).append(item)
    keys = sorted(waiting, key=_natural)
    wanted = [keys[place * len(keys) // count] for place in range(count)] if keys else []
    chosen = [waiting[key].pop(0) for key in wanted if waiting[key]]
    # Some answers are right for fewer stimuli than their part of the places.
    rest = sorted((item for left in waiting.values() for item in left), key=_hash)
    chosen += rest[: count - len(chosen)]
    return sorted(chosen, key=lambda item: (_natural(item["key"]), _hash(item)))


def _of_panel(
    items: Sequence[Mapping[str, Any]], panel: Mapping[str, str]
) -> list[Mapping[str, Any]]:
    """Return the items with the panel's values that are asked in the words of the first of them."""
    own = [
        item
        for item in items
        if all(item.get(name, item["factors"].get(name)) == value for name, value in panel.items())
    ]
    return [item for item in own if question_text(item) == question_text(own[0])]


def images_of(items: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Return the pixels of the image that the last message of each item shows."""
    places = {item["item_id"]: _image_place(item) for item in items}
    return {
        row["item_id"]: decode_png(row["images"][places[row["item_id"]]]["png"], row["item_id"])
        for shard in dict.fromkeys(item["shard"] for item in items)
        for row in _rows(shard, ITEM, ("item_id", "images"), list(places))
    }


def _image_place(item: Mapping[str, Any]) -> int:
    parts = item["messages"][-1]["parts"]
    place: int = next(part["image"] for part in parts if part["type"] == "image")
    return place


def _answers(
    grades: Sequence[str | os.PathLike[str]],
    responses: Sequence[str | os.PathLike[str]],
    names: Sequence[str],
) -> dict[str, list[Answer]]:
    """Return each item's answers, model by model; of repeated ones the first."""
    replies = {
        (row["model"], row["item_id"], row["repeat"]): answer_of(row)
        for path in responses
        for row in _rows(
            path, RESPONSE, ("model", "item_id", "repeat", "text", "answer_text"), names
        )
    }
    columns = ("model", "item_id", "repeat", "answer", "correct", "outcome")
    answers: dict[str, list[Answer]] = {}
    for path in grades:
        for row in _rows(path, GRADE, columns, names):
            if row["repeat"]:
                continue
            model, item, answer = row["model"], row["item_id"], row["answer"]
            if row["outcome"] == FAILED:
                entry = Answer(model, "no answer yet", "unparsed")
            elif answer is None:
                entry = Answer(model, replies.get((model, item, 0), ""), "unparsed")
            else:
                entry = Answer(model, _words(answer), "right" if row["correct"] else "wrong")
            answers.setdefault(item, []).append(entry)
    return answers


def _recorded(
    spec: Mapping[str, Any], shown: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, list[Answer]], str]:
    """Return each item's answers that were recorded of others, and what the page says of them; mostly none."""
    if "recorded" not in spec:
        return {}, ""
    part = spec["recorded"]["part"]
    find, note = (resolve(with_name(part, name)) for name in ("answers", "NOTE"))
    found = find(shown, anchored(spec["recorded"]["folder"]), spec["settings"])
    return found, note if found else ""


def _words(answer: str) -> str:
    """Return an answer or an option's id as words."""
    return answer.replace("_", " ")


def _rows(
    path: str | os.PathLike[str], schema: pa.Schema, columns: Sequence[str], names: Sequence[str]
) -> list[dict[str, Any]]:
    table = read_table(path, schema, columns)
    wanted = pa.array(names, pa.string())
    rows: list[dict[str, Any]] = table.filter(pc.field("item_id").isin(wanted)).to_pylist()
    return rows


def _natural(key: str) -> list[str | int]:
    parts = re.split(r"(\d+)", key)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _hash(item: Mapping[str, Any]) -> str:
    return hashlib.sha256(item["stimulus_id"].encode()).hexdigest()
