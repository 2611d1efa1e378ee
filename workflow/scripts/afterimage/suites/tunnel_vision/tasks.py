"""The three tasks: their images, their questions, and the textbook's answers.

``follow``: a board of 4 x 4 cells; each has a large shape and, as its label, a small copy of the next shape. The labels
make one ring of all sixteen cells. One colour is on four cells, all others on one or two; a chain ends at it as often
as at any other colour, on two boards of 22.

``same_object``: a square body with a small shape across each of its sides, and two copies below it, one of which has a
moved part; on controls both copies are exact. The copies alone reveal nothing: moved or not, a part is equally likely
at any position along its side.

``trace``: six wires from left to right; the question is about the first one, which has a given number of crossings.
Every wire runs along rows and changes to another, free row in a column of its own, so that wires meet only to cross at
right angles, both going straight on: the rule of BlindTest's subway maps. The router of these takes no number of
crossings; here the moves are drawn until the first wire has as many as required.

Standard library only, because planning imports this module.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from afterimage.contract.design import Cell, Design
from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import offered

_T = TypeVar("_T")

#: The tasks in order; each is one figure.
TASKS = ("follow", "trace", "same_object")
#: The levels of each task, and the number of images per level.
HOPS, BOARDS = (1, 2, 4, 8), 22
CROSSINGS, PANELS = (0, 2, 4, 8, 16), 18
DISPLACEMENTS, REPLICATES, CONTROLS = (2, 4, 8, 16, 32), 16, 40

#: Forms that can be drawn.
SHAPES = ("circle", "square", "triangle", "cross")
#: Colours by name.
COLOURS = {
    "red": "#D62728",
    "orange": "#FF8C1A",
    "yellow": "#F2D21B",
    "green": "#238023",
    "cyan": "#2BC4D8",
    "blue": "#1F5FB4",
    "purple": "#8E44AD",
    "pink": "#FF8FC0",
    "brown": "#7A4A21",
    "grey": "#8C8C8C",
    "black": "#000000",
}

#: Colours of the squares at the ends of wires, and of the parts of objects.
WIRE_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
#: Rows that wires can run along, and the column in which they end; in each before it one wire changes its row.
ROWS, COLUMNS = 16, 25
#: The two lower objects, and the answer that neither differs; largest offset of a part from its side's middle, px.
SIDES, NONE = ("left", "right"), "none"
PARTS_REACH_PX = 40

#: Side of the image, px.
SIDE_PX = 672
#: The factor ``context``: whether an image is for the task or is its control.
TASK, CONTROL = CONTEXTS = ("task", "control")


def shuffled(values: Sequence[_T], generator: Random) -> list[_T]:
    """Return values in random order, using only ``random()``, whose values are stable across Python versions."""
    return sorted(values, key=lambda value: generator.random())


# ---- follow ----

#: Colour and form.
Shape = tuple[str, str]


def ring(hops: int, board: int, seed: int) -> tuple[list[Shape], str]:
    """Return the shapes of a board in the order of their labels, from the first, and the most frequent colour.

    Args:
        hops: Number of steps from the first shape to one whose colour is the key.
        board: 0 to 21; determines the key and the most frequent colour.
        seed: Of the suite's settings.
    """
    generator = Random(f"tunnel_vision/follow/{seed}/{hops}/{board}")
    colours = tuple(COLOURS)
    # The most frequent colour advances twice as fast as the key: they are the same on one board of eleven.
    key, frequent = colours[board % len(colours)], colours[2 * board % len(colours)]
    shapes = [(frequent, form) for form in SHAPES]
    for index, colour in enumerate(
        shuffled([other for other in colours if other != frequent], generator)
    ):
        shapes += [(colour, form) for form in shuffled(SHAPES, generator)[: 1 + (index < 2)]]
    order = shuffled(shapes, generator)
    end = next(index for index, (colour, _) in enumerate(order) if colour == key)
    order[end], order[hops] = order[hops], order[end]
    return order, frequent


def _named(shape: Shape) -> str:
    return " ".join(shape)


def _follow_parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    order, _ = ring(cell["hops"], cell["board"], settings["seed"])
    following = dict(zip(order, [*order[1:], order[0]], strict=True))
    generator = Random(f"tunnel_vision/places/{settings['seed']}/{cell['hops']}/{cell['board']}")
    labelled = cell["context"] == TASK
    return {
        "cells": [
            [shape, following[shape] if labelled else None] for shape in shuffled(order, generator)
        ]
    }


def _follow_factors(cell: Cell, settings: Json) -> dict[str, str]:
    order, frequent = ring(cell["hops"], cell["board"], settings["seed"])
    chain = order[: cell["hops"] + 1]
    labelled = cell["context"] == TASK
    shown = " > ".join(map(_named, chain)) if labelled else f"{len(order)} shapes without labels"
    return {
        "level": str(cell["hops"]),
        "context": cell["context"],
        "group": str(cell["board"]),
        "start": _named(chain[0]),
        "end": chain[-1][0],
        "frequent": frequent,
        "truth": shown,
    }


FOLLOW_DESIGN = Design(
    {"hops": HOPS, "board": range(BOARDS), "context": CONTEXTS},
    "{figure}_{hops}_{board:02d}_{context}",
    _follow_parameters,
    _follow_factors,
)


# ---- same object ----

#: Number of groups of the images of a displacement and side, which the jackknife leaves out one at a time.
_GROUPS = 4

#: Colour and form of a part, and its offset from the middle of its side, px.
Part = list[Any]


def objects(displacement: int, seed: str) -> tuple[list[Part], list[Part]]:
    """Return the parts of an object, on its upper, right, lower and left side, and those of one with a part moved.

    Args:
        displacement: Of the part, px; 0 for an exact copy.
        seed: Identifies the image.
    """
    generator = Random(f"tunnel_vision/same_object/{seed}")
    colours, forms = (shuffled(values, generator) for values in (WIRE_COLOURS, SHAPES))
    upper = [
        [colours[index], form, _between(-PARTS_REACH_PX, PARTS_REACH_PX, generator)]
        for index, form in enumerate(forms)
    ]
    moved, direction = int(generator.random() * len(upper)), 1 if generator.random() < 0.5 else -1
    # The part has to stay on its side after the move.
    start = _between(-PARTS_REACH_PX, PARTS_REACH_PX - displacement, generator) * direction
    upper[moved][2] = start
    lower = [list(part) for part in upper]
    lower[moved][2] = start + direction * displacement
    return upper, lower


def _between(low: int, high: int, generator: Random) -> int:
    return low + int(generator.random() * (high - low + 1))


def _skip(cell: Cell) -> bool:
    level, number = int(cell["level"]), int(cell["number"])
    return level > 0 and number >= REPLICATES


def _same_object_parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    seed = f"{settings['seed']}/{cell['level']}/{cell['side']}/{cell['number']}"
    upper, altered = objects(cell["level"], seed)
    lower = (altered, upper) if cell["side"] == SIDES[0] else (upper, altered)
    return {"objects": [upper, *lower]}


def _same_object_factors(cell: Cell, settings: Json) -> dict[str, str]:
    moved = cell["level"] > 0
    side = cell["side"] if moved else ""
    return {
        "level": str(cell["level"]),
        "context": TASK if moved else CONTROL,
        "group": str(cell["number"] % _GROUPS),
        "side": side,
        "end": side or NONE,
        "truth": f"{side} {cell['level']} px" if moved else f"{NONE} 0 px",
    }


SAME_OBJECT_DESIGN = Design(
    # Controls have no displacement and are shared by all of them.
    {"level": (*DISPLACEMENTS, 0), "side": SIDES, "number": range(CONTROLS // len(SIDES))},
    "{figure}_{level:02d}_{side}_{number:02d}",
    _same_object_parameters,
    _same_object_factors,
    _skip,
)


# ---- trace ----

#: Column and row of each corner, from the left.
Wire = list[list[int]]
_WIRES = len(WIRE_COLOURS)


def wires(crossings: int, panel: int, seed: int) -> list[Wire]:
    """Return the corners of six wires, of which the first meets others ``crossings`` times; panels are 0 to 17."""
    generator = Random(f"tunnel_vision/trace/{seed}/{crossings}/{panel}")
    while True:
        found, crossed = _route(crossings, generator)
        if crossed == crossings:
            return found


def _route(limit: int, generator: Random) -> tuple[list[Wire], int]:
    """Move one wire after the other to another row, with at most ``limit`` crossings of the first."""
    rows = shuffled(range(ROWS), generator)[:_WIRES]
    found = [[[0, row]] for row in rows]
    crossed = 0
    for column in range(1, COLUMNS):
        while True:
            moving, target = (int(generator.random() * number) for number in (_WIRES, ROWS))
            low, high = sorted((rows[moving], target))
            between = [wire for wire, row in enumerate(rows) if low < row < high]
            added = len(between) if moving == 0 else between.count(0)
            if target not in rows and crossed + added <= limit:
                break
        found[moving] += [[column, rows[moving]], [column, target]]
        rows[moving] = target
        crossed += added
    return [[*wire, [COLUMNS, row]] for wire, row in zip(found, rows, strict=True)], crossed


def _colours(cell: Cell, settings: Json) -> list[str]:
    """Return the colour at the end of each wire; the question is about the first."""
    generator = Random(f"tunnel_vision/ends/{settings['seed']}/{cell['crossings']}/{cell['panel']}")
    first = WIRE_COLOURS[cell["panel"] % _WIRES]
    return [first, *shuffled([colour for colour in WIRE_COLOURS if colour != first], generator)]


def _trace_parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    return {
        "wires": wires(cell["crossings"], cell["panel"], settings["seed"]),
        "colours": _colours(cell, settings),
        "alone": cell["context"] != TASK,
    }


def _trace_factors(cell: Cell, settings: Json) -> dict[str, str]:
    colours = _colours(cell, settings)
    crossings = cell["crossings"] if cell["context"] == TASK else 0
    return {
        "level": str(cell["crossings"]),
        "context": cell["context"],
        "group": str(cell["panel"]),
        "end": colours[0],
        "truth": f"{len(colours) if cell['context'] == TASK else 1} wires, {colours[0]}, {crossings} crossings",
    }


TRACE_DESIGN = Design(
    {"crossings": CROSSINGS, "panel": range(PANELS), "context": CONTEXTS},
    "{figure}_{crossings:02d}_{panel:02d}_{context}",
    _trace_parameters,
    _trace_factors,
)


# ---- questions ----


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask each prompt, of ``words`` by id, about the images of its task."""
    for shown in images:
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            if wording["task"] != shown.figure:
                continue
            options, key = _options(wording), shown.factors["end"]
            if key not in options:
                # Two exact copies, where only the sides are options.
                continue
            hops = shown.factors["level"]
            text = wording["text"].format(
                start=shown.factors.get("start"),
                steps=f"{hops} step" if hops == "1" else f"{hops} steps",
                options="\n".join(options.values()),
            )
            yield Question(
                shown,
                prompt,
                ask(shown, text),
                "choice",
                key,
                tuple(Option(name, text) for name, text in options.items()),
                prompt=prompt,
                question=wording["task"],
            )


def _options(wording: Json) -> dict[str, str]:
    """Return the options: those of the prompt, or the names of colours."""
    named = {"follow": tuple(COLOURS), "trace": WIRE_COLOURS}
    return wording.get("options") or {name: name for name in named[wording["task"]]}


# ---- textbook ----


def answer(metadata: Json, rule: str) -> str:
    """Return the option of the most frequent colour, the heuristic that the authors report; else the first one.

    Args:
        metadata: ``options`` as pairs of option id and text, and ``factors``, in which ``frequent`` names the colour if
            there is one.
        rule: ``cued`` or ``gated``, which have the same effect here.
    """
    texts = offered(metadata, rule)
    return texts.get(metadata["factors"].get("frequent"), next(iter(texts.values())))
