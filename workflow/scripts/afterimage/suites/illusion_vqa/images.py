"""Which images there are: two variants by four conditions of every illusion, whatever the settings.

Standard library only, because planning imports this module.
"""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.design import Cell, Design
from afterimage.contract.stimulus import Json
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS

#: Strength of the inducer and true difference of each condition (docs/illusion_figures.md, section 1).
_AXES = {
    "genuine": (1.0, 0.0),
    "fake": (1.0, 1.0),
    "control_genuine": (0.0, 0.0),
    "control_fake": (0.0, 1.0),
}
CONDITIONS = tuple(_AXES)

#: 17 pairs of genuine and fake images stand for all 30 in the human study (paper, section 2.2). Which 17 is
#: not printed: variant A of all, and variant B of one geometric and one colour illusion.
REPRESENTATIVE_B = ("mueller_lyer", "munker")


def is_representative(figure: str, variant: str) -> bool:
    """Tell whether people were shown this image and its twins (paper, section 2.2)."""
    return figure in ILLUSIONS and (variant == "A" or figure in REPRESENTATIVE_B)


def inducer(condition: str) -> str:
    """Return ``present`` or ``absent``."""
    return "absent" if condition.startswith("control") else "present"


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    strength, difference = _AXES[cell["condition"]]
    return {"strength": strength, "difference": difference, "variant": cell["variant"]}


def _factors(cell: Cell, settings: Json) -> Mapping[str, str]:
    return {
        "variant": cell["variant"],
        "condition": cell["condition"],
        "inducer": inducer(cell["condition"]),
        "human_subset": "true" if is_representative(cell["figure"], cell["variant"]) else "false",
    }


DESIGN = Design(
    levels={"variant": VARIANTS, "condition": CONDITIONS},
    name="{figure}_{variant}_{condition}",
    parameters=_parameters,
    factors=_factors,
)


def stimulus_ids(figure: str) -> tuple[str, ...]:
    """Return the eight stimulus ids of an illusion."""
    return DESIGN.ids(figure, {})
