"""What is drawn or read: the stimuli of a figure, and the way from their parameters to pixels."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from afterimage.contract.drawing import Drawing
from afterimage.suites.illusionbench.names import drawing_module
from afterimage.suites.illusionbench.spec import StimulusSpec


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the stimuli of a figure in the catalogue's order.

    Args:
        figure: Name of the figure.
        settings: What ``planning.drawing_spec`` returned for it.

    Raises:
        AfterimageError: There is no such figure, or a user's files are not what they should be.
    """
    return _module(figure).specs(settings)


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Draw a stimulus from the parameters of its specification.

    Raises:
        AfterimageError: There is no such figure, or a user's image cannot be read.
    """
    return _module(figure).draw(parameters)


def _module(figure: str) -> ModuleType:
    return import_module(f"afterimage.suites.illusionbench.figures.{drawing_module(figure)}")
