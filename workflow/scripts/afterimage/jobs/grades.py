"""Grading: a model's raw responses become judged answers."""

import os
from collections.abc import Sequence

from afterimage.files.grade import GRADE
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, write_records
from afterimage.files.response import RESPONSE
from afterimage.grading.grade import grade_responses

# Rows at a time: they are small, and a file of a million in small groups has a large table of contents.
_ROWS = 4096
# Everything but the pixels: graders judge words.
_ITEM_COLUMNS = tuple(name for name in ITEM.names if name not in {"messages", "images"})


def grade_model(
    responses: str | os.PathLike, shards: Sequence[str | os.PathLike], grades: str | os.PathLike
) -> int:
    """Grade all responses of one model to one suite and return their number.

    Args:
        responses: The model's merged responses, schema RESPONSE.
        shards: The item files that were asked, schema ITEM.
        grades: The Parquet file to write, schema GRADE.
    """
    items = (item for shard in shards for item in read_records(shard, ITEM, columns=_ITEM_COLUMNS))
    answers = read_records(responses, RESPONSE, batch_size=_ROWS)
    return write_records(grades, grade_responses(answers, items), GRADE, batch_size=_ROWS)
