"""The images: every illusion over strength, true difference, variant and shift.

Standard library only, because planning imports this module.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json
from afterimage.suites.illusion_strength.questions import GUIDE
from afterimage.suites.illusions.names import GRID_FIGURES, VARIANTS, reach_px
from afterimage.suites.illusions.variants import RANGES

#: Whole pixels to the right and down, by the letter that ends a stimulus' id.
SHIFTS_PX = {"a": (-6, -6), "b": (6, 6)}
#: Names of the shifts in ``replicate``.
_SHIFT_SIGNS = {"a": "-", "b": "+"}
#: Suffixes of the ids of images without and with an aid, to the value of the factor.
NO_GUIDE = ""
GUIDES = {NO_GUIDE: "no", "_guide": "yes"}
#: Illusions whose inducer has no opposite.
ONE_SIDED = ("orbison", "poggendorff", "mach_bands")
#: The weakest inducer of illusions that have none between it and no inducer at all; a weaker ground of surround
#: contrast may have the grey of a square.
_WEAKEST = {"irradiation": 1.0, "mach_bands": 1.0, "surround_contrast": 0.4}

#: Illusions whose differences are the same fractions of any size, to the last digit.
SIZED = ("zoellner", "ebbinghaus", "jastrow", "delboeuf", "triangle_bisection", "sander")


def strengths(figure: str, settings: Json) -> tuple[float, ...]:
    """Return the configured strengths that an illusion can have, in ascending order."""
    return tuple(
        s
        for s in _levels(settings["strengths"])
        if (s >= 0 or figure not in ONE_SIDED) and (not s or abs(s) >= _WEAKEST.get(figure, 0))
    )


def differences(settings: Json) -> tuple[float, ...]:
    return _levels(settings["differences"])


def first_position(figure: str, settings: Json) -> int:
    """Return the position of an illusion's first stimulus in the suite, whichever illusions are configured.

    Every illusion has room for the whole grid. Other levels change the content of every shard, so they may move it.
    """
    levels = len(settings["strengths"]) * len(settings["differences"]) * len(_guides(settings))
    return GRID_FIGURES.index(figure) * levels * len(VARIANTS) * len(SHIFTS_PX)


def _guides(settings: Json) -> tuple[str, ...]:
    return tuple(GUIDES) if settings.get("guides") else (NO_GUIDE,)


def _levels(configured: Sequence[float]) -> tuple[float, ...]:
    # Adding nothing turns a minus zero into zero.
    return tuple(sorted(float(level) + 0.0 for level in configured))


def _axes(figure: str, settings: Json) -> Levels:
    return {
        "guide": _guides(settings),
        "strength": strengths(figure, settings),
        "difference": differences(settings),
        "variant": VARIANTS,
        "shift": tuple(SHIFTS_PX),
    }


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    levels = {name: cell[name] for name in ("strength", "difference", "variant")}
    guide = {"guide": True} if cell["guide"] else {}
    return {**levels, **_look(cell, settings), **guide}


def _look(cell: Cell, settings: Json) -> dict[str, Any]:
    """Return the shift of a figure and, in another edition than the public one, its size and arrangement.

    An image and its twin with an aid look alike.
    """
    public = list(SHIFTS_PX[cell["shift"]])
    if "fresh" not in settings:
        return {"shift": public}
    names = ("figure", "strength", "difference", "variant", "shift")
    chooser = Random("/".join([str(settings["fresh"]), *(str(cell[name]) for name in names)]))
    ranges = RANGES[cell["figure"]]
    size = chooser.choice(ranges.sizes) if cell["figure"] in SIZED else 1.0
    reach, shift = reach_px(size), public
    while shift == public:
        shift = [chooser.randint(-reach, reach) for _ in public]
    return {"shift": shift, "size": size, "arrangement": chooser.randrange(ranges.arrangements)}


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
    return {
        "variant": cell["variant"],
        "strength": f"{cell['strength']:g}",
        "difference": f"{cell['difference']:g}",
        "replicate": f"{cell['variant']}{_SHIFT_SIGNS[cell['shift']]}",
        **({GUIDE: GUIDES[cell["guide"]]} if settings.get("guides") else {}),
    }


#: Signed strength of the inducer as a fraction of the genuine figure's, and signed true difference as a fraction of the
#: fake's, both -1 to 1; a difference agrees with a strength of its sign (docs/illusion_figures.md, section 3).
DESIGN = Design(
    levels=_axes,
    name="{figure}_{variant}_s{strength:+g}_d{difference:+g}_{shift}{guide}",
    parameters=_parameters,
    factors=_factors,
)
