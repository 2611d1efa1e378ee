"""How far reading free text goes: decided, left open, unread, and beside what people said.

The reader is the suite's own (:mod:`afterimage.grading.yes_no_uncertain`), with the question at hand. It says "yes",
"no" or that the question is left open; people judged the whole answer, its explanation too, so the two measure
different things, and their agreement is a score of its own.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.grading import yes_no_uncertain
from afterimage.grading.reasoning import graded_text
from afterimage.suites.hallusionbench.tables import Score

_VALUES = {"Yes": "1", "No": "0"}


def read_answers(questions: pd.DataFrame) -> pd.Series:
    """Read each free answer to its question as "Yes", "No" or "Uncertain"; missing where it cannot be read."""
    read = [
        yes_no_uncertain.parse_asked(graded_text(response), (), question).answer
        for response, question in zip(questions["response"], questions["question"], strict=True)
    ]
    return pd.Series(read, index=questions.index, dtype="object")


def reading_scores(questions: pd.DataFrame) -> Iterator[Score]:
    """Yield how often the reader decides, agrees with the key, and agrees with people where they judged."""
    read, n = read_answers(questions), len(questions)
    decided, is_open = read.isin(_VALUES), read == yes_no_uncertain.UNCERTAIN
    says_gold = read.map(_VALUES) == questions["gt_answer"]
    yield Score("parser decides", int(decided.sum()), n)
    yield Score("parser leaves open", int(is_open.sum()), n)
    yield Score("parser abstains", int(read.isna().sum()), n)
    yield Score("parser equals gt_answer", int(says_gold[decided].sum()), int(decided.sum()))
    if "human_check" not in questions:
        return
    checked = questions["human_check"] == "1"
    agrees = says_gold == checked
    yield Score(
        "parser vs gt_answer agrees with human_check==1",
        int(agrees[decided].sum()),
        int(decided.sum()),
    )
    # Without its image a question may be left open; so the authors count it.
    unseen = (questions["category"] == "VS") & (questions["figure_id"] == "0")
    right = says_gold | (unseen & is_open)
    right_to_people = checked | (unseen & (questions["human_check"] == "2"))
    yield Score(
        "parser and people agree on what is right", int((right == right_to_people).sum()), n
    )
    yield Score("question_acc as the parser reads", int(right.sum()), n)
