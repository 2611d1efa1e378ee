"""How often the intervals hold the true value, and the tests raise a false alarm, against what was used before them.

Answers are made up whose true share and likeness within clusters are known, and in the same run the methods of
``statistics/`` are compared with the named baselines: Wilson's interval and McNemar's exact test, which take all
answers for independent, the percentile bootstrap over clusters, the sum of the groups' own intervals, and the rule
that a number replicates if it lies in the printed one's interval. *Oracle* is Wilson's interval with the true design
effect, which nobody knows outside of a simulation. All seeds are fixed.

    python benchmarks/coverage.py                  # seconds of CPU: means over cells; single cells scatter too much
    python benchmarks/coverage.py --repeats 2500   # the figures of docs/statistics.md, minutes
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import binom
from tabulate import tabulate

from afterimage.statistics.intervals import (
    effective_answers,
    max_effective_answers,
    mean_interval,
    sized,
    wilson,
)
from afterimage.statistics.matched import paired_bounds, sign_flip_p
from afterimage.statistics.shares import effective_mean, group_correlations, share_of_totals
from afterimage.statistics.unmatched import (
    CONFIDENCE,
    difference_bounds,
    replication_bounds,
    residual_correlation,
)

Bounds = tuple[NDArray[np.float64], NDArray[np.float64]]

CLUSTERS = (6, 7, 12, 14, 24, 28, 60, 300)
UNITS = (1, 2, 4, 6, 16)
SHARES = (0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98)
LIKENESS = (0.0, 0.1, 0.3, 0.6, 0.9, 1.0)
ORACLE = "oracle"
HERE = "here"
#: Of the percentile bootstrap in the simulation; tables draw more, which changes no coverage.
_DRAWS = 200
#: A method is judged where the oracle itself holds the true value this often, cell by cell from so many repeats.
_ABLE = 0.92
_ENOUGH = 500


class Cell(NamedTuple):
    """What one method did in one cell: how often it held the truth, its mean width, its least width."""

    held: float
    width: float
    least: float


def beta_binomial(rng: Generator, share: float, alike: float, shape: tuple[int, ...]) -> NDArray:
    """Return each cluster's own chance of a right answer; its variance makes the likeness."""
    if alike == 0:
        return np.full(shape, share)
    if alike == 1:
        return (rng.random(shape) < share).astype(float)
    return rng.beta(share * (1 - alike) / alike, (1 - share) * (1 - alike) / alike, shape)


def common_answer(rng: Generator, share: float, alike: float, shape: tuple[int, ...]) -> NDArray:
    """Return each cluster's chance where, this often, all of its units share one answer."""
    together = rng.random(shape) < alike
    return np.where(together, (rng.random(shape) < share).astype(float), share)


def judged(found: dict[str, Bounds], truth: float) -> dict[str, Cell]:
    """Compare bounds, shape (repeats,), with the truth."""
    return {
        name: Cell(
            float(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).mean()),
            float((high - low).mean()),
            float((high - low).min()),
        )
        for name, (low, high) in found.items()
    }


def shares(repeats: int, chances: Callable, seed: int) -> Iterator[dict[str, Cell]]:
    """Yield a share in each cell of the grid."""
    rng = np.random.default_rng(seed)
    for clusters, units, share in product(CLUSTERS, UNITS, SHARES):
        for alike in LIKENESS if units > 1 else (0.0,):
            y = rng.binomial(units, chances(rng, share, alike, (repeats, clusters)))
            n, found = clusters * units, y.mean(axis=1) / units
            bounds = {
                ORACLE: wilson(found, n / (1 + (units - 1) * alike)),
                HERE: wilson(found, effective_answers(y, sized([units] * clusters))),
                "Wilson, answers independent": wilson(found, n),
                "percentile bootstrap of clusters": percentile_bootstrap(rng, y, n),
            }
            yield judged(bounds, share)


