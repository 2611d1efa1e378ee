"""What the suite consists of: names only, so that the workflow can be planned without drawing.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from afterimage.errors import unknown_name
from afterimage.suites.illusion_vqa.catalogue import ILLUSIONS, QUESTIONS, VARIANTS

__all__ = ["ILLUSIONS", "QUESTIONS", "VARIANTS", "Cell"]

#: The suite whose modules draw these figures.
FIGURES_OF = "illusion_vqa"
#: Whole pixels to the right and down, by the letter that ends a stimulus' id.
SHIFTS_PX = {"a": (-6, -6), "b": (6, 6)}
#: How ``replicate`` calls the shifts.
SHIFT_SIGNS = {"a": "-", "b": "+"}
#: Illusions whose inducer has no opposite.
ONE_SIDED = ("orbison",)

HUMAN_FILTER = False

#: The results tables and pictures of the suite; one module each in ``tables/``.
TABLES = ("illusion_strength", "illusion_strength_cells")
_CHARTED = ("illusion_strength_cells", "illusion_strength")
SUMMARY_CHART = "illusion_strength"
#: One chart per illusion, and their summary.
CHARTS = {
    SUMMARY_CHART: _CHARTED,
    **{f"{SUMMARY_CHART}_{figure}": _CHARTED for figure in ILLUSIONS},
}
EXAMPLES: dict[str, tuple] = {}
#: Strengths and differences that a row of the contact sheet shows: the ends of the grid and its middle.
_SHOWN_LEVELS = 3
CONTACT_SHEETS = {"illusion_strength_grid": _SHOWN_LEVELS**2}


class Cell(NamedTuple):
    """One stimulus of an illusion.

    Attributes:
        variant: ``A`` or ``B``.
        strength: Signed strength of the inducer as a fraction of the genuine figure's, -1 to 1.
        difference: Signed true difference as a fraction of the fake's, -1 to 1; agrees with a strength of its sign.
        shift: ``a`` or ``b``, see ``SHIFTS_PX``.
    """

    variant: str
    strength: float
    difference: float
    shift: str

    def stimulus_id(self, figure: str) -> str:
        """Return ``<illusion>_<variant>_s<strength>_d<difference>_<shift>``."""
        return f"{figure}_{self.variant}_s{self.strength:+g}_d{self.difference:+g}_{self.shift}"

    @property
    def replicate(self) -> str:
        """Variant and shift: ``A-``, ``A+``, ``B-`` or ``B+``."""
        return f"{self.variant}{SHIFT_SIGNS[self.shift]}"


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the configured illusions in the order of the paper."""
    return tuple(name for name in ILLUSIONS if name in settings["illusions"])


def strengths(figure: str, settings: Mapping) -> tuple[float, ...]:
    """Return the configured strengths that an illusion can have, in ascending order."""
    require_figure(figure)
    return tuple(s for s in _levels(settings["strengths"]) if s >= 0 or figure not in ONE_SIDED)


def differences(settings: Mapping) -> tuple[float, ...]:
    """Return the configured differences in ascending order."""
    return _levels(settings["differences"])


def cells(figure: str, settings: Mapping) -> Iterator[Cell]:
    """Yield the stimuli of an illusion: strength x difference x variant x shift."""
    for strength, difference, variant, shift in product(
        strengths(figure, settings), differences(settings), VARIANTS, SHIFTS_PX
    ):
        yield Cell(variant, strength, difference, shift)


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of an illusion in the order of its cells."""
    return _ids(figure, strengths(figure, settings), differences(settings))


def first_position(figure: str, settings: Mapping) -> int:
    """Return the position of an illusion's first stimulus in the suite, whichever illusions are configured.

    Every illusion has room for the whole grid. Other levels change the content of every shard, so they may move it.
    """
    require_figure(figure)
    levels = len(settings["strengths"]) * len(settings["differences"])
    return ILLUSIONS.index(figure) * levels * len(VARIANTS) * len(SHIFTS_PX)


def drawing_module(figure: str) -> str:
    """Return which module of the other suite's ``figures/`` draws a figure: the one of its name."""
    require_figure(figure)
    return figure


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what the sheet shows as pairs of figure and stimulus id, one row per illusion.

    A row holds variant A at the ends and the middle of the configured strengths and, within each, of the differences.
    """
    return [
        (figure, Cell(VARIANTS[0], strength, difference, "a").stimulus_id(figure))
        for figure in figures(settings)
        for strength in _shown(strengths(figure, settings))
        for difference in _shown(differences(settings))
    ]


def chart_module(chart: str) -> str:
    """Return which module of ``charts/`` draws a chart: one draws all illusions'."""
    return chart if chart == SUMMARY_CHART else "illusion"


def has_chart(chart: str, settings: Mapping) -> bool:
    """Tell whether a study asks about what a chart shows."""
    return chart == SUMMARY_CHART or chart.removeprefix(f"{SUMMARY_CHART}_") in figures(settings)


def require_figure(figure: str) -> None:
    """Check that a figure is one of the suite's.

    Raises:
        AfterimageError: It is not; the nearest name is suggested.
    """
    if figure not in ILLUSIONS:
        raise unknown_name("illusion", figure, ILLUSIONS)


def _levels(configured: Sequence[float]) -> tuple[float, ...]:
    # Adding nothing turns a minus zero into zero.
    return tuple(sorted(float(level) + 0.0 for level in configured))


def _shown(levels: Sequence[float]) -> list[float]:
    """Return the first, the middle and the last level; of fewer than three, one more than once."""
    last = len(levels) - 1
    return [levels[round(step * last / (_SHOWN_LEVELS - 1))] for step in range(_SHOWN_LEVELS)]


@cache
def _ids(figure: str, strengths: tuple, differences: tuple) -> tuple[str, ...]:
    settings = {"strengths": strengths, "differences": differences}
    return tuple(cell.stimulus_id(figure) for cell in cells(figure, settings))
