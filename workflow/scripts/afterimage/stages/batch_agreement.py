"""Checks whether answers depend on their batch: a sample is asked again one at a time."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.model import model_of
from afterimage.contract.probes import without_probes
from afterimage.errors import AfterimageError
from afterimage.files.attempts import Unfinished, last_attempt, note_attempt
from afterimage.files.csv_rows import read_frame, write_csv
from afterimage.stages.inference import answerer, backend, reading_order, run_model
from afterimage.stages.stage import Stage, each, once_if, reader_spec

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names

logger = logging.getLogger(__name__)


# ---- specs and parts ----


#: Items of each suite that are asked again one at a time.
SAMPLED_ITEMS = 64


def comparison_parts(plan: Plan, at: Names) -> list[str]:
    """Return the model's backend."""
    return [backend(plan, at.model)]


def comparison_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the comparison of one model depends on, except items and answers."""
    order = reading_order(plan, at.model, plan.suites)
    return {**answerer(plan, at.model), **order, "sampled": SAMPLED_ITEMS}


def agreement_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of these comparisons depends on, except the comparisons."""
    sizes = {name: plan.models[name].settings["batch_size"] for name in plan.batching}
    confidence = plan.statistics["confidence"]
    return {"batch_sizes": sizes, "confidence": confidence, **reader_spec(plan)}


# ---- functions of jobs ----


_NAMED = ("item_id", "suite", "messages", "factors")
_SUITE = "batch_agreement"
_NOT_IN_BATCHES = "its answers in batches are not all there"


def compare_batches(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Ask a model a sample of its items again, one at a time, and compare the answers with those from batches.

    The new answers go into the journal like any others, under the setting ``one_at_a_time``.

    Args:
        spec: ``model``, its ``entry``, ``text_first`` as in :func:`run_model`, and ``sampled``: the number of items of
            each suite, evenly spread.
        inputs: ``shards``, all items of all suites; ``responses``, the model's answers to them, one file per suite.
        outputs: ``compared``, the CSV file to write: one row per sampled item.
        resources: ``journal``, the folder of all models' journals.

    If an answer is missing nothing is compared, and the next run makes the file, which has no rows, again.
    """
    from afterimage.files.parquet import read_records, write_records
    from afterimage.files.records import ITEM, RESPONSE

    items = inputs["shards"]
    chosen = _sample(items, spec["sampled"])
    entry = model_of(spec["model"], spec["entry"])
    alone = entry.with_settings(one_at_a_time=True, repeats=1).answering()
    # In the output's folder: the system's folder for temporary files may not exist.
    output_folder = Path(outputs["compared"]).parent
    output_folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".compared.", dir=output_folder) as folder:
        items_file = Path(folder) / "items.parquet"
        responses_file = Path(folder) / "responses.parquet"
        write_records(items_file, _chosen_items(items, chosen), ITEM)
        single_spec = {**spec, "suite": _SUITE, "entry": alone}
        files = {"shards": [items_file]}, {"responses": responses_file}
        run_model(single_spec, *files, {"journal": resources["journal"]})
        shown = list(read_records(items_file, ITEM, (*_NAMED[:2], "stimulus_id")))
        names = [(row["suite"], row["item_id"]) for row in shown]
        texts = [row["text"] for row in read_records(responses_file, RESPONSE, ("text",))]
        failed = last_attempt(responses_file)
    in_batches = _answers(inputs["responses"], set(names))
    unasked = [_NOT_IN_BATCHES for text in in_batches.values() if text is None]
    failures = [failed.reason] * failed.failed + unasked
    starts_left = resources.get("starts_left", 0)
    note_attempt(outputs["compared"], len(names), failures, starts_left=starts_left)
    rows = [
        {
            "model": spec["model"],
            "suite": suite,
            "item_id": item_id,
            "stimulus_id": stimulus_id,
            "in_batches": in_batches[suite, item_id],
            "alone": text,
            "same": in_batches[suite, item_id] == text,
        }
        for (suite, item_id), stimulus_id, text in zip(
            names, [row["stimulus_id"] for row in shown], texts, strict=True
        )
        if not failures
    ]
    differing = sum(not row["same"] for row in rows)
    logger.info("%s: %d of %d sampled answers differ", spec["model"], differing, len(rows))
    write_csv(outputs["compared"], rows, _COMPARED)


_COMPARED = ["model", "suite", "item_id", "stimulus_id", "in_batches", "alone", "same"]


def agreement_table(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Count per model and suite how many answers differ, and write the table as each of ``outputs``.

    Args:
        spec: ``batch_sizes`` by model, ``confidence`` of the intervals.
        inputs: ``compared``, the files of :func:`compare_batches`.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: There is nothing to compare.
    """
    import pandas as pd

    from afterimage.showing.study.robustness import BATCH_AGREEMENT
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    if not inputs["compared"]:
        raise AfterimageError(
            "table batch_agreement: no model of this study gives greedy answers in batches; expected one of the "
            "backend transformers with a 'temperature' of 0 and without 'one_at_a_time'."
        )
    frames = [read_frame(file, dtype=str, keep_default_na=False) for file in inputs["compared"]]
    frame = frame_of(BATCH_AGREEMENT, pd.concat(frames, ignore_index=True), spec)
    attempts = {Path(file).stem: last_attempt(file) for file in inputs["compared"]}
    unfinished = [
        Unfinished("all", model, attempt.asked, attempt.failed, attempt.reason)
        for model, attempt in attempts.items()
        if attempt.failed
    ]
    write_table(BATCH_AGREEMENT, frame, outputs, spec, None, unfinished)


def _sample(items: Sequence[str | os.PathLike[str]], limit: int) -> set[tuple[str, str]]:
    """Choose items of each suite, except those that contain the answer to another one."""
    from afterimage.files.parquet import read_records
    from afterimage.files.records import ITEM

    by_suite: dict[str, list[str]] = {}
    for file in items:
        for row in without_probes(read_records(file, ITEM, _NAMED)):
            parts = (part for message in row["messages"] for part in message["parts"])
            if all(part["type"] != "answer" for part in parts):
                by_suite.setdefault(row["suite"], []).append(row["item_id"])
    return {
        (suite, names[index * len(names) // min(limit, len(names))])
        for suite, names in by_suite.items()
        for index in range(min(limit, len(names)))
    }


def _chosen_items(
    items: Sequence[str | os.PathLike[str]], chosen: set[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    from afterimage.files.parquet import read_records
    from afterimage.files.records import ITEM

    for file in items:
        for row in read_records(file, ITEM):
            if (row["suite"], row["item_id"]) in chosen:
                yield row


def _answers(
    responses: Sequence[str | os.PathLike[str]], wanted: set[tuple[str, str]]
) -> dict[tuple[str, str], str | None]:
    from afterimage.files.parquet import read_records
    from afterimage.files.records import RESPONSE

    return {
        (row["suite"], row["item_id"]): row["text"]
        for file in responses
        for row in read_records(file, RESPONSE, ("suite", "item_id", "repeat", "text"))
        if row["repeat"] == 0 and (row["suite"], row["item_id"]) in wanted
    }


STAGES = (
    Stage(
        "compare_batches",
        compare_batches,
        "inference",
        parts=comparison_parts,
        spec=comparison_spec,
        jobs=each("model", lambda plan: plan.batching),
    ),
    Stage(
        "make_batch_agreement",
        agreement_table,
        "tables",
        spec=agreement_spec,
        jobs=once_if(lambda plan: plan.batching),
    ),
)
