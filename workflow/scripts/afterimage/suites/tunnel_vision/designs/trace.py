"""Six wires from left to right, of which one is asked about, which is crossed a given number of times.

Every wire runs along rows and changes to another, free row in a column of its own, so that wires meet only to cross at
right angles, both going straight on: the rule of BlindTest's subway maps. Its router cannot be told how often a path is
crossed; here the moves are drawn until one path has as many crossings as wanted.
"""

from random import Random
from typing import Any

from afterimage.contract.design import Cell, Design
from afterimage.contract.stimulus import Json
from afterimage.suites.tunnel_vision.names import (
    COLUMNS,
    CONTEXTS,
    CROSSINGS,
    PANELS,
    ROWS,
    TASK,
    WIRE_COLOURS,
    shuffled,
)

#: Column and row of each corner, from the left.
Wire = list[list[int]]
_WIRES = len(WIRE_COLOURS)


def wires(crossings: int, panel: int, seed: int) -> list[Wire]:
    """Return the corners of six wires; the first is crossed so often.

    Args:
        crossings: How often the first wire meets another.
        panel: 0 to 17.
        seed: Of the suite's settings.
    """
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


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    return {
        "wires": wires(cell["crossings"], cell["panel"], settings["seed"]),
        "colours": _colours(cell, settings),
        "alone": cell["context"] != TASK,
    }


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
    colours = _colours(cell, settings)
    crossings = cell["crossings"] if cell["context"] == TASK else 0
    return {
        "level": str(cell["crossings"]),
        "context": cell["context"],
        "group": str(cell["panel"]),
        "end": colours[0],
        "truth": f"{len(colours) if cell['context'] == TASK else 1} wires, {colours[0]}, {crossings} crossings",
    }


DESIGN = Design(
    {"crossings": CROSSINGS, "panel": range(PANELS), "context": CONTEXTS},
    "{figure}_{crossings:02d}_{panel:02d}_{context}",
    _parameters,
    _factors,
)
