"""Published images against fresh twins of them: a model's accuracy on the first minus that on the second."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from afterimage.files.parquet import read_about, read_records
from afterimage.files.records import ITEM
from afterimage.showing.answers import read_grades
from afterimage.showing.tables.bounds import corrected, test_note
from afterimage.showing.tables.columns import Number, PValue, Text, whole
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.pairs import ComparedPairs, RunDifference, differences
from afterimage.statistics.detectable import DISCORDANCE, smallest_matched

_NAMES = (
    *("suite", "part", "model", "n", "clusters", "differing_clusters"),
    *("public", "fresh", "difference", "low", "high", "p", "p_holm", "detectable"),
)


def frame_of_twins(found: Iterable[RunDifference], confidence: float) -> pd.DataFrame:
    """Return a row per suite, part and model; Holm's method over the models of a part.

    Args:
        found: Answers to the public edition minus those to another.
        confidence: Coverage of the intervals; 1 minus the level of the test.
    """
    rows = list(found)
    families = [(row.suite, row.part) for row in rows]
    frame = pd.DataFrame(
        [_row(row, families.count((row.suite, row.part)), confidence) for row in rows],
        columns=[name for name in _NAMES if name != "p_holm"],
    )
    together = frame.groupby(["suite", "part"])["p"].transform(
        lambda p_values: corrected(p_values.tolist())
    )
    frame.insert(frame.columns.get_loc("p") + 1, "p_holm", together)
    return frame


def _row(row: RunDifference, family: int, confidence: float) -> dict[str, Any]:
    found = row.found
    discordance = max(DISCORDANCE, (found.only_first + found.only_second) / found.n)
    # Holm's first step: the level is shared by all models.
    level = 1 - (1 - confidence) / family
    detectable = (
        smallest_matched(found.n, found.clusters, discordance=discordance, confidence=level)
        if found.clusters > 1
        else math.nan
    )
    shares = {
        "public": row.after,
        "fresh": row.before,
        "difference": found.estimate,
        "low": found.low,
        "high": found.high,
    }
    return {
        **{"suite": row.suite, "part": row.part, "model": row.model},
        **{"n": found.n, "clusters": found.clusters, "differing_clusters": found.differing},
        **{name: 100 * share for name, share in shares.items()},
        **{"p": found.p, "detectable": 100 * detectable},
    }


def _unchanged(frame: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return frame


TABLE = Table(
    "twins",
    "Published images against fresh ones of the same design",
    rows=_unchanged,
    csv=_NAMES,
    columns=(
        Text("Part", "part"),
        Text("Model", "model"),
        whole("Pairs", "n"),
        Number("Public", "public"),
        Number("Fresh", "fresh"),
        Number("Difference", "difference", "low", "high"),
        PValue("p", "p", "differing_clusters"),
        PValue("p, corrected", "p_holm", "differing_clusters"),
        Number("Detectable", "detectable"),
    ),
    group_by="suite",
    empty=("no model has answered both editions",),
    notes=(
        "Public, fresh: percent right of the same cells of the design. Difference: public minus "
        "fresh, points; below it {coverage}, Tango's interval on the effective number of pairs.",
        test_note("images, as in pairs_<suite>", "the models of a part"),
        "Detectable: the least difference that four of five such studies find, after Holm's first step.",
        "A difference is what a model knows of the published images; without one, those below Detectable are possible.",
    ),
    csv_formats=dict.fromkeys(("p", "p_holm"), "%.6g"),
)


_ITEM_COLUMNS = ("item_id", "messages", "images.list.element.pixels_sha256")


class Edition(NamedTuple):
    """A run's answers to one edition of a suite.

    Attributes:
        shards: Its files of items.
        grades: Model to its file of grades.
    """

    shards: Sequence[str | os.PathLike[str]]
    grades: Mapping[str, str | os.PathLike[str]]


def twins_of(
    suite: str, pairs: ComparedPairs, public: Edition, fresh: Edition, confidence: float
) -> tuple[list[RunDifference], list[str]]:
    """Compare two editions of a suite, model by model.

    Args:
        suite: The suite's name.
        pairs: The table that compares its models pair by pair, and its settings for the suite.
        public: The published edition.
        fresh: Another one.
        confidence: Coverage of the intervals.

    Returns:
        A difference per model and part, public minus fresh; sentences on what could not be compared.
    """
    left_out: list[str] = []
    versions = [_suite_version(edition.shards) for edition in (public, fresh)]
    if versions[0] != versions[1]:
        words = f"version {versions[0]} of the public edition, {versions[1]} of the other"
        return [], [f"{suite}: {words}; not compared."]
    shown = [_values_by_item(edition.shards, "images") for edition in (public, fresh)]
    both = shown[0].keys() & shown[1].keys()
    twins = {item for item in both if shown[0][item] != shown[1][item]}
    if len(twins) < len(both):
        left_out.append(
            f"{suite}: {len(both) - len(twins)} items show the same pixels in both, so they are no twins; not compared."
        )
    messages = [_values_by_item(edition.shards, "messages") for edition in (public, fresh)]
    if reworded := sum(messages[0][item] != messages[1][item] for item in twins):
        left_out.append(
            f"{suite}: {reworded} twins differ in words, too; expected only where a question names what is on its "
            "image."
        )
    found: list[RunDifference] = []
    for model in (name for name in public.grades if name in fresh.grades):
        new, published = (read_grades([edition.grades[model]]) for edition in (fresh, public))
        untwinned = {*new["item_id"], *published["item_id"]} - twins
        # differences() subtracts the first from the second: public minus fresh.
        rows = list(differences(suite, model, pairs, new, published, untwinned, confidence))
        if twins and not rows:
            left_out.append(f"{suite}, {model}: no answers, right or wrong, to twins.")
        found.extend(rows)
    return found, left_out


def _values_by_item(shards: Iterable[str | os.PathLike[str]], what: str) -> dict[str, str]:
    """Return one column of all items, as text: hashes of an item's pixels in order, or its messages."""
    return {
        item["item_id"]: repr(item[what])
        for shard in shards
        for item in read_records(shard, ITEM, _ITEM_COLUMNS, batch_size=1024)
    }


def _suite_version(shards: Sequence[str | os.PathLike[str]]) -> str | None:
    return read_about(shards[0], ITEM).get("suite_version") if shards else None
