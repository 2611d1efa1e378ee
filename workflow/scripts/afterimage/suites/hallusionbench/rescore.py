"""HallusionBench's scores again, from recorded answers: ``afterimage rescore hallusionbench FOLDER``.

Recorded answers become graded ones, right or wrong as people judged them, and their metrics are those of the suite's
table. What else stands here was published under a name of its own.

Two releases name and divide differently: that of October 2023 tells easy from hard by ``figure_id`` and divides pairs
by the number of questions; the later one tells them by ``visual_input`` (2 is the edited image) and divides by pairs.
"""

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from afterimage.contract.readings import UNCERTAIN
from afterimage.errors import AfterimageError, fault
from afterimage.files.recorded_rows import Row, json_line_files, read_json_lines, require_keys
from afterimage.files.recorded_value import text_of
from afterimage.files.row_ids import id_text
from afterimage.grading.readers import yes_no_uncertain
from afterimage.grading.reasoning import graded_text
from afterimage.showing.tables.rescored import (
    add_common_arguments,
    print_csv,
    print_notes,
    print_table,
)
from afterimage.suites.hallusionbench.tables import (
    Score,
    edited,
    figures_right,
    pairs_right,
    questions_right,
)

# Recorded answers to HallusionBench with people's judgement, as its authors publish them.
#
# A folder holds JSON lines, one question each: what it belongs to (``category`` VS or VD, ``subcategory``, ``set_id``,
# ``figure_id``, ``question_id``, ``visual_input``), the right answer (``gt_answer``: 1 yes, 0 no), the model's free
# ``response`` and, where people judged it, ``human_check`` (1 correct, 0 wrong, 2 uncertain).

#: What identifies a question.
QUESTION = ("category", "subcategory", "set_id", "figure_id", "question_id")
_KEYS = (*QUESTION, "visual_input", "gt_answer", "response")
_IDS = ("visual_input", "set_id", "figure_id", "question_id", "gt_answer", "human_check")
_LEGAL = {
    "category": ("VS", "VD"),
    "visual_input": ("0", "1", "2"),
    "gt_answer": ("0", "1"),
    "human_check": ("0", "1", "2"),
}


class RecordedFile(NamedTuple):
    """One file's name and its questions: a frame with the columns of the file, all texts, stripped."""

    name: str
    questions: pd.DataFrame
    notes: tuple[str, ...]


def read_recorded(folder: str | os.PathLike[str]) -> list[RecordedFile]:
    """Read every JSON-lines file of a folder; a question that occurs twice counts twice, as the authors count it.

    Raises:
        AfterimageError: The folder holds no such file, or a line is not what it should be.
    """
    files = json_line_files(folder)
    if not files:
        raise AfterimageError(
            f"{folder}: no *.jsonl or *.jsonl.gz file in it; expected at least one."
        )
    return [_read(path.name, list(read_json_lines(path))) for path in files]


def _read(name: str, lines: Sequence[Row]) -> RecordedFile:
    if not lines:
        raise AfterimageError(f"{name}: no line in it; expected one question each.")
    rows = [_row(line) for line in lines]
    frame = pd.DataFrame(rows)
    repeated = int(frame.duplicated(list(QUESTION), keep="last").sum())
    notes = []
    if repeated:
        notes.append(
            f"{name}: {repeated} questions stand twice; every line counts, {len(frame)} in all, as in the authors' "
            f"evaluation; counted once they would be {len(frame) - repeated}."
        )
    judged = "human_check" in frame
    if not judged:
        notes.append(f"{name}: no human_check; only what needs no people's judgement is scored.")
    elif frame["human_check"].isna().any():
        without = int(frame["human_check"].isna().sum())
        notes.append(
            f"{name}: {without} of {len(frame)} questions without human_check count as not correct."
        )
    return RecordedFile(name, frame, tuple(notes))


def _cell(line: Row, key: str) -> str | None:
    text = text_of(line.values[key], f"{line.where}: field '{key}'")
    return None if text is None else text.strip()


def _row(line: Row) -> dict[str, str | None]:
    require_keys(line, _KEYS)
    read = (*_KEYS, *(key for key in ("human_check", "question") if key in line.values))
    row = {key: _cell(line, key) for key in read}
    row |= {key: id_text(row[key]) for key in _IDS if row.get(key) is not None}
    row["response"] = row["response"] or ""
    for key, legal in _LEGAL.items():
        if (key != "human_check" or row.get(key) is not None) and row.get(key) not in legal:
            raise fault(
                line.where, f"found {key} {row.get(key)!r}; expected one of {', '.join(legal)}."
            )
    return row


# How far reading free text goes: decided, left open, unread, and beside what people said.
#
# The reader is the suite's own (``readers/yes_no_uncertain.py``), with the question at hand. It says "yes",
# "no" or that the question is left open; people judged the whole answer, its explanation too, so the two measure
# different things, and their agreement is a score of its own.

_VALUES = {"Yes": "1", "No": "0"}


def read_answers(questions: pd.DataFrame) -> pd.Series:
    """Read each free answer to its question as "Yes", "No" or "Uncertain"; missing where it cannot be read."""
    read = [
        yes_no_uncertain.parse_with_question(graded_text(response), (), question).answer
        for response, question in zip(questions["response"], questions["question"], strict=True)
    ]
    return pd.Series(read, index=questions.index, dtype="object")


def reading_scores(questions: pd.DataFrame) -> Iterator[Score]:
    """Yield how often the reader decides, agrees with the key, and agrees with people where they judged."""
    read, n = read_answers(questions), len(questions)
    decided, is_open = read.isin(_VALUES), read == UNCERTAIN
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


COLUMNS = ("file", "metric", "correct", "n", "pct")
#: People's judgement as the graded answer that it stands for.
_ANSWERS = {"2": "Uncertain"}
_LEADING = re.compile(r"^\W*(yes|no)\b", re.IGNORECASE)


def rescore(folder: str | os.PathLike[str]) -> tuple[pd.DataFrame, list[str]]:
    """Compute every score that the files of a folder allow.

    Returns:
        One row per file and metric: right, of how many, percent (missing without any); and one sentence for
        everything that a reader must know about them.

    Raises:
        AfterimageError: The folder is not what it should be.
    """
    rows: list[tuple[Any, ...]] = []
    notes: list[str] = []
    for recorded in read_recorded(folder):
        notes.extend(recorded.notes)
        for score in [*scores(recorded.questions), *reading_scores(recorded.questions)]:
            percent = 100 * score.correct / score.n if score.n else float("nan")
            rows.append((recorded.name, *score[:3], percent))
    return pd.DataFrame(rows, columns=list(COLUMNS)), notes


def scores(questions: pd.DataFrame) -> Iterator[Score]:
    """Yield every score that the questions of one file allow."""
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