def percentile_bootstrap(rng: Generator, y: NDArray, n: int) -> Bounds:
    """Return percentile bounds of the share; all repeats use the same resamples, which harms none of them."""
    clusters = y.shape[1]
    weights = rng.multinomial(clusters, [1 / clusters] * clusters, _DRAWS)
    low, high = np.quantile(y @ weights.T / n, [0.025, 0.975], axis=1)
    return low, high


def scores(repeats: int) -> Iterator[dict[str, Cell]]:
    """Yield the mean of scores 0, 1 and 2."""
    rng = np.random.default_rng(70)
    mixtures = ((0.2, 0.3, 0.5), (0.05, 0.15, 0.8), (0.9, 0.08, 0.02), (0.05, 0.9, 0.05))
    for mixture, clusters, units in product(mixtures, (7, 14, 60, 300), (1, 3)):
        for alike in (0.0, 0.5, 1.0) if units > 1 else (0.0,):
            x = drawn(rng, mixture, clusters, units, alike, repeats) / 2
            y, n, sizes = x.sum(axis=2), clusters * units, sized([units] * clusters)
            max_n = max_effective_answers(y, (x**2).sum(axis=(1, 2)), sizes)
            bounds = {
                HERE: wilson(y.sum(axis=1) / n, effective_answers(y, sizes, max_n=max_n)),
                "percentile bootstrap of clusters": percentile_bootstrap(rng, y, n),
            }
            yield judged(bounds, mixture[1] / 2 + mixture[2])


def drawn(
    rng: Generator, chances: tuple, clusters: int, units: int, alike: float, repeats: int
) -> NDArray:
    """Return categories 0, 1, ..., shape (repeats, clusters, units); this often all of a cluster are the same."""
    edges = np.cumsum(chances)[:-1]
    together = np.searchsorted(edges, rng.random((repeats, clusters, 1)), side="right")
    apart = np.searchsorted(edges, rng.random((repeats, clusters, units)), side="right")
    return np.where(rng.random((repeats, clusters, 1)) < alike, together, apart)


def matched(repeats: int) -> Iterator[tuple[dict[str, Cell], dict[str, float] | None]]:
    """Yield the difference of two models over the same units, and false alarms where there is none."""
    rng = np.random.default_rng(30)
    for clusters, units, discordance, delta in product(
        (7, 14, 28, 60), (1, 2, 4), (0.1, 0.3, 0.6), (0, 0.05, 0.2)
    ):
        for alike in (0.0, 0.3, 0.6, 1.0) if units > 1 else (0.0,):
            if delta > discordance:
                continue
            up, down = (discordance + delta) / 2, (discordance - delta) / 2
            cells = drawn(rng, (1 - discordance, up, down), clusters, units, alike, repeats)
            first, second = cells == 1, cells == 2
            b, c = first.sum(axis=(1, 2)), second.sum(axis=(1, 2))
            d = (first.astype(int) - second).sum(axis=2)
            low, high, _ = paired_bounds(d, [units] * clusters, b, c)
            alarms = None
            # Below seven clusters that differ the tests cannot but be silent.
            if delta == 0 and clusters * discordance >= 7:
                alarms = {
                    HERE: np.mean([sign_flip_p(one) <= 0.05 for one in d]),
                    "McNemar, exact, answers independent": np.mean(
                        2 * binom.cdf(np.minimum(b, c), b + c, 0.5) <= 0.05
                    ),
                }
            yield judged({HERE: (low, high)}, delta), alarms


