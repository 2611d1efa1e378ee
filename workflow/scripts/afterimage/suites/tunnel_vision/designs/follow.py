"""Boards of 4 x 4 cells: each has a large shape and, as its label, a small copy of the one to go to next.

Labels make one ring of all sixteen cells, so that every cell has a label, and every shape is the next of one. One
colour is on four cells, all others on one or two; it is where the chain ends as often as any other colour: on two
boards of 22.
"""

from random import Random
from typing import Any

from afterimage.contract.design import Cell, Design
from afterimage.contract.stimulus import Json
from afterimage.suites.tunnel_vision.names import (
    BOARDS,
    COLOURS,
    CONTEXTS,
    HOPS,
    SHAPES,
    TASK,
    shuffled,
)

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


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    order, _ = ring(cell["hops"], cell["board"], settings["seed"])
    following = dict(zip(order, [*order[1:], order[0]], strict=True))
    places = Random(f"tunnel_vision/places/{settings['seed']}/{cell['hops']}/{cell['board']}")
    labelled = cell["context"] == TASK
    return {
        "cells": [
            [shape, following[shape] if labelled else None] for shape in shuffled(order, places)
        ]
    }


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
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


DESIGN = Design(
    {"hops": HOPS, "board": range(BOARDS), "context": CONTEXTS},
    "{figure}_{hops}_{board:02d}_{context}",
    _parameters,
    _factors,
)
