"""Reviews: which answers people look at, and what their decisions change."""

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.contract.parts import resolve
from afterimage.files.csv_rows import write_csv
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import GRADE, RESPONSE
from afterimage.items.option_order import is_probe, without_probes
from afterimage.jobs.judge_tables import read_grades
from afterimage.jobs.judging import read_items
from afterimage.jobs.running import Files
from afterimage.jobs.unfinished import unfinished_grades, without
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
from afterimage.showing.study.review_summary import REVIEW, review_summary
from afterimage.showing.table_files import write_table

logger = logging.getLogger(__name__)


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
        spec: ``models`` (those that people look at), ``right_share``, ``statistics``.
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
    statistics = spec["statistics"]
    unfinished = unfinished_grades(inputs["automatic"])
    before, after = (
        without(read_grades(inputs[kind]), unfinished) for kind in ("automatic", "grades")
    )
    table = review_summary(before, after, counts, spec["right_share"], statistics)
    files = {form: path for form, path in outputs.items() if form != "ignored"}
    write_table(REVIEW, table, files, statistics, None, unfinished)


def _ignored(
    model: str, automatic: str | os.PathLike[str], given: Sequence[Review], right_share: float
) -> list[dict[str, Any]]:
    own = [review for review in given if review.model == model]
    return decisions(read_records(automatic, GRADE), own, right_share)[1]
