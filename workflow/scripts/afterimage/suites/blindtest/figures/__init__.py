"""The stimuli of a task, copy by copy, from its design and from what its figure draws at random.

How each task is drawn is a :class:`Drawn` of its name, in capitals, in one of the modules here; planning imports none.

A figure is one copy of one task (``names.py``). Copy 0 is the paper's set; further copies repeat its design with other
figures: other lines, squares, words and maps and, where the original leaves nothing to chance (circles, letters,
shapes, blank grids), other positions on the canvas.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Drawing, Json, StimulusSpec
from afterimage.suites.blindtest.names import parse_figure

if TYPE_CHECKING:
    import numpy as np


class Cell(NamedTuple):
    """One stimulus of a design.

    Attributes:
        name: What its stimulus id ends in; unique within the design.
        base: Names the geometry that all renderings share, in several widths and sizes.
        levels: What the design fixes, as plain JSON.
        factors: What tables group by, as strings in the paper's units.
    """

    name: str
    base: str
    levels: Json
    factors: dict[str, str]


@dataclass(frozen=True)
class Drawn:
    """How the images of a task are drawn.

    Attributes:
        geometry: Takes the levels of a cell, the base figure's own random numbers and the copy's number; returns plain
            JSON that, together with the levels, says what is drawn.
        truth: Takes these parameters; returns what must be measured in the picture.
        draw: Takes them by name.
    """

    geometry: Callable[[Json, "np.random.Generator", int], Json]
    truth: Callable[[Json], str]
    draw: Callable[..., Drawing]


_Cells = Callable[[str], Iterable[Cell]]


def _shared(cell: Cell, settings: Json) -> str:
    return cell.base


@dataclass(frozen=True)
class Copies:
    """The stimuli of a task.

    Attributes:
        cells: Takes the release, returns the stimuli of one copy in their fixed order.
        drawn: Where its :class:`Drawn` is, as ``module:name``: planning imports this module and draws nothing.
        base: Takes a cell and the settings that affect drawing, names the geometry that the cell shares with others.
    """

    cells: _Cells
    drawn: str
    base: Callable[[Cell, Json], str] = _shared

    def ids(self, figure: str, settings: Json) -> tuple[str, ...]:
        """Return the ids of a figure's stimuli, ``<figure>_<cell of the design>``; no setting changes them."""
        names = _cell_names(self.cells, parse_figure(figure).release)
        return tuple(f"{figure}_{name}" for name in names)

    def specs(self, figure: str, settings: Json) -> Iterator[StimulusSpec]:
        """Yield the stimuli of a figure in the same order.

        The factor ``truth`` is what measuring has to find, worked out from the parameters that are drawn; the others
        are the task, release and design cell.

        Args:
            settings: ``seed`` of what is random, or ``fresh`` of another edition instead, and what ``base`` looks at.
        """
        task, release, copy = parse_figure(figure)
        drawn: Drawn = resolve(self.drawn)
        geometries: dict[str, Json] = {}
        for cell in self.cells(release):
            base = self.base(cell, settings)
            if base not in geometries:
                generator = _generator(settings.get("fresh", settings["seed"]), figure, base)
                # Positions that are central in the paper's set are random in other editions, as in further copies.
                number = copy + ("fresh" in settings)
                geometries[base] = drawn.geometry(cell.levels, generator, number)
            parameters = {**cell.levels, **geometries[base]}
            shared = {"task": task, "release": release, "base_figure": f"{figure}_{base}"}
            factors = {**shared, **cell.factors, "truth": drawn.truth(parameters)}
            yield StimulusSpec(f"{figure}_{cell.name}", parameters, factors)


def _generator(seed: int, *identity: str) -> "np.random.Generator":
    """Return the generator of one base figure, which depends on its identity alone and on no other figure's draws."""
    # Late: planning imports this module and draws nothing.
    import numpy as np

    text = "/".join(("blindtest", str(seed), *identity))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))


@cache
def _cell_names(cells: _Cells, release: str) -> tuple[str, ...]:
    """Return the names of a design's cells: the same of every copy, and there may be a hundred."""
    return tuple(cell.name for cell in cells(release))
