"""Which images there are: each frequency at each contrast on each side, and images without a pattern.

Standard library only, because planning imports this module.
"""

from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json
from afterimage.suites.contrast.names import (
    BLANK,
    FEW_BLANKS,
    FREQUENCIES,
    GRATING,
    LEVELS,
    MANY_BLANKS,
    REPLICATES,
    SEEN,
    SIDES,
    percent_at,
)


def figure_of(frequency: int) -> str:
    """Return the name of the figure with this many cycles per image width."""
    return f"f{frequency:03d}"


def frequency_of(figure: str) -> int:
    """Return the cycles per image width of a figure with a pattern."""
    return int(figure.removeprefix("f"))


def first_position(figure: str) -> int:
    """Return the position of a figure's first image: blanks come first, then all frequencies that there can be."""
    if figure == BLANK:
        return 0
    size = LEVELS * len(SIDES) * len(REPLICATES[GRATING])
    return MANY_BLANKS + size * FREQUENCIES.index(frequency_of(figure))


def blanks(settings: Json) -> int:
    """Return how many images without a pattern there are; false alarms of yes and no need many."""
    if settings["blanks"] is not None:
        return int(settings["blanks"])
    return MANY_BLANKS if SEEN in settings["prompts"] else FEW_BLANKS


def _replicates(settings: Json) -> tuple[str, ...]:
    return tuple(REPLICATES[settings["pattern"]])


def _levels(figure: str, settings: Json) -> Levels:
    if figure == BLANK:
        return {"number": range(blanks(settings))}
    return {"level": range(1, LEVELS + 1), "side": SIDES, "replicate": _replicates(settings)}


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    if cell["figure"] == BLANK:
        return {"noise": [settings["seed"], 0, cell["number"]]}
    orientation, phase = REPLICATES[settings["pattern"]][cell["replicate"]]
    frequency = frequency_of(cell["figure"])
    places = (
        cell["level"],
        SIDES.index(cell["side"]),
        _replicates(settings).index(cell["replicate"]),
    )
    return {
        "noise": [settings["seed"], frequency, *places],
        "frequency": frequency,
        "contrast": percent_at(cell["level"]),
        "side": cell["side"],
        "orientation": orientation,
        "phase": phase,
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


#: Images with a pattern, and those without one.
DESIGN = Design(_levels, "{figure}_k{level}_{side}_{replicate}", _parameters, _factors)
BLANKS = Design(_levels, "{figure}_{number:02d}", _parameters, _factors)
