"""Nested squares: the paper's task 5."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import SQUARES

TABLE = task(
    "blindtest_squares",
    SQUARES,
    "Compare with the paper's table of task 5: 120 answers to a single prompt, read by a parser that "
    "took the first number word of a fixed list; see docs/blindtest_parsing.md.",
)
