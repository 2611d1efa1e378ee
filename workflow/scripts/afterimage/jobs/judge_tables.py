"""Tables about the judge and about people's review, from the grades of all models that were judged."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from afterimage.files.csv_rows import frame_text
from afterimage.files.parquet import read_records, read_table
from afterimage.files.records import GRADE, RESPONSE
from afterimage.files.whole import write_text
from afterimage.grading.reasoning import answer_of
from afterimage.items.option_order import PROBE
from afterimage.jobs.running import Files
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.compute import frame_of
from afterimage.showing.study import agreement
from afterimage.showing.study.validation import VALIDATION, correlations, read_human_scores
from afterimage.showing.table_files import write_table

_ANSWERED = ("model", "item_id", "repeat", "text", "answer_text")
_FORMS = ("csv", "markdown", "latex", "html", "json")


def compare_judge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write how parser and judge agree, how the judge agrees with itself, and every answer on which they differ.

    Args:
        spec: ``statistics``.
        inputs: ``grades``, those of the models that were judged; ``responses``, their merged ones.
        outputs: ``agreement_csv`` and so on (csv, markdown, latex, html, json), ``rounds_csv`` and so
            on, ``disagreements``.
        beside: Nothing.
    """
    unfinished = unfinished_grades(inputs["grades"])
    frame = without(read_grades(inputs["grades"]), unfinished)
    statistics = spec["statistics"]
    for name, table in (("agreement", agreement.AGREEMENT), ("rounds", agreement.ROUNDS)):
        made = frame_of(table, frame, statistics)
        write_table(table, made, _forms(outputs, name), statistics, frame, unfinished)
    listed = _with_answers(agreement.disagreements(frame), inputs["responses"])
    write_text(outputs["disagreements"], frame_text(listed))


def validate_judge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write how the judge's scores correlate with people's.

    Args:
        spec: ``model_codes`` (what people saw to the model's name) and ``statistics``.
        inputs: ``grades``, those of the models that were judged; ``scores``, files with people's.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.
    """
    unfinished = unfinished_grades(inputs["grades"])
    frame = without(read_grades(inputs["grades"]), unfinished)
    judge = frame[frame["repeat"] == 0].rename(
        columns={"stimulus_id": "image_id", "question": "question_type"}
    )
    people = [read_human_scores(path, spec["model_codes"]) for path in inputs["scores"]]
    statistics = spec["statistics"]
    result = correlations(
        pd.concat(people, ignore_index=True),
        judge,
        statistics["seed"],
        statistics["resamples"],
        statistics["confidence"],
    )
    write_table(VALIDATION, result, outputs, statistics, None, unfinished)


def read_grades(paths: Sequence[str | os.PathLike[str]]) -> pd.DataFrame:
    """Read grade files into one frame, without factors and probes; each row has an index of its own."""
    frames = [read_table(path, GRADE).to_pandas(maps_as_pydicts="strict") for path in paths]
    frame = pd.concat(frames, ignore_index=True)
    # Of no rows, an empty list would choose no columns.
    own = frame.pop("factors").map(lambda factors: PROBE not in factors).astype(bool)
    return frame[own].reset_index(drop=True)


def _forms(outputs: Mapping[str, str | os.PathLike[str]], table: str) -> dict[str, Any]:
    return {form: outputs[f"{table}_{form}"] for form in _FORMS}


def _with_answers(
    listed: pd.DataFrame, responses: Sequence[str | os.PathLike[str]]
) -> pd.DataFrame:
    keys = list(zip(listed["model"], listed["item_id"], listed["repeat"], strict=True))
    wanted = set(keys)
    texts = {
        key: answer_of(row)
        for path in responses
        for row in read_records(path, RESPONSE, _ANSWERED)
        if (key := (row["model"], row["item_id"], row["repeat"])) in wanted
    }
    return listed.assign(answer=[texts[key] for key in keys])
