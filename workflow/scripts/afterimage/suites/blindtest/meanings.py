"""What the columns of the suite's tables mean, for the data dictionary."""

MEANINGS = {
    "kind": "`measured`, `recorded` by the authors, on their images, or `reference`: guessing, a constant answer",
    "prompts": "the prompts that are pooled in the row",
    "row": "the paper's row (thickness, question, word, shape, number of paths, ...), `average` or `mean`",
    "k": "right answers; empty where the row is a mean of rows",
    "clusters": "figures, where images are renderings of fewer figures; else images",
    "averaging": "of rows that combine others: `pooled`, or which mean; empty for a plain row",
    "answer": "the constant answer of a baseline; in `blindtest_counts` what was answered, `unparsed` if unreadable",
    "printed": "as the paper prints it: two decimals, cut off or rounded as in its table",
    "truth": "the true count",
    "total": "answers to this true count",
}
