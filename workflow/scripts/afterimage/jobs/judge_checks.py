"""How far a judge can be trusted: tables about its verdicts, and people's review of answers and what it changes."""

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from afterimage.contract.parts import resolve
from afterimage.contract.probes import PROBE, is_probe, without_probes
from afterimage.files.csv_rows import frame_text, write_csv
from afterimage.files.parquet import read_records, read_table, write_records
from afterimage.files.paths import write_text
from afterimage.files.records import GRADE, RESPONSE, answer_of
from afterimage.jobs.judging import read_items
from afterimage.jobs.running import Files
from afterimage.people.review import (
    IGNORED_COLUMNS,
    QUEUE_COLUMNS,
    Review,
    decisions,
    of_unknown_models,
    queue_rows,
    read_reviews,
    with_decisions,
)
from afterimage.showing.answers import unfinished_grades, without
from afterimage.showing.study import agreement
from afterimage.showing.study.judges_and_people import (
    REVIEW,
    VALIDATION,
    correlations,
    read_human_scores,
    review_summary,
)
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.table_files import write_table

logger = logging.getLogger(__name__)

_ANSWERED = ("model", "item_id", "repeat", "text", "answer_text")
_FORMS = ("csv", "markdown", "latex", "html", "json")


def compare_judge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write how parser and judge agree, how the judge agrees with itself, and every answer on which they differ.

    Args:
        spec: ``statistics`` and ``readers``: the study's language, a pilot.
        inputs: ``grades``, those of the models that were judged; ``responses``, their merged ones.
        outputs: ``agreement_csv`` and so on (csv, markdown, latex, html, json), ``rounds_csv`` and so
            on, ``disagreements``.
        beside: Nothing.
    """
    unfinished = unfinished_grades(inputs["grades"])
    frame = without(_read_judged(inputs["grades"]), unfinished)
    settings = {**spec["statistics"], **spec["readers"]}
    for name, table in (("agreement", agreement.AGREEMENT), ("rounds", agreement.ROUNDS)):
        made = frame_of(table, frame, settings)
        write_table(table, made, _forms(outputs, name), settings, frame, unfinished)
    listed = _with_answers(agreement.disagreements(frame), inputs["responses"])
    write_text(outputs["disagreements"], frame_text(listed))


def validate_judge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write how the judge's scores correlate with people's.

    Args:
        spec: ``model_codes`` (what people saw to the model's name), ``statistics`` and ``readers``.
        inputs: ``grades``, those of the models that were judged; ``scores``, files with people's.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.
    """
    unfinished = unfinished_grades(inputs["grades"])
    frame = without(_read_judged(inputs["grades"]), unfinished)
    judge = frame[frame["repeat"] == 0].rename(
        columns={"stimulus_id": "image_id", "question": "question_type"}
    )
    people = [read_human_scores(path, spec["model_codes"]) for path in inputs["scores"]]
    settings = {**spec["statistics"], **spec["readers"]}
    result = correlations(
        pd.concat(people, ignore_index=True),
        judge,
        settings["seed"],
        settings["resamples"],
        settings["confidence"],
    )
    write_table(VALIDATION, result, outputs, settings, None, unfinished)


def _read_judged(paths: Sequence[str | os.PathLike[str]]) -> pd.DataFrame:
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


# ---- people's review ----


def queue_review(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Write the answers that people are to look at and return their number.

    Args:
        spec: ``fields`` (where the suite tells what a judge is told) and ``right_share``.
        inputs: ``grades``, automatic ones of the models that people look at; ``responses``, their merged ones, in the
            same order; ``shards``, the item files that were asked.
        outputs: ``queue``, the CSV file to write; people fill in human_correct and reviewer.
        beside: Nothing.
    """
    fields = resolve(spec["fields"])
    items = read_items(inputs["shards"])
    # <results>/review/<suite>/queue.csv
    images = (Path(outputs["queue"]).parents[2] / "stimuli").as_posix()

    def rows() -> Iterator[dict[str, Any]]:
        for graded, answered in zip(inputs["grades"], inputs["responses"], strict=True):
            yield from queue_rows(
                without_probes(read_records(graded, GRADE)),
                (
                    row
                    for row in read_records(answered, RESPONSE)
                    if not is_probe(items[row["item_id"]])
                ),
                items,
                fields,
                spec["right_share"],
                images,
            )

    return write_csv(outputs["queue"], rows(), QUEUE_COLUMNS)


def apply_review(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Put people's decisions into one model's grades and return the number of grades.

    Args:
        spec: ``model``, its name; ``right_share``.
        inputs: ``automatic``, its automatic grades; ``reviews``, files with decisions, of all models.
        outputs: ``grades``, the Parquet file to write, schema GRADE.
        beside: Nothing.
    """
    automatic = inputs["automatic"]
    own = [review for review in read_reviews(inputs["reviews"]) if review.model == spec["model"]]
    decided, _ = decisions(read_records(automatic, GRADE), own, spec["right_share"])
    return write_records(
        outputs["grades"], with_decisions(read_records(automatic, GRADE), decided), GRADE
    )


def summarise_review(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write what the review changed, and the decisions that were not applied.

    Args:
        spec: ``models`` (those that people look at), ``right_share``, ``statistics``, ``readers``.
        inputs: ``automatic``, grade files of these models; ``grades``, those after the review, in the same order;
            ``reviews``, files with decisions.
        outputs: Form of the table (csv, markdown, latex, html, json) to file; ``ignored``, the CSV file of decisions
            that were not applied, and why.
        beside: Nothing.
    """
    given = read_reviews(inputs["reviews"])
    rows = of_unknown_models(given, spec["models"])
    for model, path in zip(spec["models"], inputs["automatic"], strict=True):
        rows += _ignored(model, path, given, spec["right_share"])
    if rows:
        reasons = Counter(row["reason"] for row in rows)
        listed = "; ".join(f"{count}: {reason}" for reason, count in reasons.items())
        logger.warning("%d decisions of people were not applied (%s)", len(rows), listed)
    write_csv(outputs["ignored"], rows, IGNORED_COLUMNS)
    counts = Counter(row["model"] for row in rows)
    settings = {**spec["statistics"], **spec["readers"]}
    unfinished = unfinished_grades(inputs["automatic"])
    before, after = (
        without(_read_judged(inputs[kind]), unfinished) for kind in ("automatic", "grades")
    )
    table = review_summary(before, after, counts, spec["right_share"], settings)
    files = {form: path for form, path in outputs.items() if form != "ignored"}
    write_table(REVIEW, table, files, settings, None, unfinished)


def _ignored(
    model: str, automatic: str | os.PathLike[str], given: Sequence[Review], right_share: float
) -> list[dict[str, Any]]:
    own = [review for review in given if review.model == model]
    return decisions(read_records(automatic, GRADE), own, right_share)[1]
