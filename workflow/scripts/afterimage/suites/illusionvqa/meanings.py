"""What the columns of the suite's tables mean, for the data dictionary."""

MEANINGS = {"subset": "`comprehension` or `soft_localization`"}
