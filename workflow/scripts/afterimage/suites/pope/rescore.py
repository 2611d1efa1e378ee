"""POPE's scores again, from recorded answers: ``afterimage rescore pope FOLDER [--questions FOLDER]``.

``--relabel FOLDER`` grades the same answers by corrected labels as well.

Missing answers are named. Scores are over the answers that exist and, where the question files say how many there
should be, over all questions asked as well: an answer that is missing is then neither yes nor no, and wrong.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tabulate import tabulate

from afterimage.errors import AfterimageError
from afterimage.grading.readers import presence_blog
from afterimage.showing.tables.columns import rounded
from afterimage.showing.tables.rescored import add_common_arguments, print_csv, print_notes
from afterimage.suites.pope.files import (
    FIRST_RELEASE,
    Question,
    QuestionFile,
    read_relabelling,
    strategy_of,
)
from afterimage.suites.pope.metrics import COUNTS, SCORES
from afterimage.suites.pope.names import POPE, STRATEGIES
from afterimage.suites.pope.recorded import Answer, Recorded, Split, read_recorded
from afterimage.suites.pope.relabelled import rows_of
from afterimage.suites.pope.scores import STRICT, counted, scored

SETTINGS = {"confidence": 0.95, "resamples": 10_000, "seed": 1}

#: Columns of the CSV. Scores are from 0 to 1; what is undefined is empty.
_CONFUSION = COUNTS[:4]
COLUMNS = ("model", "split", "n", "n_questions", *_CONFUSION, *SCORES)
#: The row with the unweighted mean of the three strategies' F1.
MEAN = "mean_of_3_f1"
RULES = presence_blog.RULES
#: Suffix of a split's name (and of the mean's) whose scores are over all questions asked. Such rows exist only where
#: answers are missing and the question files are given.
ALL_QUESTIONS = "_all_questions"

_DECIMALS = 6
_GRADES = ("key", "readings", "image_id")


#: Percent, as the table's cells: (all answers that exist; all questions asked, None if that cannot be known).
Scored = tuple[Mapping[str, Any], Mapping[str, Any] | None]


def rescore(
    folder: str | Path,
    questions: str | Path | None = None,
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
        all questions asked, with the suffix :data:`ALL_QUESTIONS`; n is then the number of questions.

    Raises:
        AfterimageError: A folder is not as expected.
    """
    return _frame(read_recorded(folder, questions), rule)


def _frame(recorded: Recorded, rule: str) -> pd.DataFrame:
    rows = []
    for model, splits in recorded.models.items():
        cells = {name: score(split, rule) for name, split in splits.items()}
        rows += _rows(model, splits, {name: answered for name, (answered, _) in cells.items()}, "")
        over_all = {name: whole for name, (_, whole) in cells.items() if whole is not None}
        if any(_missing(splits[name]) for name in over_all):
            rows += _rows(model, splits, over_all, ALL_QUESTIONS)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    counts = ("n", "n_questions", *_CONFUSION)
    return frame.astype(dict.fromkeys(counts, "Int64") | dict.fromkeys(SCORES, "float"))


def score(split: Split, rule: str) -> Scored:
    """Score one split by one rule, as the suite's table does; what the rule cannot read is neither yes nor no."""
    grades = graded(split)
    if split.questions is None:
        return _measured(grades, rule), None
    unanswered = _unanswered(split.questions, split.answers)
    return _measured(grades, rule), _measured(pd.concat([grades, unanswered]), rule)


def _measured(grades: pd.DataFrame, rule: str) -> dict[str, Any]:
    unread = counted(grades, STRICT)[len(_CONFUSION) :]
    return {
        "n": len(grades),
        **dict(zip(_CONFUSION, map(int, counted(grades, rule)), strict=False)),
        **scored(rule, grades, SETTINGS),
        "unparsed_k": int(unread.sum()),
    }


