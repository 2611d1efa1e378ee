"""The items of a page of examples, and every model's answers to them.

The choice depends on ids and right answers, never on models' answers.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from afterimage.contract.probes import without_probes
from afterimage.files.attempts import FAILED
from afterimage.files.parquet import read_records, read_table
from afterimage.files.png import decode_png
from afterimage.files.records import GRADE, ITEM, RESPONSE, answer_of
from afterimage.showing.charts.example_page import Answer, question_text

_ITEM_COLUMNS = (
    *("item_id", "stimulus_id", "figure", "prompt", "question", "messages", "options", "key"),
    "factors",
)


def scores_of(
    grades: Sequence[str | os.PathLike[str]], names: Sequence[str]
) -> dict[tuple[str, str], float]:
    """Return a judge's scores of descriptions, by item and model; of repeats, the first."""
    columns = ("model", "item_id", "repeat", "score")
    return {
        (row["item_id"], row["model"]): row["score"]
        for path in grades
        for row in rows_of(path, GRADE, columns, names)
        if row["score"] is not None and not row["repeat"]
    }


def suite_items(shards: Sequence[str | os.PathLike[str]]) -> list[dict[str, Any]]:
    """Return a suite's own items without their images, each with the ``shard`` that holds it."""
    return [
        {**item, "shard": shard}
        for shard in shards
        for item in without_probes(read_records(shard, ITEM, _ITEM_COLUMNS))
    ]


def choose(items: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """Choose at most ``count`` items, evenly over the right answers in their natural order.

    Of the items with one right answer, those whose stimulus ids have the smallest hashes: a choice that does not depend
    on results or on the order of files. Each stimulus is taken once.

    Args:
        items: Candidates with ``stimulus_id`` and ``key``.
        count: The number of items; fewer are returned where there are fewer stimuli.
    """
    distinct = {item["stimulus_id"]: item for item in reversed(items)}
    waiting: dict[str, list[Mapping[str, Any]]] = {}
    for item in sorted(distinct.values(), key=_hash):
        waiting.setdefault(item["key"], []).append(item)
    keys = sorted(waiting, key=_natural)
    wanted = [keys[index * len(keys) // count] for index in range(count)] if keys else []
    chosen = [waiting[key].pop(0) for key in wanted if waiting[key]]
    # Some answers are right for fewer stimuli than their share of the count.
    remaining = sorted((item for items in waiting.values() for item in items), key=_hash)
    chosen += remaining[: count - len(chosen)]
    return sorted(chosen, key=lambda item: (_natural(item["key"]), _hash(item)))


def items_of_panel(
    items: Sequence[Mapping[str, Any]], panel: Mapping[str, str]
) -> list[Mapping[str, Any]]:
    """Return the items with the panel's values and the same question text as the first of them."""
    matching = [
        item
        for item in items
        if all(item.get(name, item["factors"].get(name)) == value for name, value in panel.items())
    ]
    return [item for item in matching if question_text(item) == question_text(matching[0])]


def images_of(items: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Return the pixels of the image that the last message of each item shows."""
    indices = {item["item_id"]: _image_index(item) for item in items}
    return {
        row["item_id"]: decode_png(row["images"][indices[row["item_id"]]]["png"], row["item_id"])
        for shard in dict.fromkeys(item["shard"] for item in items)
        for row in rows_of(shard, ITEM, ("item_id", "images"), list(indices))
    }


def _image_index(item: Mapping[str, Any]) -> int:
    parts = item["messages"][-1]["parts"]
    index: int = next(part["image"] for part in parts if part["type"] == "image")
    return index


def answers_to(
    grades: Sequence[str | os.PathLike[str]],
    responses: Sequence[str | os.PathLike[str]],
    names: Sequence[str],
) -> dict[str, list[Answer]]:
    """Return each item's answers, model by model; of repeats, the first."""
    replies = {
        (row["model"], row["item_id"], row["repeat"]): answer_of(row)
        for path in responses
        for row in rows_of(
            path, RESPONSE, ("model", "item_id", "repeat", "text", "answer_text"), names
        )
    }
    columns = ("model", "item_id", "repeat", "answer", "correct", "outcome")
    answers: dict[str, list[Answer]] = {}
    for path in grades:
        for row in rows_of(path, GRADE, columns, names):
            if row["repeat"]:
                continue
            model, item, answer = row["model"], row["item_id"], row["answer"]
            if row["outcome"] == FAILED:
                entry = Answer(model, "no answer yet", "unparsed")
            elif answer is None:
                entry = Answer(model, replies.get((model, item, 0), ""), "unparsed")
            else:
                entry = Answer(model, in_words(answer), "right" if row["correct"] else "wrong")
            answers.setdefault(item, []).append(entry)
    return answers


def in_words(answer: str) -> str:
    """Return an answer or an option's id as words."""
    return answer.replace("_", " ")


def rows_of(
    path: str | os.PathLike[str], schema: pa.Schema, columns: Sequence[str], names: Sequence[str]
) -> list[dict[str, Any]]:
    table = read_table(path, schema, columns)
    wanted = pa.array(names, pa.string())
    rows: list[dict[str, Any]] = table.filter(pc.field("item_id").isin(wanted)).to_pylist()
    return rows


def _natural(key: str) -> list[str | int]:
    parts = re.split(r"(\d+)", key)
    return [int(part) if index % 2 else part for index, part in enumerate(parts)]


def _hash(item: Mapping[str, Any]) -> str:
    return hashlib.sha256(item["stimulus_id"].encode()).hexdigest()
