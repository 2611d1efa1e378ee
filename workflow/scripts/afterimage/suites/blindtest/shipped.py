"""What is shipped of real models' answers: ``python -m ...blindtest.shipped FOLDER resources/recorded/blindtest``.

Out of a folder with everything that was recorded it keeps what is needed to form tables: whether each answer is right
and, of the answers whose words were kept, what this suite's parser reads in them. No sentence of an answer is written.
"""

import argparse
import gzip
import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from afterimage.files.paths import atomic_path
from afterimage.suites.blindtest.authors import BLOB_DIGITS, GIT_BLOB
from afterimage.suites.blindtest.recorded import (
    OUTCOME_COLUMNS,
    PROMPT_COLUMNS,
    READING_COLUMNS,
    READINGS,
    STIMULUS_COLUMNS,
    read_answers,
    read_recorded,
)


def facts(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """Return what is shipped, file to rows.

    Args:
        folder: Holds ``outcomes.csv.gz``, ``stimuli.csv.gz``, ``prompts.csv`` and ``raw_answers.csv.gz``.

    Raises:
        AfterimageError: A file is not what :mod:`afterimage.suites.blindtest.recorded` expects.
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
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("target")
    options = parser.parse_args(arguments)
    write_facts(options.folder, options.target)


if __name__ == "__main__":
    main()
