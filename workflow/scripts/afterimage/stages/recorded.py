"""Recorded answers: the files that a user has become answers to the items of a suite."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from afterimage.errors import AfterimageError
from afterimage.files.attempts import UNREADABLE_ITEMS
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.paths import RESULTS
from afterimage.files.row_ids import RowIds, name_text
from afterimage.files.written_values import without_point_zero
from afterimage.models.recorded.answer import filled
from afterimage.stages.stage import Stage, each_of_suites

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names

logger = logging.getLogger(__name__)


# ---- specs and parts ----


def matching_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return a model's settings; ``has_holes`` where images are not there."""
    holes = {"has_holes": True} if plan.missing[at.suite].names else {}
    return {**holes, "model": at.model, "settings": plan.models[at.model].settings}


def stimuli_named(plan: Plan, suite: str, model: str) -> list[str]:
    """Return the files that say what a suite's images are called, where recorded answers go by that."""
    goes_by = "{file}" in (plan.models[model].settings["item_name"] or "")
    figures = plan.figures[suite] if goes_by else ()
    return [f"{RESULTS}/stimuli/{suite}/{figure}/stimuli.parquet" for figure in figures]


# ---- functions of jobs ----


_ID_COLUMNS = ["recorded", "item_id"]


def match_recorded_answers(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Write the answers to all items of a suite, schema RECORDED_ANSWER, and return their number.

    Args:
        spec: ``settings`` of the backend ``recorded``; ``has_holes`` where images are not there: then answers without
            an item are left out, whatever the settings say.
        inputs: ``recorded``, where the answers stand; ``ids``, a CSV that says which recorded id is which item's, or
            none where the record has the items' own; ``shards``, the suite's items, and which are not asked because
            an image cannot be read: answers to these are left out and counted; ``stimuli``, its images, where items
            are named after their files.
        outputs: ``answers``, the Parquet file to write.

    Raises:
        AfterimageError: A file is not what the settings say, or the answers do not fit the items.
    """
    from afterimage.files.parquet import write_records
    from afterimage.files.records import RECORDED_ANSWER
    from afterimage.models.recorded.matching import matched
    from afterimage.models.recorded.reading import read_answers

    settings, files = spec["settings"], inputs["recorded"]
    items = {
        item["item_id"]: "\n".join(_texts(item))
        for shard in inputs["shards"]
        for item in _items(shard)
    }
    if not items:
        logger.warning("%s: not read, since the suite asks nothing", ", ".join(map(str, files)))
        return write_records(outputs["answers"], [], RECORDED_ANSWER)
    unasked = {item["item_id"]: "\n".join(_texts(item)) for item in _unreadable(inputs)}
    if spec.get("has_holes"):
        settings = {**settings, "unknown": "ignore"}
    answers = chain.from_iterable(read_answers(path, settings) for path in files)
    where = ", ".join(map(str, files))
    if inputs["ids"]:
        ids = _read_ids(Path(inputs["ids"][0]))
        rows = matched(answers, items, settings, where, ids, are_listed=True, unasked=unasked)
    else:
        named = None if settings["item_name"] is None else _named(settings["item_name"], inputs)
        rows = matched(answers, items, settings, where, named, unasked=unasked)
    return write_records(outputs["answers"], rows, RECORDED_ANSWER)


def _items(shard: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    from afterimage.files.parquet import read_records
    from afterimage.files.records import ITEM

    return read_records(shard, ITEM, columns=("item_id", "messages"))


def _unreadable(inputs: Files) -> Iterable[dict[str, Any]]:
    """Yield what the suite would ask if every image could be read."""
    from afterimage.files.parquet import read_about
    from afterimage.files.records import ITEM

    for shard in inputs["shards"]:
        yield from json.loads(read_about(shard, ITEM).get(UNREADABLE_ITEMS, "[]"))


def _named(template: str, inputs: Files) -> dict[str, list[str]]:
    """Return the ids of the items that have the name which their fields make, of unreadable images, too.

    Raises:
        AfterimageError: An item lacks a field.
    """
    from afterimage.files.parquet import read_records
    from afterimage.files.records import ITEM
    from afterimage.files.stimulus import STIMULUS

    files = {
        record["stimulus_id"]: _file_name(json.loads(record["parameters"])["nominal"])
        for path in inputs["stimuli"]
        for record in read_records(path, STIMULUS, columns=("stimulus_id", "parameters"))
    }
    columns = ("item_id", "stimulus_id", "prompt", "question", "messages", "factors")
    names: dict[str, list[str]] = {}
    shards = (read_records(shard, ITEM, columns=columns) for shard in inputs["shards"])
    for item in chain(chain.from_iterable(shards), _unreadable(inputs)):
        named = {name: item[name] for name in columns[:4]}
        named["text"] = next(reversed(_texts(item)), "")
        named["file"] = files.get(item["stimulus_id"], "")
        name = filled(template, dict(item["factors"]) | named, f"item '{item['item_id']}'")
        names.setdefault(name, []).append(item["item_id"])
    return names


def _file_name(parameters: Mapping[str, Any]) -> str:
    """Return the name of an image's file, of an archive's member its own; "" if it has none."""
    return PurePath(parameters.get("member") or parameters.get("file") or "").name


def _texts(item: Mapping[str, Any]) -> list[str]:
    """Return the texts of an item's last message; none where it holds another item's answer, which comes later."""
    parts = item["messages"][-1]["parts"]
    if any(part["type"] == "answer" for part in parts):
        return []
    return [part["text"] for part in parts if part["type"] == "text"]


def _read_ids(path: Path) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = {}
    spellings = RowIds[None]("recorded id", name_text)
    for line, row in read_peoples_rows(path, _ID_COLUMNS, "ids"):
        name = without_point_zero(row["recorded"])
        if ids.setdefault(name, [row["item_id"]]) != [row["item_id"]]:
            raise AfterimageError(
                f"{path}, line {line}: recorded id '{row['recorded']}' stands for two items; expected one."
            )
        spellings.add(name, None, f"{path}, line {line}")
    return ids


STAGES = (
    Stage(
        "match_recorded_answers",
        match_recorded_answers,
        "tables",
        spec=matching_spec,
        jobs=each_of_suites("model", lambda plan, suite: plan.recorded),
    ),
)
