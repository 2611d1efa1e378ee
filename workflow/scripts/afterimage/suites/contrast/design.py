"""Names and design: each frequency at each contrast on each side, and images without a pattern.

Standard library only.
"""

from random import Random
from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json
from afterimage.suites.thresholds.steps import Steps

#: Cycles per image width: octaves, from 84 to 5.25 px per cycle.
FREQUENCIES = (8, 16, 32, 64, 128)
SIDES = ("left", "right")
#: Patterns: stripes, or noise of one octave around the frequency, of the same root mean square.
GRATING, NOISE = PATTERNS = ("grating", "noise")
#: Pattern to replicates: name to the stripes' orientation and phase in degrees; noise has neither.
REPLICATES = {
    GRATING: {
        "h0": ("horizontal", 0),
        "h90": ("horizontal", 90),
        "v0": ("vertical", 0),
        "v90": ("vertical", 90),
    },
    NOISE: dict.fromkeys(("n1", "n2", "n3", "n4"), ("", 0)),
}
#: Number of contrasts, each twice the one before, and the first in percent.
LEVELS, MIN_PERCENT = 8, 0.5
#: The same on the axis of thresholds, of which the left is the first side.
STEPS = Steps(MIN_PERCENT, LEVELS, "%")
#: The figure of images without a pattern, and how many there are: few where a side is asked for, more where false
#: alarms have to be counted.
BLANK, FEW_BLANKS, MANY_BLANKS = "blank", 4, 64
#: Questions of prompts: which half; which half, or nothing; whether anything is there.
WHERE, THREE, SEEN = QUESTIONS = ("where", "three", "seen")
#: The option that there is no pattern, and the answers to the last question.
NONE, YES, NO = "none", "Yes", "No"

#: Side of the image, px; centre, radius and soft edge of the two round fields as shares of it.
SIDE_PX = 672
CENTRES = {"left": (0.25, 0.5), "right": (0.75, 0.5)}
RADIUS, EDGE = 144 / SIDE_PX, 32 / SIDE_PX


def percent_at(level: int) -> float:
    """Return the contrast of a level, 1 to LEVELS: 0.5 to 64."""
    return MIN_PERCENT * 2.0 ** (level - 1)


# ---- design ----


def figure_of(frequency: int) -> str:
    return f"f{frequency:03d}"


def frequency_of(figure: str) -> int:
    return int(figure.removeprefix("f"))


def first_position(figure: str) -> int:
    """Return the position of a figure's first image: blanks come first, then all frequencies, configured or not."""
    if figure == BLANK:
        return 0
    size = LEVELS * len(SIDES) * len(REPLICATES[GRATING])
    return MANY_BLANKS + size * FREQUENCIES.index(frequency_of(figure))


def blanks(settings: Json) -> int:
    """Return the number of images without a pattern; many are needed where yes-or-no answers have false alarms."""
    if settings["blanks"] is not None:
        return int(settings["blanks"])
    return MANY_BLANKS if SEEN in settings["prompts"] else FEW_BLANKS


def _replicates(settings: Json) -> tuple[str, ...]:
    return tuple(REPLICATES[settings["pattern"]])


def _levels(figure: str, settings: Json) -> Levels:
    if figure == BLANK:
        return {"number": range(blanks(settings))}
    return {"level": range(1, LEVELS + 1), "side": SIDES, "replicate": _replicates(settings)}


def _phase(cell: Cell, settings: Json) -> int:
    """Return the phase, degrees, that a fresh edition adds, the same for all replicates of a level and side."""
    if "fresh" not in settings:
        return 0
    name = f"{settings['fresh']}/{cell['figure']}/{cell['level']}/{cell['side']}"
    return Random(name).randrange(360)


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    seed = settings.get("fresh", settings["seed"])
    if cell["figure"] == BLANK:
        return {"noise": [seed, 0, cell["number"]]}
    orientation, phase = REPLICATES[settings["pattern"]][cell["replicate"]]
    frequency = frequency_of(cell["figure"])
    indices = (
        cell["level"],
        SIDES.index(cell["side"]),
        _replicates(settings).index(cell["replicate"]),
    )
    return {
        "noise": [seed, frequency, *indices],
        "frequency": frequency,
        "contrast": percent_at(cell["level"]),
        "side": cell["side"],
        "orientation": orientation,
        "phase": phase + _phase(cell, settings),
    }


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
    if cell["figure"] == BLANK:
        # Blanks serve as trials of every replicate in turn.
        replicates = _replicates(settings)
        replicate = replicates[cell["number"] % len(replicates)]
        none = dict.fromkeys(("frequency", "side", "orientation"), "")
        return {**none, "level": "0", "contrast": "0", "replicate": replicate}
    return {
        "frequency": str(frequency_of(cell["figure"])),
        "level": str(cell["level"]),
        "contrast": f"{percent_at(cell['level']):g}",
        "side": cell["side"],
        "orientation": REPLICATES[settings["pattern"]][cell["replicate"]][0],
        "replicate": cell["replicate"],
    }


#: Designs of images with a pattern and without one.
DESIGN = Design(_levels, "{figure}_k{level}_{side}_{replicate}", _parameters, _factors)
BLANKS = Design(_levels, "{figure}_{number:02d}", _parameters, _factors)
