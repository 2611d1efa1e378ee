"""Grading: a model's raw responses become judged answers."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pyarrow.parquet import read_metadata

from afterimage.files.attempts import WHY_NOTHING
from afterimage.files.parquet import read_about, read_records, write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.grading.grade import grade_responses, needs_question
from afterimage.jobs.running import Files

logger = logging.getLogger(__name__)

# Rows at a time: they are small, and a file of a million in small groups has a large table of contents.
_ROWS = 4096
# A line in the log after so many answers, or after a twentieth of them where that is more.
_ANSWERS_BETWEEN_LINES = 1000
# Everything but the pixels: graders judge words.
_ASKED_COLUMNS = tuple(name for name in ITEM.names if name != "images")
# Most of them need no question either.
_ITEM_COLUMNS = tuple(name for name in _ASKED_COLUMNS if name != "messages")


def grade_model(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Grade all responses of one model to one suite and return their number.

    Args:
        spec: ``adaptive``, where items were chosen one after the other, so that most have no answer.
        inputs: ``responses``, the model's merged ones, schema RESPONSE; ``shards``, the item files that were asked,
            schema ITEM.
        outputs: ``grades``, the Parquet file to write, schema GRADE.
        beside: Nothing.
    """
    items = (
        item
        for shard in inputs["shards"]
        for item in read_records(shard, ITEM, columns=_columns(shard))
    )
    total = read_metadata(inputs["responses"]).num_rows
    answers = _told(read_records(inputs["responses"], RESPONSE, batch_size=_ROWS), total)
    about = {} if total else why_nothing(inputs["shards"])
    return write_records(
        outputs["grades"],
        grade_responses(answers, items, complete=not spec.get("adaptive")),
        GRADE,
        batch_size=_ROWS,
        about=about,
    )


def why_nothing(shards: Iterable[str]) -> dict[str, str]:
    """Return what a file of no grades says of itself: why its items are none; {} where no file of items says it."""
    known = (read_about(shard, ITEM).get(WHY_NOTHING) for shard in shards)
    why = next(filter(None, known), None)
    return {} if why is None else {WHY_NOTHING: why}


def _told(answers: Iterable[Mapping[str, Any]], total: int) -> Iterator[Mapping[str, Any]]:
    """Pass answers on and say in the log how many have been graded."""
    step = max(_ANSWERS_BETWEEN_LINES, total // 20)
    for number, answer in enumerate(answers, 1):
        yield answer
        # Whoever takes the next is done with this one.
        if number % step == 0:
            logger.info("%d of %d answers graded", number, total)


def _columns(shard: str) -> tuple[str, ...]:
    """Return what graders read of a shard's items; the question only where one of them reads it."""
    types = {row["answer_type"] for row in read_records(shard, ITEM, columns=("answer_type",))}
    return _ASKED_COLUMNS if any(map(needs_question, types)) else _ITEM_COLUMNS
