"""Reviews: which answers people look at, and what their decisions change."""

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from afterimage.contract.parts import resolve
from afterimage.files.grade import GRADE
from afterimage.files.parquet import read_records, write_records
from afterimage.files.response import RESPONSE
from afterimage.items.rows import is_probe, without_probes
from afterimage.jobs.judge_tables import read_grades
from afterimage.jobs.judging import read_items
from afterimage.people.review.files import Review, read_reviews
from afterimage.people.review.queue import (
    IGNORED_COLUMNS,
    QUEUE_COLUMNS,
    decisions,
    of_unknown_models,
    queue_rows,
    with_decisions,
)
from afterimage.people.review.sheets import write_sheet
from afterimage.showing.study.review_summary import REVIEW, review_summary
from afterimage.showing.table_files import write_table

logger = logging.getLogger(__name__)


def queue_review(
    spec: Mapping,
    grades: Sequence[str | os.PathLike],
    responses: Sequence[str | os.PathLike],
    shards: Sequence[str | os.PathLike],
    queue: str | os.PathLike,
) -> int:
    """Write the answers that people are to look at and return their number.

    Args:
        spec: ``fields`` (where the suite tells what a judge is told) and ``right_share``.
        grades: Automatic grade files of the models that people look at.
        responses: Their merged responses, in the same order.
        shards: The item files that were asked.
        queue: The CSV file to write; people fill in human_correct and reviewer.
    """
    fields = resolve(spec["fields"])
    items = read_items(shards)

    def rows() -> Iterator[dict]:
        for graded, answered in zip(grades, responses, strict=True):
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
            )

    return write_sheet(queue, rows(), QUEUE_COLUMNS, said=("question", "gold", "answer"))


def apply_review(
    spec: Mapping,
    model: str,
    automatic: str | os.PathLike,
    reviews: Sequence[str | os.PathLike],
    grades: str | os.PathLike,
) -> int:
    """Put people's decisions into one model's grades and return the number of grades.

    Args:
        spec: ``right_share``.
        model: The model's name.
        automatic: Its automatic grades.
        reviews: Files with decisions, of all models.
        grades: The Parquet file to write, schema GRADE.
    """
    own = [review for review in read_reviews(reviews) if review.model == model]
    decided, _ = decisions(read_records(automatic, GRADE), own, spec["right_share"])
    return write_records(grades, with_decisions(read_records(automatic, GRADE), decided), GRADE)


def summarise_review(
    spec: Mapping,
    automatic: Sequence[str | os.PathLike],
    grades: Sequence[str | os.PathLike],
    reviews: Sequence[str | os.PathLike],
    ignored: str | os.PathLike,
    outputs: Mapping[str, str | os.PathLike],
) -> None:
    """Write what the review changed, and the decisions that were not applied.

    Args:
        spec: ``models`` (those that people look at), ``right_share``, ``statistics``.
        automatic: Automatic grade files of these models.
        grades: Their grade files after the review, in the same order.
        reviews: Files with decisions.
        ignored: The CSV file to write with decisions that were not applied, and why.
        outputs: Form of the table (csv, markdown, latex, html, json) to file.
    """
    given = read_reviews(reviews)
    rows = of_unknown_models(given, spec["models"])
    for model, path in zip(spec["models"], automatic, strict=True):
        rows += _ignored(model, path, given, spec["right_share"])
    if rows:
        reasons = Counter(row["reason"] for row in rows)
        listed = "; ".join(f"{count}: {reason}" for reason, count in reasons.items())
        logger.warning("%d decisions of people were not applied (%s)", len(rows), listed)
    write_sheet(ignored, rows, IGNORED_COLUMNS, said=("reviewer",))
    counts = Counter(row["model"] for row in rows)
    statistics = spec["statistics"]
    table = review_summary(
        read_grades(automatic), read_grades(grades), counts, spec["right_share"], statistics
    )
    write_table(REVIEW, table, outputs, statistics)


def _ignored(
    model: str, automatic: str | os.PathLike, given: Sequence[Review], right_share: float
) -> list[dict]:
    own = [review for review in given if review.model == model]
    return decisions(read_records(automatic, GRADE), own, right_share)[1]
