"""HallusionBench's scores again, from recorded answers: ``afterimage rescore hallusionbench FOLDER``.

Recorded answers become graded ones, right or wrong as people judged them, and their metrics are those of the suite's
table. What else stands here was published under a name of its own.

Two releases name and divide differently: that of October 2023 tells easy from hard by ``figure_id`` and divides pairs
by the number of questions; the later one tells them by ``visual_input`` (2 is the edited image) and divides by pairs.
"""

import argparse
import os
import re
from collections.abc import Iterator

import pandas as pd

from afterimage.showing.rescored import add_common_arguments, print_csv, print_notes, print_table
from afterimage.suites.hallusionbench.free_text import reading_scores
from afterimage.suites.hallusionbench.recorded import read_recorded
from afterimage.suites.hallusionbench.tables import (
    Score,
    edited,
    figures_right,
    pairs_right,
    questions_right,
)

COLUMNS = ("file", "metric", "correct", "n", "pct")
#: People's judgement as the graded answer that it stands for.
_ANSWERS = {"2": "Uncertain"}
_LEADING = re.compile(r"^\W*(yes|no)\b", re.IGNORECASE)


def rescore(folder: str | os.PathLike) -> tuple[pd.DataFrame, list[str]]:
    """Compute every score that the files of a folder allow.

    Returns:
        One row per file and metric: right, of how many, percent (missing without any); and one sentence for
        everything that a reader must know about them.

    Raises:
        AfterimageError: The folder is not what it should be.
    """
    rows, notes = [], []
    for recorded in read_recorded(folder):
        notes.extend(recorded.notes)
        for score in [*scores(recorded.questions), *reading_scores(recorded.questions)]:
            percent = 100 * score.correct / score.n if score.n else float("nan")
            rows.append((recorded.name, *score[:3], percent))
    return pd.DataFrame(rows, columns=list(COLUMNS)), notes


def scores(questions: pd.DataFrame) -> Iterator[Score]:
    """Yield every score that the questions of one file allow.

    Args:
        questions: Columns of :mod:`afterimage.suites.hallusionbench.recorded`.
    """
    if "human_check" in questions:
        yield from _judged_scores(graded(questions))
    yield from _leading_scores(questions)


def graded(questions: pd.DataFrame) -> pd.DataFrame:
    """Return recorded questions as graded answers: right where people said so."""
    return questions.assign(
        correct=questions["human_check"] == "1",
        answer=questions["human_check"].map(_ANSWERS),
        key=questions["gt_answer"].map({"1": "Yes", "0": "No"}),
        image_shown=(questions["figure_id"] == "0").map({True: "no", False: "yes"}),
    )


def leading_answer(responses: pd.Series) -> pd.Series:
    """Read the "yes" or "no" that an answer begins with, lower case; missing where it begins otherwise."""
    return responses.str.extract(_LEADING)[0].str.lower()


def _judged_scores(answers: pd.DataFrame) -> Iterator[Score]:
    pairs = pairs_right("question_pair_acc (qAcc)", answers)
    for name in ("question_acc", "question_acc (aAcc)"):
        yield questions_right(name, answers)
    for name in ("figure_acc", "figure_acc (fAcc)"):
        yield figures_right(name, answers)
    yield pairs
    yield pairs._replace(metric="question_pair_acc divided by the number of pairs")
    yield Score(
        "question_pair_acc divided by the number of questions (as published then)",
        pairs.correct,
        len(answers),
    )
    yield from _by_figure(answers)
    if edited(answers).any():
        yield from _by_visual_input(answers)
    for value in ("1", "2", "0"):
        counted = int((answers["human_check"] == value).sum())
        yield Score(f"rows with human_check {value}", counted, len(answers))


def _by_figure(answers: pd.DataFrame) -> Iterator[Score]:
    later = answers["figure_id"] != "0"
    hard_pairs = pairs_right(
        "hard pairs divided by the number of hard questions (as published then)", answers[later]
    )
    yield hard_pairs._replace(n=int(later.sum()))
    yield questions_right("hard = figure_id>0 question acc", answers[later])
    yield questions_right("easy = figure_id 0 question acc", answers[~later])


def _by_visual_input(answers: pd.DataFrame) -> Iterator[Score]:
    hard = edited(answers)
    for name, label, chosen in (("easy", "Easy", ~hard), ("hard", "Hard", hard)):
        yield pairs_right(f'{name}_pair_acc (leaderboard "{label}")', answers[chosen])
        yield questions_right(f"{name}_question_acc (not on leaderboard)", answers[chosen])


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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``afterimage rescore hallusionbench`` takes."""
    add_common_arguments(parser, "*.jsonl.gz with recorded answers and human_check")


def run(options: argparse.Namespace) -> int:
    """Print the scores; what must be known about them goes to standard error."""
    frame, notes = rescore(options.folder)
    print_notes(notes)
    if options.format == "csv":
        print_csv(frame)
    else:
        print_table(frame)
    return 0
