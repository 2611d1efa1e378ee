"""Line intersections: the paper's task 1."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import LINES

TABLE = task(
    "blindtest_lines",
    LINES,
    "Compare with the paper's table of task 1: 150 images, 100 answers per line width.",
)
