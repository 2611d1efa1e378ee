"""What the columns of the suite's tables mean, for the data dictionary."""

MEANINGS = {
    "set": "the folder of images",
    "factor": "a column of `questions.csv`, the type of answer, or `overall`",
    "both": "questions that both models answer right",
    "only_first": "questions that the first alone answers right",
    "only_second": "questions that the second alone answers right",
    "neither": "questions that neither answers right",
    "n": "answers, or questions that two models have in common",
    "difference": "of the accuracies, first minus second, percentage points; bounds by resampling images",
    "low": "lower bound, percent: Wilson's; of differences from resampling images",
    "p": "McNemar's exact test, two-sided; takes questions for independent",
}
