"""Overlapping circles and pentagons: the paper's task 4."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import SHAPES

TABLE = task(
    "blindtest_shapes",
    SHAPES,
    "Compare with the paper's table of task 4: 120 answers per row; it prints no average.",
)
