"""What is drawn: the stimuli of a figure, and the way from their parameters to pixels.

A figure is one copy of one task (:mod:`afterimage.suites.blindtest.names`). Copy 0 is the paper's
set; further copies repeat its design with other figures: other lines, squares, words and maps and,
where the original leaves nothing to chance (circles, letters, shapes, blank grids), other places on
the canvas.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from afterimage.contract.drawing import Drawing
from afterimage.suites.blindtest.names import parse_figure
from afterimage.suites.blindtest.seeding import generator


@dataclass(frozen=True)
class StimulusSpec:
    """One stimulus before it is drawn.

    Attributes:
        stimulus_id: ``<figure>_<cell of the design>``.
        parameters: All that ``draw`` needs, as plain JSON.
        factors: What tables group by (see ``factors.py``), and ``truth``: what
            ``afterimage measure`` has to find, worked out from the parameters that are drawn.
    """

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the stimuli of a figure in the catalogue's order.

    Args:
        figure: Name of the figure.
        settings: ``seed``, which chooses the figures.

    Raises:
        AfterimageError: There is no such figure.
    """
    task, release, copy = parse_figure(figure)
    drawn = import_module(f"afterimage.suites.blindtest.figures.{task}")
    geometries: dict[str, dict] = {}
    result = []
    for cell in drawn.cells(release):
        if cell.base not in geometries:
            source = generator(settings["seed"], figure, cell.base)
            geometries[cell.base] = drawn.geometry(cell.levels, source, copy)
        parameters = {**cell.levels, **geometries[cell.base]}
        shared = {"task": task, "release": release, "base_figure": f"{figure}_{cell.base}"}
        factors = {**shared, **cell.factors, "truth": drawn.truth(parameters)}
        result.append(StimulusSpec(f"{figure}_{cell.name}", parameters, factors))
    return result


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Draw a stimulus from the parameters of its specification.

    Raises:
        AfterimageError: There is no such figure.
    """
    task = parse_figure(figure).task
    return import_module(f"afterimage.suites.blindtest.figures.{task}").draw(parameters)
