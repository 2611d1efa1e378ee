"""What the columns of the suite's tables mean, for the data dictionary."""

MEANINGS = {
    "metric": "`question`, `figure` (all its questions right), `pair` (a question right about all figures), `easy` and "
    "`hard` pairs, `yes_share`, `gold_yes_share`, `fp_ratio` (wrong yes among wrong answers)",
    "k": "questions, figures or pairs that count as right; of the last three, answers of the kind",
    "n": "questions, figures, pairs or answers that the metric is about",
    "value": "100 k / n",
    "sets": "pictures with their edited ones behind the row: the clusters of its interval",
}
