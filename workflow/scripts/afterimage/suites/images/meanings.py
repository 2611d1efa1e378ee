"""What the columns of the suite's tables mean, for the data dictionary."""

MEANINGS = {
    "set": "the folder of images",
    "factor": "a column of `questions.csv`, the type of answer, or `overall`",
    "n": "answers, or questions that two models have in common",
    "difference": "of the accuracies, first minus second, percentage points",
    "low": "lower bound of the interval of the accuracy, percent, or of the difference",
}
