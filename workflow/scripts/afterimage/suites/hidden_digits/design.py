"""Which images there are: each axis at each difference, either digit of each plate, sharp and blurred.

Standard library only, because planning imports this module.
"""

from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json
from afterimage.suites.hidden_digits.names import (
    AXES,
    BLURRED,
    BLURS,
    PLATES,
    SIDES,
    STEPS,
)

#: Standard deviation of the blur, px.
BLUR_PX = 6


def first_position(axis: str) -> int:
    """Return the position of an axis' first image; sharp ones come first, whether or not others follow."""
    return AXES.index(axis) * len(BLURS) * (STEPS.count + 1) * len(SIDES) * len(PLATES)


def difference_of(level: int) -> float:
    """Return the difference of a level in CIEDE2000."""
    return STEPS.at(level / STEPS.count) if level else 0.0


def _levels(figure: str, settings: Json) -> Levels:
    return {
        "blur": BLURS if settings["blur"] else BLURS[:1],
        "level": range(STEPS.count + 1),
        "side": SIDES,
        "plate": PLATES,
    }


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    plate, side = PLATES.index(cell["plate"]), SIDES.index(cell["side"])
    return {
        "digit": cell["plate"][side],
        "axis": cell["figure"],
        "difference": difference_of(cell["level"]),
        "way": 1 if cell["plate"].endswith("p") else -1,
        "blur_px": BLUR_PX if cell["blur"] == BLURRED else 0,
        # A plate's dots lie at the same places on all of its images.
        "places": [settings["seed"], plate],
        "jitter": [settings["seed"], AXES.index(cell["figure"]), plate, side, cell["level"]],
    }


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
    first, second, _ = cell["plate"]
    return {
        "axis": cell["figure"],
        "blur": cell["blur"],
        "level": str(cell["level"]),
        "difference": f"{difference_of(cell['level']):g}",
        "side": cell["side"],
        "replicate": cell["plate"],
        "named": f"{first} {second}",
        "digit": cell["plate"][SIDES.index(cell["side"])],
    }


DESIGN = Design(_levels, "{figure}_{blur}_k{level}_{side}_{plate}", _parameters, _factors)
