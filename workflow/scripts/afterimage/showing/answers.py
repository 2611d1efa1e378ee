"""Reads files of grades and responses: as frames, and which models are unfinished or had nothing to answer."""

import os
from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from afterimage.contract.probes import PROBE
from afterimage.contract.readings import EMPTY_REASONS
from afterimage.files.attempts import (
    FAILED,
    FAILED_BECAUSE,
    NOTHING_ANSWERED,
    NOTHING_ASKED,
    WHY_NOTHING,
    Unfinished,
    most_common,
)
from afterimage.files.parquet import read_about, read_table
from afterimage.files.records import GRADE, RESPONSE

if TYPE_CHECKING:
    import pandas as pd

#: Columns of schema GRADE that :func:`unfinished_in` looks at.
LOOKED_AT = ("suite", "model", "outcome", "reason")

_LEAVES_NONE = "the study leaves no question of this suite"
_ALL_EMPTY = "every reply is empty or ended before its answer"


def unfinished_in(grades: "pd.DataFrame") -> list[Unfinished]:
    """Return the unfinished models of each suite.

    Args:
        grades: Rows of schema GRADE with the columns :data:`LOOKED_AT`, probes among them.
    """
    failed = grades[grades["outcome"] == FAILED]
    return [
        Unfinished(
            suite,
            model,
            int(((grades["suite"] == suite) & (grades["model"] == model)).sum()),
            len(rows),
            most_common(reason.removeprefix(FAILED_BECAUSE) for reason in rows["reason"]),
        )
        for (suite, model), rows in failed.groupby(["suite", "model"], sort=False)
    ]


def unfinished_grades(paths: Iterable[str | os.PathLike[str]]) -> list[Unfinished]:
    """Return which models have no numbers, from their files of grades, ``.../<suite>/<model>.parquet``."""
    return [model for path in paths for model in _unfinished(path)]


def _unfinished(path: str | os.PathLike[str]) -> list[Unfinished]:
    table = read_table(path, GRADE, LOOKED_AT)
    suite, model, total = Path(path).parent.name, Path(path).stem, len(table)
    if not total:
        why = read_about(path, GRADE).get(WHY_NOTHING, _LEAVES_NONE)
        return [Unfinished(suite, model, 0, 0, why, NOTHING_ASKED)]
    # Grades of a finished model are never turned into a frame, which is slow.
    if pc.any(pc.equal(table["outcome"], FAILED)).as_py():
        return unfinished_in(table.to_pandas())
    empty = (pc.starts_with(table["reason"], words) for words in EMPTY_REASONS)
    if pc.all(reduce(pc.or_, empty)).as_py():
        suite, model = table["suite"][0].as_py(), table["model"][0].as_py()
        return [Unfinished(suite, model, total, total, _ALL_EMPTY, NOTHING_ANSWERED)]
    return []


def unfinished_responses(
    paths: Iterable[str | os.PathLike[str]], schema: pa.Schema = RESPONSE, who: str = "model"
) -> list[Unfinished]:
    """Return the unfinished models, or judges, of files of responses or votes.

    Args:
        schema: The schema of the files, with the columns of a reply.
        who: The column that names the model or judge.
    """
    found = []
    for path in paths:
        table = read_table(path, schema, ("suite", who, "text", "finish_reason"))
        failed = table.filter(pc.is_null(table["text"])).to_pylist()
        if failed:
            reasons = (row["finish_reason"].removeprefix(FAILED_BECAUSE) for row in failed)
            suite, model = failed[0]["suite"], failed[0][who]
            found.append(Unfinished(suite, model, len(table), len(failed), most_common(reasons)))
    return found


def without(frame: "pd.DataFrame", unfinished: Iterable[Unfinished]) -> "pd.DataFrame":
    """Return the rows of models and suites that are finished."""
    left_out = {(model.suite, model.model) for model in unfinished}
    # Of no rows, an empty list would choose no columns.
    if not left_out or frame.empty:
        return frame
    kept = [pair not in left_out for pair in zip(frame["suite"], frame["model"], strict=True)]
    # Without the unfinished models' empty cells, a column of right and wrong becomes boolean.
    return frame[kept].reset_index(drop=True).infer_objects()


def read_grades(
    paths: Sequence[str | os.PathLike[str]], with_probes: bool = False
) -> "pd.DataFrame":
    """Read grade files into one frame, each factor a column of its own.

    Args:
        paths: Files of schema GRADE.
        with_probes: Whether answers to probes are in the frame; the column ``probe`` then names the probe, and is
            missing (NaN) in the suite's own rows. Without probes the frame has no such column.
    """
    import pandas as pd

    frames = []
    for path in paths:
        frame = read_table(path, GRADE).to_pandas(maps_as_pydicts="strict")
        if not with_probes:
            # Of no rows, an empty list would choose no columns.
            unprobed = frame["factors"].map(lambda factors: PROBE not in factors).astype(bool)
            frame = frame[unprobed].reset_index(drop=True)
        factors = pd.DataFrame(frame.pop("factors").tolist(), index=frame.index)
        frames.append(pd.concat([frame, factors], axis=1))
    grades = pd.concat(frames, ignore_index=True)
    # Tables split them into thousands of small frames: slicing one block of objects takes a third of the time of thirty
    # columns of Arrow's strings.
    return grades.astype(dict.fromkeys(grades.select_dtypes("str"), object))
