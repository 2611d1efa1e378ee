"""Names and design: both digits of each plate at each difference along each axis, sharp and blurred.

Standard library only.
"""

from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json
from afterimage.suites.thresholds.steps import Steps

#: Figures: the colour axis along which the dots of the digit differ from the others.
AXES = ("red_green", "light")
SHARP, BLURRED = BLURS = ("sharp", "blurred")
#: Which of the two digits in the question is hidden in the image.
SIDES = ("first", "second")
#: Differences of colour: 2, 4, ... 64; level 0 is no difference.
STEPS = Steps(2, 6, "CIEDE2000")
#: Replicates: the two digits in the order of the options, and the direction in which the digit's dots differ (p: redder
#: or lighter, m: greener or darker). Four pairs of digits, each in both orders and both directions.
PLATES = ("04p", "40m", "25m", "52p", "36p", "63m", "79m", "97p")

#: The image is CELLS x CELLS squares; a digit takes five rows and three columns of them, from row TOP and column LEFT.
CELLS, CELL_PX = 7, 96
SIDE_PX = CELLS * CELL_PX
ROWS, COLUMNS, TOP, LEFT = 5, 3, 1, 2
#: The squares of each digit, row by row; the two digits of a plate differ in three to five squares.
DIGITS = {
    "0": "111 101 101 101 111",
    "2": "111 001 111 100 111",
    "3": "111 001 111 001 111",
    "4": "101 101 111 001 001",
    "5": "111 100 111 001 111",
    "6": "111 100 111 101 111",
    "7": "111 001 001 001 001",
    "9": "111 101 111 001 111",
}


def squares(digit: str) -> list[bool]:
    """Return for each square of the image, row by row, whether it belongs to the digit."""
    filled_squares = {
        (TOP + row, LEFT + column)
        for row, line in enumerate(DIGITS[digit].split())
        for column, filled in enumerate(line)
        if filled == "1"
    }
    return [(row, column) in filled_squares for row in range(CELLS) for column in range(CELLS)]


# ---- design ----

#: Standard deviation of the blur, px.
BLUR_PX = 6


def first_position(axis: str) -> int:
    """Return the position of an axis' first image; sharp images come first, whether or not blurred ones follow."""
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
        # A plate's dots are at the same positions on all of its images.
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
