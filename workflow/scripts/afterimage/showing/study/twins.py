"""Published images against fresh twins of them: what a model has right of the first minus of the second."""

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from afterimage.showing.tables.bounds import corrected, test_note
from afterimage.showing.tables.columns import Number, PValue, Text, whole
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.pairs import RunDifference
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
    together = frame.groupby(["suite", "part"])["p"].transform(lambda own: corrected(own.tolist()))
    frame.insert(frame.columns.get_loc("p") + 1, "p_holm", together)
    return frame


def _row(row: RunDifference, family: int, confidence: float) -> dict[str, Any]:
    found = row.found
    discordance = max(DISCORDANCE, (found.only_first + found.only_second) / found.n)
    # Holm's first step: the level is shared by all models.
    level = 1 - (1 - confidence) / family
    least = (
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
        **{"p": found.p, "detectable": 100 * least},
    }


def _as_it_is(frame: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return frame


TABLE = Table(
    "twins",
    "Published images against fresh ones of the same design",
    rows=_as_it_is,
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
        "Public, fresh: percent right of the same cells of the design. Difference: public minus fresh, points; below "
        "it {coverage}, Tango's interval on what the pairs are worth.",
        test_note("images, as in pairs_<suite>", "the models of a part"),
        "Detectable: the least difference that four of five such studies find, after Holm's first step.",
        "A difference is what a model knows of the published images; without one, those below Detectable are possible.",
    ),
    csv_formats=dict.fromkeys(("p", "p_holm"), "%.6g"),
)
