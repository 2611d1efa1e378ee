"""Outcomes that were recorded elsewhere, read as if they were grades of this suite; and what of them is shipped.

A folder holds ``outcomes.csv.gz`` (one row per task, stimulus, prompt and model with ``correct`` 0 or
1), ``stimuli.csv.gz`` (one row per stimulus with its parameters and truth) and ``prompts.csv``. Files
may also be uncompressed (``outcomes.csv``). ``python -m afterimage.suites.blindtest.outcomes FOLDER TARGET``
writes what is shipped.
"""

import argparse
import gzip
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files import recorded_rows
from afterimage.files.paths import atomic_path
from afterimage.grading.readers import integer, letter, rows_columns, yes_no
from afterimage.grading.reasoning import graded_text
from afterimage.grading.recorded import RECORDED
from afterimage.showing.tables.values import require_columns
from afterimage.suites.blindtest.authors import BLOB_DIGITS, GIT_BLOB, recorded_factors
from afterimage.suites.blindtest.names import ANSWER_TYPES, SUBTASKS, TASKS

logger = logging.getLogger(__name__)

OUTCOME_COLUMNS = (
    *("release", "task", "subtask", "stimulus_id", "params", "prompt_id", "model"),
    *("truth", "correct"),
)
STIMULUS_COLUMNS = ("release", "task", "subtask", "stimulus_id", "params", "truth")
PROMPT_COLUMNS = ("task", "prompt_id", "release", "prompt_text")
ANSWER_COLUMNS = (
    *("task", "stimulus_id", "prompt_id", "model", "answer", "truth"),
    *("authors_extraction", "authors_scored_correct"),
)
#: What a parser read in the answers whose words were kept; "" if it could not read one.
READINGS = "readings.csv.gz"
READING_COLUMNS = ("task", "stimulus_id", "prompt_id", "model", "reading", "outcome")

#: Whose images did not change between the releases. The paper's nested squares were asked about in June, in one prompt.
_BOTH = "both"
_EARLIER = {"v1": {"nested_squares": "june"}}


class Recorded(NamedTuple):
    """The files of one folder, all columns as text.

    Attributes:
        outcomes: Columns ``OUTCOME_COLUMNS`` at least.
        stimuli: Columns ``STIMULUS_COLUMNS`` at least.
        prompts: Columns ``PROMPT_COLUMNS`` at least.
    """

    outcomes: pd.DataFrame
    stimuli: pd.DataFrame
    prompts: pd.DataFrame


def read_recorded(folder: str | os.PathLike[str]) -> Recorded:
    """Read a folder of recorded outcomes and check that its files fit together.

    Raises:
        AfterimageError: The folder, a file or a column is missing; a task or prompt is unknown; an
            outcome is neither 0 nor 1, occurs twice, or disagrees with its stimulus' truth.
    """
    outcomes = read_csv(folder, "outcomes.csv.gz", OUTCOME_COLUMNS)
    stimuli = read_csv(folder, "stimuli.csv.gz", STIMULUS_COLUMNS)
    prompts = read_csv(folder, "prompts.csv", PROMPT_COLUMNS)
    once = outcomes.drop_duplicates(ignore_index=True)
    if len(once) < len(outcomes):
        again = len(outcomes) - len(once)
        logger.warning("%s: %d outcomes given again, the same, counted once", folder, again)
    outcomes = once
    _require_known(outcomes, prompts, folder)
    _require_single(outcomes, folder)
    _require_truths(outcomes, stimuli, folder)
    return Recorded(outcomes, stimuli, prompts)


def read_csv(folder: str | os.PathLike[str], name: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Read one file of the folder, compressed or not, all cells as text.

    Raises:
        AfterimageError: The folder, the file or a column is missing, or the file is no CSV.
    """
    if not Path(folder).is_dir():
        raise AfterimageError(f"{folder}: no such folder; expected one with {name}.")
    path = Path(folder) / name
    if not path.is_file() and path.with_suffix("").is_file() and path.suffix == ".gz":
        path = path.with_suffix("")
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected recorded outcomes of BlindTest.")
    rows = [row.values for row in recorded_rows.read_csv(path)]
    frame = pd.DataFrame(rows, columns=None if rows else list(columns))
    require_columns(frame, columns, str(path))
    return frame


def as_grades(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Turn recorded outcomes into grades with the factors as columns.

    Args:
        outcomes: As :func:`read_recorded` returns them, or some of their rows.

    Returns:
        One row per outcome: item_id, suite, model, repeat, stimulus_id, figure and task, prompt,
        question (the subtask), key, answer (none: it is not recorded), outcome ("recorded"),
        correct, release, subtask, base_figure and the factors of the task.

    Raises:
        AfterimageError: The parameters of a stimulus are not what its task has.
    """
    distinct = outcomes[["task", "subtask", "params"]].drop_duplicates()
    factors = pd.DataFrame(
        [recorded_factors(*row) for row in distinct.itertuples(index=False, name=None)],
        index=pd.MultiIndex.from_frame(distinct),
    )
    keys = pd.MultiIndex.from_frame(outcomes[["task", "subtask", "params"]])
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "item_id": outcomes["stimulus_id"]
                    + "/"
                    + outcomes["subtask"]
                    + "/"
                    + outcomes["prompt_id"],
                    "suite": "blindtest",
                    "model": outcomes["model"],
                    "repeat": 0,
                    "stimulus_id": outcomes["stimulus_id"],
                    "figure": outcomes["task"],
                    "task": outcomes["task"],
                    "prompt": outcomes["prompt_id"],
                    "question": outcomes["subtask"],
                    "key": canonical_key(outcomes["task"], outcomes["truth"]),
                    "answer": None,
                    "outcome": RECORDED,
                    "correct": outcomes["correct"] == "1",
                    "release": outcomes["release"],
                    "subtask": outcomes["subtask"],
                }
            ).reset_index(drop=True),
            factors.reindex(keys).reset_index(drop=True),
        ],
        axis=1,
    )


