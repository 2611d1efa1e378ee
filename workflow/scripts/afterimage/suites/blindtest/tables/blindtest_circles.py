"""Two circles: the paper's task 2; each row is one question."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import CIRCLES

TABLE = task(
    "blindtest_circles",
    CIRCLES,
    "Compare with the paper's table of task 2: 672 answers per row. Most keys are No: compare with "
    "the constant answer before anything else.",
)
