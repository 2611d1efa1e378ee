"""Grading: a model's raw responses become judged answers."""

from collections.abc import Mapping
from typing import Any

from afterimage.files.grade import GRADE
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, write_records
from afterimage.files.response import RESPONSE
from afterimage.grading.grade import grade_responses, needs_question
from afterimage.jobs.running import Files

# Rows at a time: they are small, and a file of a million in small groups has a large table of contents.
_ROWS = 4096
# Everything but the pixels: graders judge words.
_ASKED_COLUMNS = tuple(name for name in ITEM.names if name != "images")
# Most of them need no question either.
_ITEM_COLUMNS = tuple(name for name in _ASKED_COLUMNS if name != "messages")


def grade_model(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Grade all responses of one model to one suite and return their number.

    Args:
        spec: Nothing.
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
    answers = read_records(inputs["responses"], RESPONSE, batch_size=_ROWS)
    return write_records(
        outputs["grades"], grade_responses(answers, items), GRADE, batch_size=_ROWS
    )


def _columns(shard: str) -> tuple[str, ...]:
    """Return what graders read of a shard's items; the question only where one of them reads it."""
    types = {row["answer_type"] for row in read_records(shard, ITEM, columns=("answer_type",))}
    return _ASKED_COLUMNS if any(map(needs_question, types)) else _ITEM_COLUMNS
