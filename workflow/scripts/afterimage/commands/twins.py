"""The command ``afterimage twins``: how much better is a model on published images than on fresh ones?

Two runs of one study, which differ in the setting ``edition``. Items of the same id are of one cell of the design: they
are paired, clustered and tested as in ``pairs_<suite>``.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from afterimage.commands.diff.folders import Results, changed_items, in_both, results_in, version_of
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import frame_text
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.commands.diff.compare import Difference

_COLUMNS = ("item_id", "messages", "images.list.element.pixels_sha256")


class Compared(NamedTuple):
    """What a comparison found.

    Attributes:
        rows: One per suite, part and model; shares and differences in percentage points, public less fresh.
        left_out: Sentences on what could not be compared.
    """

    rows: pd.DataFrame
    left_out: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("public", metavar="PUBLIC", help="folder of results: the published edition")
    parser.add_argument("fresh", metavar="FRESH", help="folder of results: another edition")
    parser.add_argument("--csv", action="store_true", help="print CSV, all columns")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table, and on stderr what could not be compared."""
    from tabulate import tabulate

    found = compare(results_in(options.public), results_in(options.fresh))
    for sentence in found.left_out:
        print(f"afterimage: {sentence}", file=sys.stderr)
    if options.csv:
        print(frame_text(found.rows, float_format="%.6g"), end="")
    else:
        print(tabulate(found.rows.map(_shown), headers="keys", showindex=False))
    return 0


def compare(public: Results, fresh: Results, confidence: float = 0.95) -> Compared:
    """Compare every suite and model that both folders have.

    Args:
        public: Results of the published edition.
        fresh: Results of another one.
        confidence: Coverage of the intervals; 1 less the level of the test.

    Returns:
        Rows with ``suite``, ``part``, ``model``, ``n`` pairs of answers, ``clusters``, ``differing_clusters``,
        ``public`` and ``fresh`` (percent right), ``difference`` with ``low`` and ``high``, ``p``, ``p_holm`` (over the
        models of a suite's part), and ``detectable``, the least difference that four of five such studies find.

    Raises:
        AfterimageError: No item of the one has a twin in the other, or a file cannot be read.
    """
    import pandas as pd

    left_out: list[str] = []
    found: list[Difference] = []
    suites, *alone = in_both(public.grades, fresh.grades)
    for results, names in zip((public, fresh), alone, strict=True):
        left_out.extend(f"{name}: only {results.folder} has the suite." for name in names)
    for suite in suites:
        found.extend(_of_suite(public, fresh, suite, confidence, left_out))
    if not found:
        raise AfterimageError(
            f"{public.folder} and {fresh.folder}: found no answers to two editions of one suite; expected results "
            f"of one study that differ in suites.<suite>.edition. {' '.join(left_out)}".rstrip()
        )
    families = [(row.suite, row.part) for row in found]
    rows = pd.DataFrame(
        [_row(row, families.count((row.suite, row.part)), confidence) for row in found]
    )
    by_family = rows.groupby(["suite", "part"])["p"]
    rows.insert(rows.columns.get_loc("p") + 1, "p_holm", by_family.transform(_corrected))
    return Compared(rows, left_out)


def _of_suite(
    public: Results, fresh: Results, suite: str, confidence: float, left_out: list[str]
) -> Iterator[Difference]:
    from afterimage.commands.diff.compare import differences
    from afterimage.jobs.tables import read_grades

    versions = [version_of(results, suite) for results in (public, fresh)]
    if versions[0] != versions[1]:
        left_out.append(
            f"{suite}: version {versions[0]} in {public.folder}, {versions[1]} in {fresh.folder}; not compared."
        )
        return
    shown = [_asked(results, suite, "images") for results in (public, fresh)]
    both = shown[0].keys() & shown[1].keys()
    twins = both & changed_items(*shown)
    if len(twins) < len(both):
        left_out.append(
            f"{suite}: {len(both) - len(twins)} items show the same pixels in both, so they are no twins; not compared."
        )
    other_words = changed_items(
        *(_asked(results, suite, "messages") for results in (public, fresh))
    )
    if other_words & twins:
        left_out.append(
            f"{suite}: {len(other_words & twins)} twins differ in words, too; expected only where a question names "
            "what is on its image."
        )
    models, *alone = in_both(public.grades[suite], fresh.grades[suite])
    for results, names in zip((public, fresh), alone, strict=True):
        left_out.extend(f"{suite}: only {results.folder} has the model {name}." for name in names)
    for model in models:
        grades = [read_grades([results.grades[suite][model]]) for results in (fresh, public)]
        no_twins = set().union(*(set(own["item_id"]) for own in grades)) - twins
        # What diff calls second less first is here public less fresh.
        rows = list(differences(suite, model, *grades, no_twins, confidence))
        if twins and not rows:
            left_out.append(f"{suite}, {model}: no answers, right or wrong, to twins.")
        yield from rows


def _asked(results: Results, suite: str, what: str) -> dict[str, str]:
    """Return what each item shows or says: hashes of its pixels in order, or its messages."""
    return {
        item["item_id"]: repr(item[what])
        for shard in sorted(results.folder.joinpath("items", suite).glob("*.parquet"))
        for item in read_records(shard, ITEM, _COLUMNS, batch_size=1024)
    }


def _row(row: Difference, family: int, confidence: float) -> dict[str, Any]:
    from afterimage.statistics.detectable import DISCORDANCE, smallest_matched

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


def _corrected(values: pd.Series) -> list[float]:
    from afterimage.statistics.matched import holm

    return holm(values.tolist())


def _shown(value: object) -> object:
    if not isinstance(value, float):
        return value
    return "-" if math.isnan(value) else f"{value:.3g}"