def unmatched(repeats: int) -> Iterator[dict[str, Cell]]:
    """Yield the difference of two conditions over the same clusters, with other numbers of units."""
    rng = np.random.default_rng(40)
    pairs = ((0.5, 0.5), (0.8, 0.5), (0.95, 0.8))
    for clusters, units, (p1, p2), alike in product(
        (7, 14, 28), ((2, 1), (2, 4)), pairs, (0.0, 0.3, 0.9)
    ):
        hidden = np.sqrt(alike) * rng.standard_normal((repeats, clusters, 1))
        z = hidden + np.sqrt(1 - alike) * rng.standard_normal((repeats, clusters, sum(units)))
        sides = [
            ((part < quantile(share)).sum(axis=2), [size] * clusters)
            for part, share, size in zip(
                (z[..., : units[0]], z[..., units[0] :]), (p1, p2), units, strict=True
            )
        ]
        found = {HERE: [], "shared clusters taken for separate": []}
        for one in range(repeats):
            (y1, m1), (y2, m2) = ((y[one], m) for y, m in sides)
            both = share_of_totals(y1, m1), share_of_totals(y2, m2)
            likeness = residual_correlation(y1, m1, y2, m2)
            for each, correlation in zip(found.values(), (likeness, 0.0), strict=True):
                each.append(difference_bounds(*both, correlation))
        bounds = {name: tuple(np.array(each).T) for name, each in found.items()}
        yield judged(bounds, p1 - p2)


def quantile(share: float) -> float:
    """Return where a normal variable lies below with this chance."""
    from scipy.special import ndtri

    return float(ndtri(share))


def means(repeats: int, shared: bool) -> Iterator[dict[str, Cell]]:
    """Yield means of groups with separate or the same clusters."""
    rng = np.random.default_rng(50)
    ranges = ((0.1, 0.9), (0.5, 0.98), (0.95, 0.99))
    for groups, clusters, units, ends in product((2, 7, 14), (6, 14, 28), (1, 2, 4), ranges):
        for alike in (0.0, 0.6):
            truth = np.linspace(*ends, groups)
            hidden = rng.standard_normal((repeats, 1 if shared else groups, clusters, 1))
            noise = rng.standard_normal((repeats, groups, clusters, units))
            z = np.sqrt(alike) * hidden + np.sqrt(1 - alike) * noise
            y = (z < np.array([quantile(p) for p in truth])[:, None, None]).sum(axis=3)
            p, effective_n = y.mean(axis=2) / units, effective_answers(y, sized([units] * clusters))
            likeness = group_correlations(y, [units] * clusters) if shared else None
            lows, highs = wilson(p, effective_n)
            summed = [
                mean_interval(*each)
                for each in zip(p.tolist(), lows.tolist(), highs.tolist(), strict=True)
            ]
            bounds = {
                HERE: wilson(p.mean(axis=1), effective_mean(p, effective_n, likeness)),
                "sum of the groups' intervals": tuple(np.array(summed).T),
            }
            yield judged(bounds, float(truth.mean()))


def replications(repeats: int, moved: float) -> Iterator[tuple[int, dict[str, float], float]]:
    """Yield clusters, how often a replication is said to differ, and how often to be consistent here."""
    rng = np.random.default_rng(60)
    for clusters, units, share in product(
        (7, 14, 28, 60, 300), (1, 2, 4), (0.05, 0.2, 0.5, 0.8, 0.95)
    ):
        for alike in (0.0, 0.3, 0.6, 1.0) if units > 1 else (0.0,):
            n, sizes = clusters * units, sized([units] * clusters)
            now = share + (moved if share < 0.5 else -moved)
            old, new = (
                rng.binomial(units, beta_binomial(rng, p, alike, (repeats, clusters)))
                for p in (share, now)
            )
            printed = np.round(old.sum(axis=1) / n, 2)
            band = tuple(np.clip(printed + half, 0, 1) for half in (-0.005, 0.005))
            found, effective_n = new.sum(axis=1) / n, effective_answers(new, sizes, CONFIDENCE)
            low, high = replication_bounds(
                band, n * np.minimum(1, effective_n / n), found, effective_n
            )
            interval = wilson(old.sum(axis=1) / n, n)
            differs = (low > 0) | (high < 0)
            rates = {
                HERE: float(differs.mean()),
                "outside the printed number's Wilson interval": float(
                    ((found < interval[0]) | (found > interval[1])).mean()
                ),
            }
            yield clusters, rates, float((~differs & (low >= -0.1) & (high <= 0.1)).mean())


