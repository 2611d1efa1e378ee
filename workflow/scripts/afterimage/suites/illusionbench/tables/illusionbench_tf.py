"""True or false: the paper's table II."""

from afterimage.suites.illusionbench.names import TRUE_FALSE
from afterimage.suites.illusionbench.tables.accuracy import accuracy_table

TABLE = accuracy_table(
    "illusionbench_tf",
    "IllusionBench+: accuracy on true-or-false questions (the paper's table II)",
    TRUE_FALSE,
)
