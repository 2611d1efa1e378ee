"""What is drawn: the grid of an illusion (specification, section 9), by figure modules of the suite illusion_vqa."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from afterimage.contract.drawing import Drawing
from afterimage.drawing.parametric import Nuisance
from afterimage.errors import AfterimageError
from afterimage.suites.illusion_strength import catalogue

#: Decimals of a realised difference: finer than any raster.
_DECIMALS = 6


@dataclass(frozen=True)
class StimulusSpec:
    """One stimulus before it is drawn.

    Attributes:
        stimulus_id: ``<illusion>_<variant>_s<strength>_d<difference>_<shift>``.
        parameters: What ``draw`` needs: strength, difference, variant and shift (px), as plain JSON.
        factors: What tables group by: variant, strength and difference (nominal), replicate.
    """

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the stimuli of an illusion in the catalogue's order.

    Args:
        figure: Name of the illusion.
        settings: ``strengths`` and ``differences``, fractions from -1 to 1.

    Raises:
        AfterimageError: If there is no such illusion.
    """
    return [
        StimulusSpec(
            stimulus_id=cell.stimulus_id(figure),
            parameters={
                "strength": cell.strength,
                "difference": cell.difference,
                "variant": cell.variant,
                "shift": list(catalogue.SHIFTS_PX[cell.shift]),
            },
            factors={
                "variant": cell.variant,
                "strength": f"{cell.strength:g}",
                "difference": f"{cell.difference:g}",
                "replicate": cell.replicate,
            },
        )
        for cell in catalogue.cells(figure, settings)
    ]


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Draw a figure from the parameters of its specification.

    Raises:
        AfterimageError: If the illusion is unknown or a parameter is out of range.
    """
    module = catalogue.drawing_module(figure)
    drawer = import_module(f"afterimage.suites.{catalogue.FIGURES_OF}.figures.{module}")
    nuisance = Nuisance(parameters["variant"], tuple(parameters["shift"]))
    drawn = drawer.draw(parameters["strength"], parameters["difference"], nuisance)
    realised = realised_fraction(figure, parameters["difference"], drawn.realised)
    return Drawing(
        drawn.pixels,
        {**drawn.realised, "difference_realised_fraction": realised},
        {"realised": f"{realised:g}"},
    )


def realised_fraction(figure: str, difference: float, realised: Mapping) -> float:
    """Return the true difference as drawn, as a fraction of the fake's.

    Args:
        figure: Name of the illusion.
        difference: The nominal fraction.
        realised: What the drawing says of itself: one value named ``..._nominal_...`` (or ``..._nominal``), and beside
            it the same quantity after rounding, named ``realised`` instead.

    Raises:
        AfterimageError: The drawing does not say it, or differs although nothing should.
    """
    named = [name for name in realised if "nominal" in name]
    if len(named) != 1 or named[0].replace("nominal", "realised") not in realised:
        raise AfterimageError(
            f"{figure}: the drawing names {len(named)} nominal differences with a realised one; expected one."
        )
    nominal, drawn = realised[named[0]], realised[named[0].replace("nominal", "realised")]
    if difference == 0 or nominal == 0:
        if drawn:
            raise AfterimageError(f"{figure}: differs by {drawn:g} at difference 0; expected 0.")
        return 0.0
    return round(difference * drawn / nominal, _DECIMALS) + 0.0