def graded(split: Split) -> pd.DataFrame:
    """Return the graded answers of a split: key, readings and image."""
    return pd.DataFrame(
        [
            (answer.label, presence_blog.parse(answer.response).readings, answer.image)
            for answer in split.answers
        ],
        columns=list(_GRADES),
    )


def relabelled(recorded: Recorded, folder: str | Path) -> pd.DataFrame:
    """Return the rows of the table ``pope_relabelled``, from recorded answers.

    Args:
        recorded: The answers. Without question files, the relabelling is joined to what they say was asked.
        folder: Holds a label file for each split, by their names.

    Raises:
        AfterimageError: The folder holds no label file of a split that was answered, or one does not fit.
    """
    files = label_files(folder)
    graded_splits = []
    for model, splits in recorded.models.items():
        for name, split in splits.items():
            if name in files and split.answers:
                graded_splits.append(_relabelled(model, name, split, files[name]))
    if not graded_splits:
        raise AfterimageError(
            f"{folder}: no label file of a split that was answered; expected names such as coco_repope_random.json."
        )
    return rows_of(pd.concat(graded_splits, ignore_index=True), SETTINGS)


def label_files(folder: str | Path) -> dict[str, Path]:
    """Return the label files of a folder, by the strategy that their names tell."""
    if not Path(folder).is_dir():
        raise AfterimageError(f"{folder}: no such folder; expected one with label files.")
    named = {path: strategy_of(path.name) for path in sorted(Path(folder).iterdir())}
    return {match[0]: path for path, match in named.items() if match is not None}


def _relabelled(model: str, name: str, split: Split, file: Path) -> pd.DataFrame:
    questions = split.questions or QuestionFile(
        "the recorded answers",
        "",
        FIRST_RELEASE,
        tuple(
            Question(answer.question_id, answer.image, answer.text, answer.label)
            for answer in split.answers
        ),
    )
    labels = read_relabelling(file, questions)
    parsed = [presence_blog.parse(answer.response) for answer in split.answers]
    return graded(split).assign(
        item_id=[f"{name}/{answer.question_id}" for answer in split.answers],
        variant=POPE,
        dataset="recorded",
        prompt="recorded",
        strategy=name,
        model=model,
        outcome=[answer.outcome for answer in parsed],
        reason=[answer.reason for answer in parsed],
        relabelled=[
            labels.fate(answer.image, answer.text, answer.label) for answer in split.answers
        ],
    )


def _unanswered(file: QuestionFile, answers: Iterable[Answer]) -> pd.DataFrame:
    """Return a row for each question without an answer; no rule reads anything of it."""
    answered = {answer.question_id for answer in answers}
    nothing = dict.fromkeys(RULES, "")
    return pd.DataFrame(
        [
            (question.label, nothing, question.image)
            for question in file.questions
            if question.question_id not in answered
        ],
        columns=list(_GRADES),
    )


def _missing(split: Split) -> bool:
    return split.n_questions is not None and len(split.answers) < split.n_questions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common_arguments(
        parser,
        "the recorded answers: *.jsonl or *.jsonl.gz with split, question_id, image, text, label, response",
    )
    parser.add_argument(
        "--questions",
        metavar="FOLDER",
        help="holds the question files (coco_pope_random.json ...): words are compared, missing answers counted",
    )
    parser.add_argument(
        "--rule",
        choices=RULES,
        default="official",
        help="how answers are read (default: official, the one of POPE's authors)",
    )
    parser.add_argument(
        "--relabel",
        metavar="FOLDER",
        help="holds corrected label files (coco_repope_random.json ...): the answers by both, as pope_relabelled.csv",
    )


def run(options: argparse.Namespace) -> int:
    """Print the scores; what is missing or left out is named, and is not an error."""
    recorded = read_recorded(options.folder, options.questions)
    if options.relabel is None and options.format == "text":
        print(as_text(recorded, options.rule))
        return 0
    print_notes(_remarks(recorded))
    if options.relabel is None:
        print_csv(_frame(recorded, options.rule), _DECIMALS)
    else:
        print_csv(relabelled(recorded, options.relabel), _DECIMALS)
    return 0


