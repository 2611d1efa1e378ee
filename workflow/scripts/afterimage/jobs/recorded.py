"""Recorded answers: the files that a user has become answers to the items of a suite."""

import csv
import os
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, write_records
from afterimage.files.recorded_answer import RECORDED_ANSWER
from afterimage.jobs.running import Files
from afterimage.models.recorded.matching import matched
from afterimage.models.recorded.reading import read_answers

_ID_COLUMNS = ["recorded", "item_id"]


def match_recorded_answers(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Write the answers to all items of a suite, schema RECORDED_ANSWER, and return their number.

    Args:
        spec: ``settings`` of the backend ``recorded``.
        inputs: ``recorded``, where the answers stand; ``ids``, a CSV that says which recorded id is which item's, or
            none where the record has the items' own; ``shards``, the suite's items.
        outputs: ``answers``, the Parquet file to write.
        beside: Nothing.

    Raises:
        AfterimageError: A file is not what the settings say, or the answers do not fit the items.
    """
    settings, files = spec["settings"], inputs["recorded"]
    items = {item["item_id"]: _asked(item) for shard in inputs["shards"] for item in _items(shard)}
    answers = chain.from_iterable(read_answers(path, settings) for path in files)
    named = [_read_ids(Path(path)) for path in inputs["ids"]]
    rows = matched(
        answers, items, settings, ", ".join(map(str, files)), named[0] if named else None
    )
    return write_records(outputs["answers"], rows, RECORDED_ANSWER)


def _items(shard: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    return read_records(shard, ITEM, columns=("item_id", "messages"))


def _asked(item: Mapping[str, Any]) -> str:
    """Return the last text that the item shows; one that holds another item's answer is not known beforehand."""
    parts = item["messages"][-1]["parts"]
    if any(part["type"] == "answer" for part in parts):
        return ""
    return next((part["text"] for part in reversed(parts) if part["type"] == "text"), "")


def _read_ids(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        if reader.fieldnames != _ID_COLUMNS:
            raise AfterimageError(
                f"{path}: found the columns {reader.fieldnames}; expected {', '.join(_ID_COLUMNS)}."
            )
        ids: dict[str, str] = {}
        for number, row in enumerate(reader, start=1):
            if ids.setdefault(row["recorded"], row["item_id"]) != row["item_id"]:
                raise AfterimageError(
                    f"{path}, row {number}: recorded id '{row['recorded']}' stands for two items; expected one."
                )
    return ids
