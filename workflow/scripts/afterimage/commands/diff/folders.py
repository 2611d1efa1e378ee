"""What two folders of results hold of one another: suites, models, and whether an item is the same in both."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_about, read_records
from afterimage.files.records import ITEM

# Of the images only the hashes of their pixels: the same pixels may be other bytes.
_CONTENT = ("item_id", "messages", "images.list.element.pixels_sha256", "options", "key")


class Results(NamedTuple):
    """A folder of results.

    Attributes:
        folder: As it was named.
        grades: Suite to model to its file of grades.
    """

    folder: Path
    grades: dict[str, dict[str, Path]]


def results_in(folder: str) -> Results:
    """Return what a folder has graded.

    Raises:
        AfterimageError: It is no folder of results, or nothing is graded there.
    """
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(Path(folder, "grades").glob("*/*.parquet")):
        found.setdefault(path.parent.name, {})[path.stem] = path
    if not found:
        raise AfterimageError(
            f"{folder}: no grades/<suite>/<model>.parquet below it; expected a folder of results, such as 'results'."
        )
    return Results(Path(folder), found)


def contents_of(results: Results, suite: str) -> dict[str, str]:
    """Return a hash of what each item of a suite asks and of its right answer; none where the folder has no items."""
    return {
        item["item_id"]: _content(item)
        for shard in sorted(results.folder.joinpath("items", suite).glob("*.parquet"))
        for item in read_records(shard, ITEM, _CONTENT, batch_size=1024)
    }


def version_of(results: Results, suite: str) -> str | None:
    """Return the suite's version as its items say it; None where nothing does."""
    for shard in sorted(results.folder.joinpath("items", suite).glob("*.parquet")):
        return read_about(shard, ITEM).get("suite_version")
    return None


def changed_items(first: dict[str, str], second: dict[str, str]) -> set[str]:
    """Return the items of the same id that ask something else, or have another right answer."""
    return {item for item in first.keys() & second.keys() if first[item] != second[item]}


def in_both(first: Iterable[str], second: Iterable[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the names that both have, those of the first alone, and those of the second alone."""
    one, other = list(first), list(second)
    return (
        [name for name in one if name in other],
        [name for name in one if name not in other],
        [name for name in other if name not in one],
    )


def _content(item: dict) -> str:
    content = [item["messages"], item["images"], item["options"], item["key"]]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