def as_text(recorded: Recorded, rule: str = "official") -> str:
    """Return the scores as tables, with intervals over images, the strict rule beside, and all remarks."""
    parts = []
    for model, splits in recorded.models.items():
        cells = {name: score(split, rule) for name, split in splits.items()}
        lines = [_line(name, splits[name], *scored) for name, scored in cells.items()]
        parts.append(
            f"{model}\n\n{tabulate(lines, headers='keys', tablefmt='simple', disable_numparse=True)}\n"
        )
        if all(name in cells for name in STRATEGIES):
            mean = _mean_f1([cells[name][0] for name in STRATEGIES])
            parts.append(f"mean F1 of the three strategies: {_percent(mean)}\n")
        parts += [
            f"{name}: {split.questions.version}, SHA-256 {split.questions.sha256}"
            for name, split in splits.items()
            if split.questions is not None
        ]
    parts += ["", *_remarks(recorded)] if _remarks(recorded) else []
    parts.append(
        f"\nPercent. Answers are read by the rule '{rule}'; strict: by the strict rule, what it cannot read is wrong. "
        f"In brackets: {100 * SETTINGS['confidence']:g} % interval, Wilson's on what the answers are worth, those "
        "about one image together (docs/statistics.md). All: over all questions asked; a missing answer is wrong."
    )
    return "\n".join(parts)


def _rows(
    model: str, splits: Mapping[str, Split], cells: Mapping[str, Mapping[str, Any]], suffix: str
) -> list[dict[str, Any]]:
    rows = [
        {
            "model": model,
            "split": f"{name}{suffix}",
            "n": cell["n"],
            "n_questions": splits[name].n_questions,
            **{count: cell[count] for count in _CONFUSION},
            **{score: cell[score] / 100 for score in SCORES},
        }
        for name, cell in cells.items()
    ]
    if all(name in cells for name in STRATEGIES):
        counts = [splits[name].n_questions for name in STRATEGIES]
        known = [number for number in counts if number is not None]
        rows.append(
            {
                "model": model,
                "split": f"{MEAN}{suffix}",
                "n": sum(cells[name]["n"] for name in STRATEGIES),
                "n_questions": sum(known) if len(known) == len(counts) else None,
                "f1": _mean_f1([cells[name] for name in STRATEGIES]) / 100,
            }
        )
    return rows


def _mean_f1(cells: Sequence[Mapping[str, Any]]) -> float:
    return float(np.mean([cell["f1"] for cell in cells]))


def _line(
    name: str, split: Split, over_answers: Mapping[str, Any], over_all: Mapping[str, Any] | None
) -> dict[str, str]:
    questions = "unknown" if split.n_questions is None else str(split.n_questions)
    line = {"split": name, "answers": f"{len(split.answers)} of {questions}"}
    for title, score in zip(("accuracy", "precision", "recall", "F1", "yes"), SCORES, strict=True):
        line[title] = _percent(over_answers[score])
        low, high = (over_answers[f"{score}_{end}"] for end in ("low", "high"))
        if title in ("accuracy", "F1") and not np.isnan(low):
            line[title] += f" [{rounded(low, 1)}, {rounded(high, 1)}]"
    line["strict accuracy"] = _percent(over_answers["strict_accuracy"])
    line["unparsed"] = str(over_answers["unparsed_k"])
    if over_all is not None:
        line["accuracy, all"] = _percent(over_all["accuracy"])
        line["F1, all"] = _percent(over_all["f1"])
    return line


def _remarks(recorded: Recorded) -> list[str]:
    named = [
        f"{model}, {name}: {remark}"
        for model, splits in recorded.models.items()
        for name, split in splits.items()
        for remark in split.remarks
    ]
    return [*recorded.remarks, *named]


def _percent(value: float) -> str:
    return "-" if np.isnan(value) else rounded(value, 2)
