"""Single-colored paths: the paper's task 7."""

from afterimage.suites.blindtest.tables.accuracy import task
from afterimage.suites.blindtest.tables.paper_rows import PATHS

TABLE = task(
    "blindtest_paths",
    PATHS,
    "Compare with the paper's table of task 7, whose run is not the released one. The original never "
    "asks about two stations without a path.",
)
