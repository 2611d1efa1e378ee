"""What more thinking brings and costs, from the grades and responses of one model at several efforts."""

import os
from collections.abc import Mapping
from typing import Any

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_table
from afterimage.files.records import RESPONSE
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.compute import frame_of
from afterimage.showing.study.cost import CACHE, cost_of
from afterimage.showing.study.thinking import TABLE as THINKING
from afterimage.showing.table_files import write_table

_ANSWER = ["item_id", "repeat"]
_TOKENS = ("prompt_tokens", "completion_tokens", "reasoning_tokens", *CACHE)
_OF_GRADE = (*("suite", "model", "stimulus_id", "correct", "outcome", "reason"), *_ANSWER)


def make_thinking(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Compare the efforts of each model, suite by suite, and write that as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``models``, name to ``family``, ``effort`` (None as the settings have
            it), ``prices`` (per million tokens of prompts and of answers, None where unknown) and their ``currency``.
        inputs: ``grades`` and ``responses``, files of these models for all suites, in one order.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No model has several efforts.
    """
    if not inputs["grades"]:
        raise AfterimageError(
            "table thinking: no model of this study is asked at several efforts; expected entries of one family with "
            "different effort (docs/models.md#thinking)."
        )
    unfinished = unfinished_grades(inputs["grades"])
    # One model at a time: a study's answers may be millions, of which a few short columns are kept.
    parts = [
        _counted(without(read_grades([grades]), unfinished), responses, spec["models"])
        for grades, responses in zip(inputs["grades"], inputs["responses"], strict=True)
    ]
    answers = pd.concat(parts, ignore_index=True)
    write_table(THINKING, frame_of(THINKING, answers, spec), outputs, spec, None, unfinished)


def _counted(
    grades: pd.DataFrame, responses: str | os.PathLike[str], models: Mapping[str, Any]
) -> pd.DataFrame:
    """Return one model's answers that are right or wrong, with what each took."""
    decided = grades.loc[grades["score"].isna(), list(_OF_GRADE)]
    read = read_table(responses, RESPONSE, (*_ANSWER, *_TOKENS)).to_pandas()
    known = decided.merge(read, on=_ANSWER, how="left").astype(dict.fromkeys(_TOKENS, float))
    of_model = known["model"].map(models)
    counts = zip(*(known[name] for name in ("prompt_tokens", "completion_tokens")), strict=True)
    cache = zip(*(known[name].fillna(0) for name in CACHE), strict=True)
    return known.assign(
        family=of_model.map(lambda entry: entry["family"]),
        effort=of_model.map(lambda entry: entry["effort"]).astype(object),
        currency=of_model.map(lambda entry: entry["currency"]),
        cost=[
            float("nan")
            if entry["prices"] is None
            else cost_of((*counted, *cached), entry["prices"], entry.get("cache_prices"))
            for entry, counted, cached in zip(of_model, counts, cache, strict=True)
        ],
    )
