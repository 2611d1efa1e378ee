"""The three tasks: which images there are, what is asked about each, and what a model answers that does not look.

``follow``: a board of 4 x 4 cells; each has a large shape and, as its label, a small copy of the one to go to next. The
labels make one ring of all sixteen cells. One colour is on four cells, all others on one or two; a chain ends at it as
often as at any other colour, on two boards of 22.

``same_object``: a square body with a small shape across each of its sides, and two copies below it, of which one has a
part elsewhere along its side; on controls both are true. Where the parts of the copies lie says nothing without the
object above: moved or not, a part is as likely at any place of its side.

``trace``: six wires from left to right, of which one is asked about, which is crossed a given number of times. Every
wire runs along rows and changes to another, free row in a column of its own, so that wires meet only to cross at right
angles, both going straight on: the rule of BlindTest's subway maps. Its router cannot be told how often a path is
crossed; here the moves are drawn until one path has as many crossings as wanted.

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
#: What is varied, and in how many ways of each there are images.
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

#: Of the squares at the ends of wires, and of the parts of objects.
WIRE_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
#: Rows that wires can run along, and the column in which they end; in each before it one wire changes its row.
ROWS, COLUMNS = 16, 25
#: Of the two lower objects, and that neither differs; how far a part can lie from the middle of its side, px.
SIDES, NONE = ("left", "right"), "none"
PARTS_REACH_PX = 40

#: Side of the image, px.
SIDE_PX = 672
#: The factor ``context``: whether an image asks for the task, or is the control beside it.
TASK, CONTROL = CONTEXTS = ("task", "control")


def shuffled(values: Sequence[_T], generator: Random) -> list[_T]:
    """Return values in random order, by ``random()`` alone, whose values Python promises to keep."""
    return sorted(values, key=lambda value: generator.random())


# ---- follow ----

#: Colour and form.
Shape = tuple[str, str]


def ring(hops: int, board: int, seed: int) -> tuple[list[Shape], str]:
    """Return the shapes of a board in the order of their labels, from the first, and the most frequent colour.

    Args:
        hops: From the first shape so many steps lead to one of the colour that is the key.
        board: 0 to 21; decides the key and the most frequent colour.
        seed: Of the suite's settings.
    """
    generator = Random(f"tunnel_vision/follow/{seed}/{hops}/{board}")
    colours = tuple(COLOURS)
    # The one runs through the colours twice as fast as the other: they meet once in eleven boards.
    key, frequent = colours[board % len(colours)], colours[2 * board % len(colours)]
    shapes = [(frequent, form) for form in SHAPES]
    for place, colour in enumerate(
        shuffled([one for one in colours if one != frequent], generator)
    ):
        shapes += [(colour, form) for form in shuffled(SHAPES, generator)[: 1 + (place < 2)]]
    order = shuffled(shapes, generator)
    end = next(place for place, (colour, _) in enumerate(order) if colour == key)
    order[end], order[hops] = order[hops], order[end]
    return order, frequent


def _named(shape: Shape) -> str:
    return " ".join(shape)


def _follow_parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    order, _ = ring(cell["hops"], cell["board"], settings["seed"])
    following = dict(zip(order, [*order[1:], order[0]], strict=True))
    places = Random(f"tunnel_vision/places/{settings['seed']}/{cell['hops']}/{cell['board']}")
    labelled = cell["context"] == TASK
    return {
        "cells": [
            [shape, following[shape] if labelled else None] for shape in shuffled(order, places)
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

#: Images of a displacement on one side fall into so many groups, which the jackknife leaves out one at a time.
_GROUPS = 4

#: Colour and form of a part, and how far it lies from the middle of its side, px.
Part = list[Any]


def objects(displacement: int, seed: str) -> tuple[list[Part], list[Part]]:
    """Return the parts of an object, on its upper, right, lower and left side, and those of one with a part moved.

    Args:
        displacement: By how much, px; 0 for the same object again.
        seed: Names the image.
    """
    generator = Random(f"tunnel_vision/same_object/{seed}")
    colours, forms = (shuffled(values, generator) for values in (WIRE_COLOURS, SHAPES))
    own = [
        [colours[place], form, _between(-PARTS_REACH_PX, PARTS_REACH_PX, generator)]
        for place, form in enumerate(forms)
    ]
    moved, direction = int(generator.random() * len(own)), 1 if generator.random() < 0.5 else -1
    # From where a step in this direction stays on the side.
    start = _between(-PARTS_REACH_PX, PARTS_REACH_PX - displacement, generator) * direction
    own[moved][2] = start
    other = [list(part) for part in own]
    other[moved][2] = start + direction * displacement
    return own, other


def _between(low: int, high: int, generator: Random) -> int:
    return low + int(generator.random() * (high - low + 1))


def _skip(cell: Cell) -> bool:
    level, number = int(cell["level"]), int(cell["number"])
    return level > 0 and number >= REPLICATES


def _same_object_parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    seed = f"{settings['seed']}/{cell['level']}/{cell['side']}/{cell['number']}"
    own, other = objects(cell["level"], seed)
    lower = (other, own) if cell["side"] == SIDES[0] else (own, other)
    return {"objects": [own, *lower]}


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
    # Controls, without a displacement, are those of all displacements.
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
        found, crossed = _moved(crossings, generator)
        if crossed == crossings:
            return found


def _moved(most: int, generator: Random) -> tuple[list[Wire], int]:
    """Let one wire after the other change its row, never crossing the first more often than ``most``."""
    rows = shuffled(range(ROWS), generator)[:_WIRES]
    found = [[[0, row]] for row in rows]
    crossed = 0
    for column in range(1, COLUMNS):
        while True:
            own, target = (int(generator.random() * number) for number in (_WIRES, ROWS))
            low, high = sorted((rows[own], target))
            between = [wire for wire, row in enumerate(rows) if low < row < high]
            more = len(between) if own == 0 else between.count(0)
            if target not in rows and crossed + more <= most:
                break
        found[own] += [[column, rows[own]], [column, target]]
        rows[own] = target
        crossed += more
    return [[*wire, [COLUMNS, row]] for wire, row in zip(found, rows, strict=True)], crossed


def _colours(cell: Cell, settings: Json) -> list[str]:
    """Return the colour at the end of each wire, the asked one first."""
    generator = Random(f"tunnel_vision/ends/{settings['seed']}/{cell['crossings']}/{cell['panel']}")
    asked = WIRE_COLOURS[cell["panel"] % _WIRES]
    return [asked, *shuffled([one for one in WIRE_COLOURS if one != asked], generator)]


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
                # Two true copies, where only the sides can be named.
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
    """Return what can be answered: words of the prompt, or colours by their names."""
    named = {"follow": tuple(COLOURS), "trace": WIRE_COLOURS}
    return wording.get("options") or {name: name for name in named[wording["task"]]}


# ---- textbook ----


def answer(beside: Json, rule: str) -> str:
    """Return the option of the most frequent colour, the heuristic that the authors report; else the first one.

    Args:
        beside: ``options`` as pairs of option id and text, and ``factors``, in which ``frequent`` names the colour if
            there is one.
        rule: ``cued`` or ``gated``, which are the same here.
    """
    texts = offered(beside, rule)
    return texts.get(beside["factors"].get("frequent"), next(iter(texts.values())))
