"""An object and two copies below it, of which one has a part elsewhere along its side; on controls both are the same.

An object is a square body with a small shape across each of its sides. Where the parts of the copies lie says nothing
without the object above: moved or not, a part is as likely at any place of its side.
"""

from random import Random
from typing import Any

from afterimage.contract.design import Cell, Design
from afterimage.contract.stimulus import Json
from afterimage.suites.tunnel_vision.names import (
    CONTROL,
    CONTROLS,
    DISPLACEMENTS,
    NONE,
    PARTS_REACH_PX,
    REPLICATES,
    SHAPES,
    SIDES,
    TASK,
    WIRE_COLOURS,
    shuffled,
)

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
    return cell["level"] > 0 and cell["number"] >= REPLICATES


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    seed = f"{settings['seed']}/{cell['level']}/{cell['side']}/{cell['number']}"
    own, other = objects(cell["level"], seed)
    lower = (other, own) if cell["side"] == SIDES[0] else (own, other)
    return {"objects": [own, *lower]}


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
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


DESIGN = Design(
    # Controls, without a displacement, are those of all displacements.
    {"level": (*DISPLACEMENTS, 0), "side": SIDES, "number": range(CONTROLS // len(SIDES))},
    "{figure}_{level:02d}_{side}_{number:02d}",
    _parameters,
    _factors,
    _skip,
)
