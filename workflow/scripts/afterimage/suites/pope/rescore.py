"""POPE's scores again, from recorded answers: ``afterimage rescore pope FOLDER [--questions FOLDER]``.

Missing answers are named. Scores are over the answers that exist and, where the question files say how many there
should be, over all questions asked as well: an answer that is missing is then neither yes nor no, and wrong.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from tabulate import tabulate

from afterimage.grading import presence_blog
from afterimage.showing.rounding import rounded
from afterimage.suites.pope.intervals import bounds_of_scores
from afterimage.suites.pope.metrics import COUNTS, SCORES, count, scores
from afterimage.suites.pope.names import STRATEGIES
from afterimage.suites.pope.readers.answer_files import Answer
from afterimage.suites.pope.recorded import Recorded, Split, read_recorded

CONFIDENCE = 0.95

#: Columns of the CSV. Scores are from 0 to 1; what is undefined is empty.
COLUMNS = ("model", "split", "n", "n_questions", "tp", "fp", "tn", "fn", *SCORES)
#: The row with the unweighted mean of the three strategies' F1.
MEAN = "mean_of_3_f1"
RULES = presence_blog.RULES
#: Behind the name of a split (and of the mean): the scores are over all questions asked. Such rows stand only where
#: answers are missing and the question files are given.
ALL_QUESTIONS = "_all_questions"

_DECIMALS = 6


class Scored(NamedTuple):
    """The scores of one model's answers to one strategy's questions.

    Attributes:
        counts: In the order of ``metrics.COUNTS``.
        n_questions: How many were asked; None where that cannot be known.
        over_answers: ``metrics.SCORES`` over the answers that exist.
        over_questions: The same over all questions asked; NaN where that cannot be known.
    """

    counts: np.ndarray
    n_questions: int | None
    over_answers: np.ndarray
    over_questions: np.ndarray

    @property
    def is_incomplete(self) -> bool:
        """Whether answers are known to be missing."""
        return self.n_questions is not None and int(self.counts.sum()) < self.n_questions


def rescore(
    folder: str | os.PathLike,
    questions: str | os.PathLike | None = None,
    rule: str = "official",
) -> pd.DataFrame:
    """Score all recorded answers of a folder.

    Args:
        folder: Holds files of answers, see :func:`recorded.read_recorded`.
        questions: A folder with question files.
        rule: By which answers are read, one of :data:`RULES`.

    Returns:
        The columns of :data:`COLUMNS`: per model a row for each split, over the answers that exist, and for models with
        all three splits the mean of F1. Where answers are missing and question files are given, the same once more over
        all questions asked, with :data:`ALL_QUESTIONS` behind the name; n is then the number of questions.

    Raises:
        AfterimageError: A folder is not as expected.
    """
    return _frame(read_recorded(folder, questions), rule)


def _frame(recorded: Recorded, rule: str) -> pd.DataFrame:
    rows = []
    for model, splits in recorded.models.items():
        found = {name: score(split, rule) for name, split in splits.items()}
        rows += _rows(model, found, over_questions=False)
        asked = {name for name, split in splits.items() if split.questions is not None}
        if any(found[name].is_incomplete for name in asked):
            rows += _rows(model, {name: found[name] for name in found if name in asked}, True)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    whole = ("n", "n_questions", "tp", "fp", "tn", "fn")
    return frame.astype(dict.fromkeys(whole, "Int64") | dict.fromkeys(SCORES, "float"))


def score(split: Split, rule: str = "official") -> Scored:
    """Score one split by one rule; an answer that the rule cannot read is neither yes nor no."""
    units = _units(split.answers, rule)
    summed = units.sum(axis=0)
    over_questions = np.full(len(SCORES), np.nan)
    if split.questions is not None:
        answered = {answer.question_id for answer in split.answers}
        labels = [one.label for one in split.questions.questions if one.question_id not in answered]
        over_questions = scores(summed + count(labels, [""] * len(labels)).sum(axis=0))
    return Scored(summed, split.n_questions, scores(summed), over_questions)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``afterimage rescore pope`` takes."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help="holds the recorded answers: *.jsonl or *.jsonl.gz with split, question_id, image, text, label, response",
    )
    parser.add_argument(
        "--questions",
        metavar="FOLDER",
        help="holds the question files (coco_pope_random.json ...): words are compared, missing answers counted",
    )
    parser.add_argument(
        "--format",
        choices=("text", "csv"),
        default="text",
        help="tables to read, or the scores alone",
    )
    parser.add_argument(
        "--rule",
        choices=RULES,
        default="official",
        help="how answers are read (default: official, the one of POPE's authors)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the scores; what is missing or left out is named, and is not an error."""
    if options.format == "csv":
        recorded = read_recorded(options.folder, options.questions)
        for remark in _remarks(recorded):
            print(f"afterimage: {remark}", file=sys.stderr)
        frame = _frame(recorded, options.rule)
        frame.to_csv(sys.stdout, index=False, float_format=f"%.{_DECIMALS}f", lineterminator="\n")
        return 0
    print(as_text(options.folder, options.questions, options.rule))
    return 0


