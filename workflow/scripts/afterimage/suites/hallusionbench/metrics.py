"""HallusionBench's metrics, as its authors compute them, over questions that people judged.

Two releases name and divide differently: that of October 2023 tells easy from hard by ``figure_id`` and divides pairs
by the number of questions; the later one tells them by ``visual_input`` (2 is the edited image) and divides by pairs.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

_FIGURE = ["category", "subcategory", "set_id", "figure_id"]
_PAIR = ["category", "subcategory", "set_id", "question_id"]
_LEADING = re.compile(r"^\W*(yes|no)\b", re.IGNORECASE)


class Score(NamedTuple):
    """A metric's name, how many count as right, of how many."""

    metric: str
    correct: int
    n: int


def judged_correct(questions: pd.DataFrame) -> pd.Series:
    """Tell which answers count as correct.

    People's 1; for questions about common knowledge that come without an image (VS, figure 0) also 2, since
    "uncertain" is a fair answer there.
    """
    blind = (questions["category"] == "VS") & (questions["figure_id"] == "0")
    return (questions["human_check"] == "1") | (blind & (questions["human_check"] == "2"))


def leading_answer(responses: pd.Series) -> pd.Series:
    """Read the "yes" or "no" that an answer begins with, lower case; missing where it begins otherwise."""
    return responses.str.extract(_LEADING)[0].str.lower()


def scores(questions: pd.DataFrame) -> Iterator[Score]:
    """Yield every score that the questions of one file allow.

    Args:
        questions: Columns of :mod:`afterimage.suites.hallusionbench.recorded`.
    """
    if "human_check" in questions:
        yield from _human_scores(questions)
    yield from _leading_scores(questions)


def _human_scores(questions: pd.DataFrame) -> Iterator[Score]:
    correct = judged_correct(questions)
    total = len(questions)
    shown = ~((questions["category"] == "VS") & (questions["figure_id"] == "0"))
    figures = _grouped(questions[shown], correct[shown], _FIGURE)
    pairs = _grouped(questions, correct, _PAIR)
    for name in ("question_acc", "question_acc (aAcc)"):
        yield Score(name, int(correct.sum()), total)
    for name in ("figure_acc", "figure_acc (fAcc)"):
        yield Score(name, *figures)
    for name in ("question_pair_acc (qAcc)", "question_pair_acc divided by the number of pairs"):
        yield Score(name, *pairs)
    yield Score(
        "question_pair_acc divided by the number of questions (as published then)", pairs[0], total
    )
    yield from _by_figure(questions, correct)
    if (questions["visual_input"] == "2").any():
        yield from _by_visual_input(questions, correct)
    for value in ("1", "2", "0"):
        counted = int((questions["human_check"] == value).sum())
        yield Score(f"rows with human_check {value}", counted, total)


def _by_figure(questions: pd.DataFrame, correct: pd.Series) -> Iterator[Score]:
    edited = questions["figure_id"] != "0"
    hard_pairs, _ = _grouped(questions[edited], correct[edited], _PAIR)
    yield Score(
        "hard pairs divided by the number of hard questions (as published then)",
        hard_pairs,
        int(edited.sum()),
    )
    yield Score("hard = figure_id>0 question acc", int(correct[edited].sum()), int(edited.sum()))
    yield Score(
        "easy = figure_id 0 question acc", int(correct[~edited].sum()), int((~edited).sum())
    )


def _by_visual_input(questions: pd.DataFrame, correct: pd.Series) -> Iterator[Score]:
    hard = questions["visual_input"] == "2"
    for name, label, chosen in (("easy", "Easy", ~hard), ("hard", "Hard", hard)):
        pairs = _grouped(questions[chosen], correct[chosen], _PAIR)
        yield Score(f'{name}_pair_acc (leaderboard "{label}")', *pairs)
        yield Score(
            f"{name}_question_acc (not on leaderboard)",
            int(correct[chosen].sum()),
            int(chosen.sum()),
        )


def _leading_scores(questions: pd.DataFrame) -> Iterator[Score]:
    leading = leading_answer(questions["response"])
    present = leading.notna()
    says_gold = (leading == "yes") == (questions["gt_answer"] == "1")
    yield Score("leading yes/no present", int(present.sum()), len(questions))
    yield Score(
        "leading yes/no equals gt_answer", int(says_gold[present].sum()), int(present.sum())
    )
    if "human_check" in questions:
        agrees = says_gold == (questions["human_check"] == "1")
        yield Score(
            "leading yes/no vs gt_answer agrees with human_check==1",
            int(agrees[present].sum()),
            int(present.sum()),
        )


def _grouped(questions: pd.DataFrame, correct: pd.Series, keys: list[str]) -> tuple[int, int]:
    """Count the groups in which all are correct, and all groups."""
    all_correct = correct.groupby([questions[key] for key in keys]).all()
    return int(all_correct.sum()), len(all_correct)
