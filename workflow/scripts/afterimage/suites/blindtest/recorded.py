"""Outcomes that were recorded elsewhere, read as if they were grades of this suite.

A folder holds ``outcomes.csv.gz`` (one row per task, stimulus, prompt and model with ``correct`` 0 or
1), ``stimuli.csv.gz`` (one row per stimulus with its parameters and truth) and ``prompts.csv``. Files
may also be uncompressed (``outcomes.csv``).
"""

import logging
import os
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files import recorded_rows
from afterimage.grading.recorded import RECORDED
from afterimage.suites.blindtest.factors import TASKS
from afterimage.suites.blindtest.recorded_params import recorded_factors

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
#: What a parser read in the answers whose words were kept; "" where it could not read one.
READINGS = "readings.csv.gz"
READING_COLUMNS = ("task", "stimulus_id", "prompt_id", "model", "reading", "outcome")

_TRUTH_PART = {"overlapping": "overlap", "touching": "touch"}


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


def read_recorded(folder: str | os.PathLike) -> Recorded:
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


def read_csv(folder: str | os.PathLike, name: str, columns: tuple[str, ...]) -> pd.DataFrame:
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
    missing = [column for column in columns if column not in frame]
    if missing:
        raise AfterimageError(
            f"{path}: column '{missing[0]}' is missing; expected {', '.join(columns)}."
        )
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


def canonical_key(task: pd.Series, truth: pd.Series) -> pd.Series:
    """Return the keys as items carry them: a letter in lower case, all else as recorded."""
    return truth.where(task != "circled_letter", truth.str.lower())


def _require_known(
    outcomes: pd.DataFrame, prompts: pd.DataFrame, folder: str | os.PathLike
) -> None:
    for task in outcomes["task"].unique():
        if task not in TASKS:
            raise unknown_name("task", task, TASKS, where=f"{folder}: outcomes")
    known = set(zip(prompts["task"], prompts["prompt_id"], strict=True))
    asked = outcomes[["task", "prompt_id"]].drop_duplicates()
    for task, prompt in asked.itertuples(index=False, name=None):
        if (task, prompt) not in known:
            valid = [name for of_task, name in known if of_task == task]
            raise unknown_name("prompt", prompt, valid, where=f"{folder}: outcomes, {task}")


def _require_single(outcomes: pd.DataFrame, folder: str | os.PathLike) -> None:
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
    outcomes: pd.DataFrame, stimuli: pd.DataFrame, folder: str | os.PathLike
) -> None:
    # A stimulus of release "both" serves outcomes of any release.
    truths: dict[tuple[str, str], str] = {}
    for task, stimulus, truth in zip(
        stimuli["task"], stimuli["stimulus_id"], stimuli["truth"], strict=True
    ):
        if truths.setdefault((task, stimulus), truth) != truth:
            raise AfterimageError(
                f"{folder}: stimuli: stimulus '{stimulus}' of task '{task}' stands there with the truth "
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
            expected = parts.get(_TRUTH_PART.get(subtask, ""), "")
        if truth != expected:
            raise AfterimageError(
                f"{folder}: outcomes: the truth of stimulus '{stimulus}' is '{truth}'; the file of "
                f"stimuli says '{expected}'."
            )
