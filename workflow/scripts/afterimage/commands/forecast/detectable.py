"""The smallest difference of two models that a study can find, before anybody is asked (docs/statistics.md).

What is paired, and what its clusters are, is asked of each suite's own table of pairs, ``pairs_<suite>``: its items are
graded as if each had got an empty answer, and the table chooses of these what it compares. A suite may have further
such tables, whose names begin with that one's.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from tabulate import tabulate

from afterimage.contract.finding import pairs_table
from afterimage.contract.model import ModelEntry
from afterimage.contract.probes import without_probes
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.planning.plan import Plan
from afterimage.statistics.detectable import ALIKE, DISCORDANCE, smallest_matched

_COLUMNS = tuple(name for name in ITEM.names if name != "images")
_SILENCE = {"model": "", "repeat": 0, "answer_text": "", "text": "", "finish_reason": "stop"}
_HEADERS = ("suite", "models", "answers", "clusters", "smallest difference", "in one part of it")

ASSUMED = (
    "Smallest difference: in percentage points, found with a power of 80 % at a level of 5 %, if any two models differ "
    f"in {100 * DISCORDANCE:g} % of the answers and differences about one cluster (mostly an image) correlate by "
    f"{ALIKE:g}; 'none': not even the greatest possible one is found. Parts, clusters and the test are those of "
    "pairs_<suite> (docs/statistics.md)."
)


class Paired(NamedTuple):
    """What two models answer both: a suite, or a part of it.

    Attributes:
        units: Answers that each of them gives, per repeat.
        clusters: Images, or whatever is answered alike.
    """

    units: int
    clusters: int


class Detectable(NamedTuple):
    """What can be found between two models on a suite.

    Attributes:
        suite: The suite's name; of a further table of pairs, with what its own name adds.
        models: Who is compared, in words.
        units: Answers of each model.
        whole: The smallest difference over the suite, 0 to 1; NaN if there is none.
        parts: The smallest difference in each of its parts.
    """

    suite: str
    models: str
    units: int
    clusters: int
    whole: float
    parts: tuple[float, ...]


def detectable(plan: Plan) -> list[Detectable]:
    """Return what can be found between any two models on each suite whose items are there."""
    found = []
    for suite in plan.suites:
        paths = [
            Path(plan.results, "items", suite, f"{shard}.parquet")
            for shard in plan.all_shards(suite)
        ]
        there = [path for path in paths if path.is_file()]
        for table in tables_of_pairs(plan, suite):
            words = table.removeprefix(pairs_table("")).replace(f"{suite}_", f"{suite}: ", 1)
            parts = paired(plan, suite, there, table)
            for repeats, models in pairs_by_repeats(plan.models).items() if parts else ():
                found.append(_found(words, models, repeats, parts))
    return found


def tables_of_pairs(plan: Plan, suite: str) -> list[str]:
    """Return the suite's tables that compare models pair by pair, ``pairs_<suite>`` first; none of adaptive suites."""
    if suite in plan.adaptive:
        return []
    first = pairs_table(suite)
    others = (name for name in plan.studied[suite].tables if name.startswith(f"{first}_"))
    return [first, *others]


def _found(suite: str, models: str, repeats: int, parts: Sequence[Paired]) -> Detectable:
    smallest = [
        smallest_matched(repeats * part.units, part.clusters) if part.clusters > 1 else math.nan
        for part in parts
    ]
    units, clusters = repeats * parts[0].units, parts[0].clusters
    return Detectable(suite, models, units, clusters, smallest[0], tuple(smallest[1:]))


def pairs_by_repeats(models: Mapping[str, ModelEntry]) -> dict[int, str]:
    """Return who is compared on how many answers to each question: as many as the one with fewer repeats gives."""
    found: dict[int, list[str]] = {}
    for (first, entry_a), (second, entry_b) in combinations(models.items(), 2):
        repeats = min(entry.settings.get("repeats", 1) for entry in (entry_a, entry_b))
        found.setdefault(repeats, []).append(f"{first} and {second}")
    if len(found) == 1:
        return dict.fromkeys(found, f"any two of {len(models)}")
    # The pairs that many models make would be a page.
    return {
        repeats: f"any two with {repeats} repeats or more" if repeats > 1 else "all other pairs"
        for repeats in sorted(found, reverse=True)
    }


def paired(plan: Plan, suite: str, shards: Iterable[Path], name: str) -> list[Paired]:
    """Return what two models answer both, as a table pairs it: over the whole suite first, then in each of its parts.

    Returns:
        Nothing where the table compares nothing.
    """
    import pandas as pd

    from afterimage.contract.parts import resolve, with_name
    from afterimage.grading.grade import grade

    rows = [
        {
            **(row := grade({**_SILENCE, "item_id": item["item_id"], "suite": suite}, item)),
            **row["factors"],
        }
        for shard in shards
        for item in without_probes(read_records(shard, ITEM, _COLUMNS, batch_size=1024))
    ]
    table = resolve(with_name(plan.studied[suite].table(name).part, "TABLE"))
    settings = {**plan.statistics, **plan.studied[suite].table_settings(name)}
    if not rows:
        return []
    units = table.of(pd.DataFrame(rows).drop(columns="factors"), settings)
    names = list(table.rows[0].factors)
    units = units.dropna(subset=names)
    parts = [part for _, part in units.groupby(names, sort=False)]
    chosen = [units, *(parts if len(parts) > 1 else [])]
    return [Paired(len(part), part["cluster"].nunique()) for part in chosen if len(part)]


def as_table(found: Iterable[Detectable]) -> str:
    """Return what can be found, one line per suite and kind of pair."""
    rows = [
        (
            each.suite,
            each.models,
            f"{each.units:,}",
            f"{each.clusters:,}",
            _points(each.whole),
            _range(each.parts),
        )
        for each in found
    ]
    align = ("left", "left", "right", "right", "right", "left")
    return tabulate(rows, headers=_HEADERS, disable_numparse=True, colalign=align) if rows else ""


def _points(difference: float) -> str:
    return "none" if math.isnan(difference) else f"{100 * difference:.0f}"


def _range(parts: tuple[float, ...]) -> str:
    if not parts:
        return ""
    ordered: list[Any] = sorted(parts, key=lambda value: (math.isnan(value), value))
    ends = dict.fromkeys((_points(ordered[0]), _points(ordered[-1])))
    return f"{' to '.join(ends)} ({len(parts)} parts)"