def of_release(outcomes: pd.DataFrame, release: str) -> pd.DataFrame:
    twice = outcomes.groupby("task")["release"].agg(set)
    wanted = {task: release if release in releases else _BOTH for task, releases in twice.items()}
    wanted |= _EARLIER.get(release, {})
    of_task = outcomes[outcomes["release"] == outcomes["task"].map(wanted)]
    # The paper counts the small shapes in their first layout only.
    return of_task[~of_task["params"].str.contains("in_published_cell=0", regex=False)]


def canonical_key(task: pd.Series, truth: pd.Series) -> pd.Series:
    """Return the keys as items carry them: a letter in lower case, all else as recorded."""
    return truth.where(task != "circled_letter", truth.str.lower())


def _require_known(
    outcomes: pd.DataFrame, prompts: pd.DataFrame, folder: str | os.PathLike[str]
) -> None:
    for task in outcomes["task"].unique():
        if task not in TASKS:
            raise unknown_name("task", task, TASKS, where=f"{folder}: outcomes")
    known = set(zip(prompts["task"], prompts["prompt_id"], strict=True))
    used = outcomes[["task", "prompt_id"]].drop_duplicates()
    for task, prompt in used.itertuples(index=False, name=None):
        if (task, prompt) not in known:
            valid = [name for of_task, name in known if of_task == task]
            raise unknown_name("prompt", prompt, valid, where=f"{folder}: outcomes, {task}")


def _require_single(outcomes: pd.DataFrame, folder: str | os.PathLike[str]) -> None:
    strange = outcomes[~outcomes["correct"].isin(["0", "1"])]
    if len(strange):
        row = strange.iloc[0]
        raise AfterimageError(
            f"{folder}: outcomes: correct is '{row['correct']}' for stimulus "
            f"'{row['stimulus_id']}' of model '{row['model']}'; expected 0 or 1."
        )
    identity = ["release", "task", "subtask", "stimulus_id", "prompt_id", "model"]
    twice = outcomes[outcomes.duplicated(identity)]
    if len(twice):
        row = twice.iloc[0]
        raise AfterimageError(
            f"{folder}: outcomes: stimulus '{row['stimulus_id']}' occurs twice for model "
            f"'{row['model']}' and prompt '{row['prompt_id']}'; expected one outcome."
        )


def _require_truths(
    outcomes: pd.DataFrame, stimuli: pd.DataFrame, folder: str | os.PathLike[str]
) -> None:
    # A stimulus of release "both" serves outcomes of any release.
    truths: dict[tuple[str, str], str] = {}
    for task, stimulus, truth in zip(
        stimuli["task"], stimuli["stimulus_id"], stimuli["truth"], strict=True
    ):
        if truths.setdefault((task, stimulus), truth) != truth:
            raise AfterimageError(
                f"{folder}: stimuli: stimulus '{stimulus}' of task '{task}' occurs with the truth "
                f"'{truths[task, stimulus]}' and with '{truth}'; expected one."
            )
    distinct = outcomes[["task", "subtask", "stimulus_id", "truth"]].drop_duplicates()
    for task, subtask, stimulus, truth in distinct.itertuples(index=False, name=None):
        if (task, stimulus) not in truths:
            raise AfterimageError(
                f"{folder}: outcomes: stimulus '{stimulus}' of task '{task}' is not in the file of "
                "stimuli; expected every stimulus there."
            )
        expected = truths[task, stimulus]
        if task == "two_circles":
            parts = dict(part.split("=", 1) for part in expected.split(";") if "=" in part)
            expected = next(
                (parts.get(name, "") for name in SUBTASKS if SUBTASKS[name] == subtask), ""
            )
        if truth != expected:
            raise AfterimageError(
                f"{folder}: outcomes: the truth of stimulus '{stimulus}' is '{truth}'; the file of "
                f"stimuli says '{expected}'."
            )


