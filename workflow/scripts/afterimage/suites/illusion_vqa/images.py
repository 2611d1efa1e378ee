"""The images: variants by four conditions of every illusion; two of them unless the settings ask for more.

Standard library only, because planning imports this module.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS
from afterimage.suites.illusions.variants import Variation, variants, variation

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


def is_original(variant: str) -> bool:
    """Tell whether a variant is one of the two that every illusion has, as in the paper."""
    return variant in VARIANTS


def inducer(condition: str) -> str:
    """Return ``present`` or ``absent``."""
    return "absent" if condition.startswith("control") else "present"


def _drawn(cell: Cell, settings: Json) -> Variation:
    return variation(cell["figure"], cell["variant"], settings.get("fresh"))


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    strength, difference = _AXES[cell["condition"]]
    drawn = _drawn(cell, settings)
    parameters = {
        "strength": strength * drawn.strength,
        "difference": difference,
        "variant": drawn.layout,
    }
    if is_original(cell["variant"]) and "fresh" not in settings:
        return parameters
    look = {name: getattr(drawn, name) for name in ("colours", "size", "arrangement")}
    return {**parameters, **look, "shift": list(drawn.shift)}


def _factors(cell: Cell, settings: Json) -> Mapping[str, str]:
    factors = {
        "variant": cell["variant"],
        "condition": cell["condition"],
        "inducer": inducer(cell["condition"]),
        "human_subset": "true" if is_representative(cell["figure"], cell["variant"]) else "false",
    }
    if "fresh" not in settings:
        return factors
    # Of the public edition both follow from the variant's name.
    drawn = _drawn(cell, settings)
    return {**factors, "wording": drawn.wording, "size": f"{drawn.size:g}"}


def variants_of(settings: Json) -> tuple[str, ...]:
    """Return the names of the variants; the settings have ``scale`` where there are more than two."""
    return variants(settings.get("scale", 1))


def _levels(figure: str, settings: Json) -> Levels:
    return {"variant": variants_of(settings), "condition": CONDITIONS}


DESIGN = Design(
    levels=_levels,
    name="{figure}_{variant}_{condition}",
    parameters=_parameters,
    factors=_factors,
)


def stimulus_ids(figure: str, scale: int = 1) -> tuple[str, ...]:
    """Return the stimulus ids of an illusion, eight for each pair of variants."""
    return DESIGN.ids(figure, {"scale": scale})


def genuine_ids(figure: str, scale: int) -> Sequence[str]:
    """Return the ids of the genuine images of the further variants."""
    further = (name for name in variants(scale) if not is_original(name))
    return [DESIGN.name.format(figure=figure, variant=v, condition="genuine") for v in further]
