"""What is drawn: the eight stimuli of an illusion, and the way from their parameters to pixels.

Strength and difference of the conditions follow the specification's section 9: genuine (1, 0), fake
(1, 1), controls (0, 0) and (0, 1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from afterimage.contract.drawing import Drawing
from afterimage.drawing.parametric import Nuisance
from afterimage.errors import AfterimageError, unknown_name
from afterimage.suites.illusion_vqa import catalogue

#: Strength and difference of each condition.
_AXES = {
    "genuine": (1.0, 0.0),
    "fake": (1.0, 1.0),
    "control_genuine": (0.0, 0.0),
    "control_fake": (0.0, 1.0),
}
_PARAMETERS = ("strength", "difference", "variant", "shift")


@dataclass(frozen=True)
class StimulusSpec:
    """One stimulus before it is drawn.

    Attributes:
        stimulus_id: ``<illusion>_<variant>_<condition>``. parameters: What ``draw`` needs:
        strength, difference, variant and shift (px), as plain JSON. factors: What tables group by:
        variant, condition, inducer (present or absent), human_subset.
    """

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping | None = None) -> list[StimulusSpec]:
    """Return the eight stimuli of an illusion in the catalogue's order.

    Args:
        figure: Name of the illusion.
        settings: The suite's part of the configuration. No key of it changes an image.

    Raises:
        AfterimageError: If there is no such illusion.
    """
    _module_name(figure)
    return [
        _spec(figure, variant, condition)
        for variant in catalogue.VARIANTS
        for condition in catalogue.CONDITIONS
    ]


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Draw a figure from the parameters of its specification.

    Raises:
        AfterimageError: If the illusion or a parameter is unknown, missing or out of range.
    """
    name = _module_name(figure)
    for key in parameters:
        if key not in _PARAMETERS:
            raise unknown_name("parameter", key, _PARAMETERS, figure)
    missing = [key for key in _PARAMETERS[:3] if key not in parameters]
    if missing:
        raise AfterimageError(f"{figure}: parameter '{missing[0]}' is missing.")
    nuisance = Nuisance(parameters["variant"], tuple(parameters.get("shift", (0, 0))))
    return import_module(name).draw(parameters["strength"], parameters["difference"], nuisance)


def _module_name(figure: str) -> str:
    if figure not in catalogue.ILLUSIONS:
        raise unknown_name("illusion", figure, catalogue.ILLUSIONS)
    return f"afterimage.suites.illusion_vqa.figures.{figure}"


def _spec(figure: str, variant: str, condition: str) -> StimulusSpec:
    strength, difference = _AXES[condition]
    return StimulusSpec(
        stimulus_id=f"{figure}_{variant}_{condition}",
        parameters={
            "strength": strength,
            "difference": difference,
            "variant": variant,
            "shift": [0, 0],
        },
        factors={
            "variant": variant,
            "condition": condition,
            "inducer": "absent" if condition.startswith("control") else "present",
            "human_subset": "true" if catalogue.is_representative(figure, variant) else "false",
        },
    )
