"""What columns of tables mean, for the data dictionary: those that many tables share, said once.

A name may hold ``*``: it then stands for every column that looks like that (``*_low``). What a suite alone has stands
in its field ``meanings``, in the same form. No job imports this: words about a column remake nothing.
"""

from collections.abc import Mapping
from fnmatch import fnmatchcase

#: Column, or pattern of columns, to its meaning.
SHARED: Mapping[str, str] = {
    "suite": "the suite",
    "model": "its name in the study; in rows that are no model, what they stand for (`uniform guessing`, `Human`)",
    "kind": "`measured`; `reference` for a row of comparison: guessing, a constant answer, a constant place; or "
    "`paper`, what a paper prints",
    "answer": "of a constant answer or place the best one, which the row is of",
    "group": "heading under which the model stands (`model_groups`)",
    "prompt": "id in the prompt file; `all` for all of them pooled",
    "category": "category of the image; `total` for all",
    "task": "the task",
    "subtask": "a part of the task; `all` where its parts are not told apart",
    "question": "which question about the image",
    "factor": "what the answers are parted by",
    "level": "the factor's value",
    "n": "answers in the row, repeats counted: the denominator of everything in it that names no other",
    "k": "right answers",
    "correct_k": "right answers",
    "unparsed_k": "answers that could not be read; they count as wrong",
    "cut_off_k": "of these, replies that ended before an answer (`reason` begins with `cut_off:`, reading.md)",
    "refused_k": "of the unparsed answers, those that were refused or withheld (`reason` begins with `refused:`)",
    "share": "percent that `n` is of `total`",
    "accuracy": "percent right; empty without answers",
    "low": "lower bound of the interval of the row's share, percent (`statistics: confidence`; statistics.md)",
    "high": "upper bound of the same interval",
    "images": "different images behind the row",
    "clusters": "images, or what is coarser: what can be answered alike as a whole",
    "differing_clusters": "those of them in which the two sides differ",
    "differing_images": "images about which the two models differ",
    "guessing": "what a guess among the options offered would earn, percent",
    "first": "the first of two models",
    "second": "the other",
    "difference": "first minus second, percentage points",
    "both_k": "pairs of answers of which both are right",
    "only_first_k": "pairs of which only the first is right",
    "only_second_k": "pairs of which only the second is right",
    "neither_k": "pairs of which neither is right",
    "alone_n": "answers that are left out, since the other model gave none",
    "both": "pairs of answers of which both are right",
    "only_first": "pairs of which only the first is right",
    "only_second": "pairs of which only the second is right",
    "neither": "pairs of which neither is right",
    "p_value": "of flipping the signs of whole clusters, two-sided mid-p; 1 where none differs",
    "p": "the same",
    "p_holm": "the p value corrected by Holm's method, together with those of the table's other rows",
    "resamples": "resamples of the bootstrap",
    "not_finished": "only there where a model has not answered everything, or nothing, or was asked nothing: the "
    "sentence in its row, which has no numbers (reliability.md)",
    "pilot": "only there where a part of the images is asked about: how many of how many",
    "human_filter": "only there, as `synthetic`, where the human filter rests on simulated participants",
    "shown": "of tables on probabilities: `image`; `blank`, a white one; or `none`",
    "no_scores_k": "answers that were asked for probabilities of the options and came without, or with what cannot be "
    "used (graded.md)",
    "no_mass_k": "answers of which the options took less than half of the first tokens' probability, or more than 0.05 "
    "of it is open between several options",
    "graded_n": "answers with probabilities of the options",
    "*_read": "of tables on probabilities: the same from what was read of the replies",
    "*_graded": "the same on probabilities",
    "*_low": "lower bound of the interval of the number that the name begins with",
    "*_high": "upper bound of the same interval",
}


def explained(column: str, own: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name or pattern under which a column is explained, and what it means; None where nothing is said.

    A column's own name goes before a pattern, a long pattern before a short one, and what the suite says before what is
    shared.
    """
    for meanings in (own, SHARED):
        matching = [name for name in meanings if fnmatchcase(column, name)]
        if matching:
            name = max(matching, key=lambda name: (name == column, len(name)))
            return name, meanings[name]
    return None
