"""How the paper forms the rows, averages and digits of each task's table.

Sources: the recorded outcomes reproduce the printed cells under these rules and no others tried. A
cell pools both prompts. Where an average's rows are equally large, pooled and plain mean agree.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from afterimage.showing.rounding import rounded

Averaging = Literal["pooled", "mean of rows"]
MEAN_OF_ROWS: Averaging = "mean of rows"

DECIMALS = 2


@dataclass(frozen=True)
class PaperTable:
    """One task's table as the paper forms it.

    Attributes:
        task: One of :data:`factors.TASKS`.
        title: What the table shows.
        rows: The paper's rows in its order; others follow in natural order.
        averaging: How the row "average" is formed; None where the paper prints none.
        cuts_rows: Whether the paper cuts the second decimal off instead of rounding it.
        cuts_average: The same for the row "average".
        clustered: Whether the images are renderings of base figures that were drawn at random, so
            that answers about one figure are not independent. The figures of the other tasks are
            the points of a grid of parameters, not a sample.
        one_row: The name of the only row, where the paper does not print the subtasks.
    """

    task: str
    title: str
    rows: tuple[str, ...]
    averaging: Averaging | None = "pooled"
    cuts_rows: bool = False
    cuts_average: bool = False
    clustered: bool = False
    one_row: str | None = None


LINES = PaperTable(
    "line_intersection",
    "Line intersections: how often two broken lines cross",
    ("thickness_2", "thickness_3", "thickness_4"),
    clustered=True,
)
CIRCLES = PaperTable(
    "two_circles",
    "Two circles: whether they overlap, whether they touch",
    ("overlapping", "touching"),
    cuts_rows=True,
    cuts_average=True,
)
LETTERS = PaperTable(
    "circled_letter",
    "Circled letter: which letter of a string is in the oval",
    ("Acknowledgement", "Subdermatoglyphic", "tHyUiKaRbNqWeOpXcZvM"),
    averaging=MEAN_OF_ROWS,
    cuts_average=True,
)
SHAPES = PaperTable(
    "olympic_shapes",
    "Overlapping shapes: how many circles, how many pentagons",
    ("circles", "pentagons"),
    averaging=None,
    cuts_rows=True,
    cuts_average=True,
)
SQUARES = PaperTable(
    "nested_squares",
    "Nested squares: how many there are",
    ("squares",),
    averaging=None,
    clustered=True,
    one_row="squares",
)
GRIDS = PaperTable(
    "grid",
    "Grids: how many rows and columns, both right",
    ("blank", "text"),
    cuts_rows=True,
    cuts_average=True,
)
PATHS = PaperTable(
    "subway",
    "Subway maps: how many paths of one color join two stations",
    ("paths_1", "paths_2", "paths_3"),
    cuts_rows=True,
    cuts_average=True,
    clustered=True,
)
TABLES = (LINES, CIRCLES, LETTERS, SHAPES, SQUARES, GRIDS, PATHS)


def printed(share: Fraction, cuts: bool) -> str:
    """Print an exact share, 0 to 1, in percent with two decimals, rounded half up or cut off."""
    if cuts:
        units = math.floor(share * 100 * 10**DECIMALS)
        return rounded(Fraction(units, 10**DECIMALS), DECIMALS)
    return rounded(share * 100, DECIMALS)
