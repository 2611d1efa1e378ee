"""Shapes apart: the overlapping shapes of release v1, moved apart; 60 images per shape.

Paper, task 4: its models "can count disjoint circles". Size, numbers, rows, line widths and colours are those of the
overlapping ones, so that the overlap alone is different.
"""

from collections.abc import Iterator

from afterimage.suites.blindtest.designs import olympic_shapes
from afterimage.suites.blindtest.designs.copies import Cell, Copies


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    return olympic_shapes.cells("v1")


DESIGN = Copies(cells)
