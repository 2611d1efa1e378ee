"""What the answers cost, from the files that hold them."""

import os
from collections.abc import Mapping, Sequence

import pandas as pd
import pyarrow as pa

from afterimage.files.parquet import read_table
from afterimage.files.response import RESPONSE
from afterimage.files.vote import VOTE
from afterimage.showing.compute import frame_of
from afterimage.showing.study.cost import REQUEST, TABLE
from afterimage.showing.table_files import write_table

_USED = ("model", "suite", "text", "finish_reason", "prompt_tokens", "completion_tokens")


def make_cost(
    spec: Mapping,
    responses: Sequence[str | os.PathLike],
    votes: Sequence[str | os.PathLike],
    outputs: Mapping[str, str | os.PathLike],
) -> None:
    """Add up what the answers in the tables took, and write that as each of ``outputs``.

    Args:
        spec: ``models``: name to ``prices`` (per million tokens of prompts and of answers, None where the entry names
            none), ``mode`` and ``by_item`` (whether each item is a request of its own, whatever it asks); ``judge``:
            the same with its ``name``, or None.
        responses: The merged response files of all models and suites.
        votes: The judge's vote files.
        outputs: Form (csv, markdown, latex, html, json) to file.
    """
    answers = pd.concat([_read(responses, RESPONSE, "model"), _read(votes, VOTE, "judge")])
    write_table(TABLE, frame_of(TABLE, answers, spec), outputs, spec)


def _read(paths: Sequence[str | os.PathLike], schema: pa.Schema, role: str) -> pd.DataFrame:
    columns = [*_USED, *(name for name in REQUEST if name in schema.names)]
    tables = [read_table(path, schema, columns) for path in paths]
    read = pa.concat_tables(tables or [schema.empty_table().select(columns)]).to_pandas()
    return read.assign(role=role).reindex(columns=["role", *_USED, *REQUEST])
