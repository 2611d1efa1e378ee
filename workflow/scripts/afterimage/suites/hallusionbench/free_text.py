"""How far a deterministic reading of free text goes: decided, abstained, and beside what people said.

A reading says "yes" or "no" and compares that with the key. People judged the whole answer, its explanation too, so the
two measure different things; where a reading decides, its agreement with people is a score of its own.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.grading import yes_no_statement
from afterimage.suites.hallusionbench.metrics import Score


def read_answers(questions: pd.DataFrame) -> pd.Series:
    """Read each free answer to its question as "yes" or "no"; missing where the parser abstains."""
    read = [
        yes_no_statement.read(response, question)
        for response, question in zip(questions["response"], questions["question"], strict=True)
    ]
    return pd.Series(read, index=questions.index, dtype="object")


def reading_scores(questions: pd.DataFrame) -> Iterator[Score]:
    """Yield how often the parser decides, agrees with the key, and agrees with people where they judged."""
    read = read_answers(questions)
    decided = read.notna()
    says_gold = (read == "yes") == (questions["gt_answer"] == "1")
    yield Score("parser decides", int(decided.sum()), len(questions))
    yield Score("parser abstains", int((~decided).sum()), len(questions))
    yield Score("parser equals gt_answer", int(says_gold[decided].sum()), int(decided.sum()))
    if "human_check" in questions:
        agrees = says_gold == (questions["human_check"] == "1")
        yield Score(
            "parser vs gt_answer agrees with human_check==1",
            int(agrees[decided].sum()),
            int(decided.sum()),
        )
