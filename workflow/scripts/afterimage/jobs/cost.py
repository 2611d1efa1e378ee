"""What the answers cost, from the files that hold them."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from afterimage.files.parquet import read_table
from afterimage.files.records import RESPONSE, VOTE
from afterimage.jobs.running import Files
from afterimage.jobs.unfinished import unfinished_responses, without
from afterimage.showing.compute import frame_of
from afterimage.showing.study.cost import CACHE, REQUEST
from afterimage.showing.study.cost import TABLE as COST
from afterimage.showing.table_files import write_table

_USED = (
    *("model", "suite", "text", "finish_reason"),
    *("prompt_tokens", "completion_tokens", "reasoning_tokens"),
    *CACHE,
)


def make_cost(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Add up what the answers in the tables took, and write that as each of ``outputs``.

    Args:
        spec: ``models``, a list: ``name``, ``prices`` (per million tokens of prompts and of answers, None where the
            entry names none), perhaps ``cache_prices`` (of those read from and written to a cache), ``mode`` and
            ``by_item`` (whether each item is a request of its own, whatever it asks); ``judge``, the same, or None.
        inputs: ``responses``, the merged response files of all models and suites; ``votes``, the judge's vote files.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.
    """
    unfinished = unfinished_responses(inputs["responses"])
    of_models = without(_read(inputs["responses"], RESPONSE, "model"), unfinished)
    votes = _read(inputs["votes"], VOTE, "judge")
    unjudged = {one.suite: one for one in unfinished_responses(inputs["votes"], VOTE, "judge")}
    answers = pd.concat([of_models, votes[~votes["suite"].isin(unjudged)]])
    missing = [*unfinished, *unjudged.values()]
    write_table(COST, frame_of(COST, answers, spec), outputs, spec, answers, missing)


def _read(paths: Sequence[str | os.PathLike[str]], schema: pa.Schema, role: str) -> pd.DataFrame:
    columns = [*_USED, *(name for name in REQUEST if name in schema.names)]
    tables = [read_table(path, schema, columns) for path in paths]
    read = pa.concat_tables(tables or [schema.empty_table().select(columns)]).to_pandas()
    return read.assign(role=role).reindex(columns=["role", *_USED, *REQUEST])
