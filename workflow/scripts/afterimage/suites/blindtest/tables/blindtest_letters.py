"""The circled letter: the paper's task 3."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import LETTERS

TABLE = task(
    "blindtest_letters",
    LETTERS,
    "Compare with the paper's table of task 3: 720, 816 and 960 answers.",
)
