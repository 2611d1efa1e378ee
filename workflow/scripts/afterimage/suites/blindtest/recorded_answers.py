"""Recorded raw answers, read by this suite's parsers and compared with their authors' scoring.

The parser sees the answer alone. The truth and the recorded verdict are only compared with what it
read.
"""

import os
from pathlib import Path

import pandas as pd

from afterimage.grading import integer, letter, rows_columns, yes_no
from afterimage.grading.reasoning import graded_text
from afterimage.suites.blindtest.factors import ANSWER_TYPES
from afterimage.suites.blindtest.recorded import ANSWER_COLUMNS, canonical_key, read_csv

# What the authors filed, in lower case, where they found no answer.
_NOT_FOUND = "not_found"
_FILE = "raw_answers.csv.gz"
_PARSE = {
    "integer": integer.parse,
    "letter": letter.parse,
    "rows_columns": rows_columns.parse,
    "yes_no": yes_no.parse,
}


def has_answers(folder: str | os.PathLike) -> bool:
    """Tell whether a folder holds raw answers."""
    path = Path(folder) / _FILE
    return path.is_file() or path.with_suffix("").is_file()


def read_answers(folder: str | os.PathLike) -> pd.DataFrame:
    """Read and parse the raw answers of a folder.

    Returns:
        The file's columns as text; and ``key``, ``parsed`` (None where unparsed), ``outcome``,
        ``reason`` and ``right`` (bool) of this suite's parser; ``authors_right`` (bool, or None
        where no verdict was recorded).

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
    return frame.assign(right=frame["parsed"] == frame["key"])


def agreement(folder: str | os.PathLike) -> pd.DataFrame:
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
                "same_extraction": int(_same_extraction(extracted).sum()),
            }
        )
    return pd.DataFrame(rows)


def disagreements(folder: str | os.PathLike) -> pd.DataFrame:
    """Return the answers that the parser reads differently from the authors.

    Returns:
        Rows of :func:`read_answers` whose verdict or extraction differs, with the column
        ``differs``: "verdict", or "extraction" where both are right or both are wrong.
    """
    answers = read_answers(folder)
    verdict = answers["authors_right"].notna() & (answers["right"] != answers["authors_right"])
    extraction = (answers["authors_extraction"] != "") & ~_same_extraction(answers)
    chosen = answers[verdict | extraction]
    return chosen.assign(differs=verdict[chosen.index].map({True: "verdict", False: "extraction"}))


def _same_extraction(answers: pd.DataFrame) -> pd.Series:
    theirs = answers["authors_extraction"].str.lower()
    return (theirs == answers["parsed"]) | (theirs.eq(_NOT_FOUND) & answers["parsed"].isna())
