"""Right answers with and without the image, from the grades of the suites that ask both."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.items.option_order import PROBE, probed_id
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.compute import as_frame, frame_of
from afterimage.showing.references import MEASURED, REFERENCE
from afterimage.showing.study.knowledge import SHOWN
from afterimage.showing.study.knowledge import TABLE as KNOWLEDGE
from afterimage.showing.table_files import write_table


def make_knowledge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Count right answers with and without the image per suite and model, and write that as each of ``outputs``.

    Only questions count that were asked without the image, too, and only those that a parser reads as right or wrong.

    Args:
        spec: ``confidence`` of the intervals.
        inputs: ``grades``, files of all models for the suites that ask without image.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No suite asks without image.
    """
    if not inputs["grades"]:
        raise AfterimageError(
            "table knowledge_all: no suite of this study asks its questions without images; expected text_only or "
            "blank among the probes of one (suites.<suite>.probes)."
        )
    unfinished = unfinished_grades(inputs["grades"])
    rows: dict[str, list[pd.DataFrame]] = {}
    items: dict[str, pd.DataFrame] = {}
    # One at a time: a study's grades may be millions.
    for path in inputs["grades"]:
        answers = _shown(without(read_grades([path], with_probes=True), unfinished))
        for suite, own in answers.groupby("suite", sort=False):
            made = frame_of(KNOWLEDGE, own, spec)
            rows.setdefault(suite, []).append(made[made["kind"] == MEASURED])
            known = pd.concat([items.get(suite), own[own["shown"] != ""]])
            items[suite] = known.drop_duplicates("item_id")
    for suite, asked in items.items():
        made = frame_of(KNOWLEDGE, asked, spec)
        rows[suite].append(made[made["kind"] == REFERENCE])
    frames = [frame for of_suite in rows.values() for frame in of_suite]
    made = pd.concat(frames or [as_frame([], KNOWLEDGE.csv)], ignore_index=True)
    write_table(KNOWLEDGE, made, outputs, spec, None, unfinished)


def _shown(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's readable answers with what was ``shown``: "" where a question was not asked both ways."""
    if PROBE not in grades:
        return grades.iloc[:0].assign(shown="")
    readable = grades[(grades["decided_by"] == "parser") & grades["score"].isna()]
    is_own, is_probe = readable[PROBE].isna(), readable[PROBE].isin(SHOWN)
    probed = [
        probed_id(item, probe) if asked else None
        for item, probe, asked in zip(readable["item_id"], readable[PROBE], is_probe, strict=True)
    ]
    asked_of = pd.Series(probed, index=readable.index)
    # A judge or people may have decided on the answer with the image; it is then no longer beside the others.
    beside = is_probe & asked_of.isin(readable["item_id"][is_own])
    shown = readable[PROBE].where(beside, "")
    return readable.assign(
        shown=shown.mask(is_own & readable["item_id"].isin(asked_of[is_probe]), "image")
    )
