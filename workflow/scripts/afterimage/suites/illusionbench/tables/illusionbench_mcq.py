"""Multiple choice: the paper's table III."""

from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE
from afterimage.suites.illusionbench.tables.accuracy import accuracy_table

TABLE = accuracy_table(
    "illusionbench_mcq",
    "IllusionBench+: accuracy on multiple-choice questions (the paper's table III)",
    MULTIPLE_CHOICE,
)