def coverage_rows(
    title: str, cells: list[dict[str, Cell]], by_cell: bool
) -> list[dict[str, object]]:
    """Return one row for each method; the worst cells only where there are enough repeats to know them."""
    able = np.array([cell[ORACLE].held >= _ABLE if ORACLE in cell else True for cell in cells])
    rows = []
    for name in cells[0]:
        held, width, least = (np.array([cell[name][i] for cell in cells]) for i in range(3))
        row = {"figure": title, "method": name, "cells": len(cells), "held": held.mean()}
        if by_cell:
            row |= {"least held": held[able].min(), "under 92 %": (held[able] < _ABLE).mean()}
        if ORACLE in cells[0]:
            row["width / oracle"] = (width / [cell[ORACLE].width for cell in cells]).mean()
        rows.append(row | {"least width": least.min()})
    return rows


def rate_rows(title: str, rates: list[dict[str, float]]) -> list[dict[str, object]]:
    """Return one row for each method: how often it speaks up."""
    found = {name: np.array([each[name] for each in rates]) for name in rates[0]}
    return [
        {"rate": title, "method": name, "cells": len(each)}
        | {"mean": each.mean(), "least": each.min(), "most": each.max()}
        for name, each in found.items()
    ]


def measure(repeats: int) -> tuple[list[dict], list[dict]]:
    """Return the rows of coverage and those of false alarms and verdicts."""
    pairs = list(matched(repeats))
    parts = {
        "share, beta-binomial": shares(repeats, beta_binomial, 0),
        "share, common answer": shares(repeats, common_answer, 1),
        "mean score": scores(repeats),
        "matched difference": [cell for cell, _ in pairs],
        # One by one: not worked out for all replicates at once.
        "difference, shared clusters": unmatched(max(10, repeats // 5)),
        "mean of groups, separate clusters": means(repeats, False),
        "mean of groups, shared clusters": means(repeats, True),
    }
    covered = [
        row
        for title, cells in parts.items()
        for row in coverage_rows(title, list(cells), repeats >= _ENOUGH)
    ]
    same, moved = list(replications(repeats, 0.0)), list(replications(repeats, 0.2))
    rates = rate_rows("false alarms of tests", [alarms for _, alarms in pairs if alarms])
    rates += rate_rows("exact replication differs", [rates for _, rates, _ in same])
    for clusters in (7, 28, 300):
        part = [rates for each, rates, _ in moved if each == clusters]
        rates += rate_rows(f"change of 20 points differs, {clusters} clusters", part)[:1]
        part = [{HERE: consistent} for each, _, consistent in same if each == clusters]
        rates += rate_rows(f"exact replication is consistent, {clusters} clusters", part)
    return covered, rates


def milliseconds() -> float:
    """Return the CPU time of one share of 6 to 300 clusters, in ms."""
    rng = np.random.default_rng(0)
    sizes = [rng.integers(1, 5, rng.integers(6, 300)) for _ in range(2000)]
    cells = [(rng.binomial(size, 0.7), size) for size in sizes]
    started = time.process_time()
    for cell in cells:
        share_of_totals(*cell)
    return 1000 * (time.process_time() - started) / len(cells)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=10, help="replicates of each cell")
    arguments = parser.parse_args()
    started = time.process_time()
    covered, rates = measure(arguments.repeats)
    print(tabulate(covered, headers="keys", tablefmt="pipe", floatfmt=".3f"), end="\n\n")
    print(tabulate(rates, headers="keys", tablefmt="pipe", floatfmt=".3f"), end="\n\n")
    print(
        f"One share takes {milliseconds():.2f} ms of CPU; this run took {time.process_time() - started:.0f} s."
    )


if __name__ == "__main__":
    main()