def as_text(
    folder: str | os.PathLike,
    questions: str | os.PathLike | None = None,
    rule: str = "official",
) -> str:
    """Return the scores as tables, with intervals over images, the strict rule beside, and all remarks."""
    recorded = read_recorded(folder, questions)
    parts = []
    for model, splits in recorded.models.items():
        found = {name: score(split, rule) for name, split in splits.items()}
        lines = [_line(name, splits[name], scored, rule) for name, scored in found.items()]
        parts.append(
            f"{model}\n\n{tabulate(lines, headers='keys', tablefmt='simple', disable_numparse=True)}\n"
        )
        if all(name in found for name in STRATEGIES):
            mean = _mean_f1([found[name] for name in STRATEGIES])
            parts.append(f"mean F1 of the three strategies: {_percent(mean)}\n")
        parts += [
            f"{name}: {split.questions.version}, SHA-256 {split.questions.sha256}"
            for name, split in splits.items()
            if split.questions is not None
        ]
    parts += ["", *_remarks(recorded)] if _remarks(recorded) else []
    parts.append(
        f"\nPercent. Answers are read by the rule '{rule}'; strict: by the strict rule, what it cannot read is wrong. "
        f"In brackets: {100 * CONFIDENCE:g} % interval, Wilson's on what the answers are worth, those about one image "
        "together (docs/statistics.md). All: over all questions asked; a missing answer is wrong."
    )
    return "\n".join(parts)


def _rows(model: str, found: Mapping[str, Scored], over_questions: bool) -> list[dict]:
    suffix = ALL_QUESTIONS if over_questions else ""
    rows = [
        _row(model, f"{name}{suffix}", scored, over_questions) for name, scored in found.items()
    ]
    if all(name in found for name in STRATEGIES):
        of_three = [found[name] for name in STRATEGIES]
        asked = [scored.n_questions for scored in of_three]
        total = None if None in asked else sum(asked)
        answered = sum(int(scored.counts.sum()) for scored in of_three)
        rows.append(
            {
                "model": model,
                "split": f"{MEAN}{suffix}",
                "n": total if over_questions else answered,
                "n_questions": total,
                "f1": _mean_f1(of_three, over_questions),
            }
        )
    return rows


def _row(model: str, split: str, scored: Scored, over_questions: bool) -> dict[str, object]:
    confusion = dict(zip(COUNTS, map(int, scored.counts), strict=True))
    values = scored.over_questions if over_questions else scored.over_answers
    return {
        "model": model,
        "split": split,
        "n": scored.n_questions if over_questions else int(scored.counts.sum()),
        "n_questions": scored.n_questions,
        **{name: confusion[name] for name in ("tp", "fp", "tn", "fn")},
        **dict(zip(SCORES, map(float, values), strict=True)),
    }


def _mean_f1(found: Sequence[Scored], over_questions: bool = False) -> float:
    place = SCORES.index("f1")
    values = [(one.over_questions if over_questions else one.over_answers)[place] for one in found]
    return float(np.mean(values))


def _line(name: str, split: Split, scored: Scored, rule: str) -> dict[str, str]:
    units = _units(split.answers, rule)
    images = [answer.image for answer in split.answers]
    bounds = bounds_of_scores(units, images, {"confidence": CONFIDENCE})
    strict = _units(split.answers, "strict").sum(axis=0)
    asked = "unknown" if split.n_questions is None else str(split.n_questions)
    line = {"split": name, "answers": f"{len(split.answers)} of {asked}"}
    titles = ("accuracy", "precision", "recall", "F1", "yes")
    for title, value, (low, high) in zip(titles, scored.over_answers, bounds.values(), strict=True):
        line[title] = _percent(value)
        if title in ("accuracy", "F1") and not np.isnan(low):
            line[title] += f" [{rounded(low, 1)}, {rounded(high, 1)}]"
    line["strict accuracy"] = _percent(scores(strict)[0])
    line["unparsed"] = str(int(strict[4:].sum()))
    if split.questions is not None:
        line["accuracy, all"] = _percent(scored.over_questions[0])
        line["F1, all"] = _percent(scored.over_questions[3])
    return line


def _units(answers: Sequence[Answer], rule: str) -> np.ndarray:
    keys = [answer.label for answer in answers]
    readings = [presence_blog.parse(answer.response).readings[rule] for answer in answers]
    return count(keys, readings)


def _remarks(recorded: Recorded) -> list[str]:
    named = [
        f"{model}, {name}: {remark}"
        for model, splits in recorded.models.items()
        for name, split in splits.items()
        for remark in split.remarks
    ]
    return [*recorded.remarks, *named]


def _percent(value: float) -> str:
    return "-" if np.isnan(value) else rounded(100 * value, 2)
