"""Rows and columns: the paper's task 6."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import GRIDS

TABLE = task(
    "blindtest_grids",
    GRIDS,
    "Compare with the paper's table of task 6: 264 answers per row. A cell of the paper's table is "
    "right only if both numbers are.",
)