# Recorded raw answers, read by this suite's parsers and compared with their authors' scoring.
#
# The parser sees the answer alone. The truth and the recorded verdict are only compared with what it
# read.

# What the authors filed, in lower case, where they found no answer.
_NOT_FOUND = "not_found"
_FILE = "raw_answers.csv.gz"
_PARSE = {
    "integer": integer.parse,
    "letter": letter.parse,
    "rows_columns": rows_columns.parse,
    "yes_no": yes_no.parse,
}


def has_answers(folder: str | os.PathLike[str]) -> bool:
    path = Path(folder) / _FILE
    return path.is_file() or path.with_suffix("").is_file()


def read_answers(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """Read and parse the raw answers of a folder.

    Returns:
        The file's columns as text; and ``key``, ``parsed`` (None if unparsed), ``outcome``,
        ``reason`` and ``right`` (bool) of this suite's parser; ``authors_right`` (bool, or None
        where no verdict was recorded) and ``same_extraction``, whether they read the same.

    Raises:
        AfterimageError: The file or a column is missing.
    """
    answers = read_csv(folder, _FILE, ANSWER_COLUMNS)
    parsed = [
        _PARSE[ANSWER_TYPES[task]](graded_text(answer), ())
        for task, answer in zip(answers["task"], answers["answer"], strict=True)
    ]
    frame = answers.assign(
        key=canonical_key(answers["task"], answers["truth"]),
        parsed=pd.Series([reply.answer for reply in parsed], index=answers.index, dtype=object),
        outcome=[reply.outcome for reply in parsed],
        reason=[reply.reason for reply in parsed],
        authors_right=answers["authors_scored_correct"].map({"1": True, "0": False}),
    )
    theirs = frame["authors_extraction"].str.lower()
    return frame.assign(
        right=frame["parsed"] == frame["key"],
        same_extraction=(theirs == frame["parsed"])
        | (theirs.eq(_NOT_FOUND) & frame["parsed"].isna()),
    )


def agreement(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """Compare the parser's verdicts with the authors', per task, prompt and model.

    Returns:
        Columns task, prompt, model, answers, unparsed, right, authors_right, same_verdict (the last
        two out of ``scored``, the answers with a recorded verdict), extracted (answers with a
        recorded extraction) and same_extraction.
    """
    rows = []
    answers = read_answers(folder)
    for (task, prompt, model), group in answers.groupby(["task", "prompt_id", "model"], sort=False):
        scored = group[group["authors_right"].notna()]
        extracted = group[group["authors_extraction"] != ""]
        rows.append(
            {
                "task": task,
                "prompt": prompt,
                "model": model,
                "answers": len(group),
                "unparsed": int(group["parsed"].isna().sum()),
                "right": int(group["right"].sum()),
                "scored": len(scored),
                "authors_right": int(scored["authors_right"].eq(True).sum()),
                "same_verdict": int((scored["right"] == scored["authors_right"]).sum()),
                "extracted": len(extracted),
                "same_extraction": int(extracted["same_extraction"].sum()),
            }
        )
    return pd.DataFrame(rows)


# What is shipped: the part of the recorded data that tables need. This is whether each answer is right and, of the
# answers whose words were kept, what this suite's parser reads in them. No sentence of an answer is written.


def facts(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """Return the shipped data, file to rows.

    Args:
        folder: Holds ``outcomes.csv.gz``, ``stimuli.csv.gz``, ``prompts.csv`` and ``raw_answers.csv.gz``.

    Raises:
        AfterimageError: A file is not as expected.
    """
    recorded = read_recorded(folder)
    read = read_answers(folder)
    blobs = recorded.stimuli[GIT_BLOB].str[:BLOB_DIGITS]
    readings = read.assign(reading=read["parsed"].fillna(""))
    return {
        "outcomes.csv.gz": recorded.outcomes[list(OUTCOME_COLUMNS)],
        "stimuli.csv.gz": recorded.stimuli[list(STIMULUS_COLUMNS)].assign(**{GIT_BLOB: blobs}),
        "prompts.csv": recorded.prompts[list(PROMPT_COLUMNS)],
        READINGS: readings[list(READING_COLUMNS)],
    }


def write_facts(folder: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Write :func:`facts` of a folder into another one; the same rows are the same bytes."""
    for name, rows in facts(folder).items():
        content = rows.to_csv(index=False, lineterminator="\n").encode()
        packed = gzip.compress(content, 9, mtime=0) if name.endswith(".gz") else content
        with atomic_path(Path(target) / name) as temporary:
            temporary.write_bytes(packed)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Write what is shipped of recorded outcomes.")
    parser.add_argument("folder")
    parser.add_argument("target")
    options = parser.parse_args(arguments)
    write_facts(options.folder, options.target)


if __name__ == "__main__":
    main()
