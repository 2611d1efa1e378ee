"""How far intervals of thresholds (contrast, hidden digits) and of search slopes can be trusted: simulated observers.

An observer of gratings or dots sees the signed difference t with normal noise, as the fit supposes; a searcher's d'
falls by a fixed step whenever the number of items doubles. Printed is how often the interval holds what was put in, the
median estimate, and how often a guesser gets a threshold. The interval is that of the tables: at the least and the most
that was shown it means "at least that far".

    python benchmarks/early_vision.py --observers 40
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm
from tabulate import tabulate

from afterimage.suites.contrast.design import DESIGN, FREQUENCIES, SIDES, WHERE, figure_of
from afterimage.suites.contrast.tables import STEPS, curves
from afterimage.suites.hidden_digits import design, tables
from afterimage.suites.hidden_digits.design import DESIGN as DIGITS
from afterimage.suites.search.tables import sensitivity_per_doubling, with_bounds
from afterimage.suites.thresholds.steps import Steps
from afterimage.suites.thresholds.tables import FLAT, Curve, shape

SETTINGS = {"confidence": 0.95}
SIGMAS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.8)
SET_SIZES = np.array([4, 8, 16, 32, 48])
GROUPS, IMAGES = 4, 16
#: d' at 4 items, and what each doubling takes from it.
SEARCHERS = ((3.0, 0.0), (3.0, -0.5), (2.0, -0.25), (1.0, -0.25))
_Z75 = 0.6744897501960817


class Shown(NamedTuple):
    """What an observer is shown: each image's factors and t, the sides, what a step is, and how curves are fitted."""

    images: pd.DataFrame
    t: np.ndarray
    sides: tuple[str, str]
    steps: Steps
    fit: Callable


def gratings() -> Shown:
    """Every image with a pattern."""
    factors = [
        spec.factors
        for frequency in FREQUENCIES
        for spec in DESIGN.specs(
            figure_of(frequency), {"seed": 0, "blanks": 4, "pattern": "grating"}
        )
    ]
    return _signed(pd.DataFrame(factors).assign(question=WHERE), SIDES, STEPS, curves)


def dots() -> Shown:
    """Every image of hidden digits."""
    factors = [
        spec.factors
        for axis in design.AXES
        for spec in DIGITS.specs(axis, {"seed": 0, "blur": True})
    ]
    return _signed(pd.DataFrame(factors), design.SIDES, design.STEPS, tables.curves)


def _signed(frame: pd.DataFrame, sides: tuple[str, str], steps: Steps, fit: Callable) -> Shown:
    sign = frame["side"].map(dict(zip(sides, (1, -1), strict=True)))
    return Shown(
        frame, (sign * frame["level"].astype(int) / steps.count).to_numpy(), sides, steps, fit
    )


def thresholds(shown: Shown, sigma: float, observers: int, generator: np.random.Generator) -> list:
    """Return a row: noise, true and median threshold, share of intervals that hold the true one, and of curves."""
    found = []
    for _ in range(observers):
        seen = shown.t + generator.normal(0, sigma, len(shown.t))
        answers = shown.images.assign(answer=np.where(seen > 0, *shown.sides))
        found += shown.fit(answers, SETTINGS).values()
    true, fitted = (
        shown.steps.threshold(1 / sigma),
        [curve for curve in found if not is_flat(curve)],
    )
    held = 100 * np.mean([holds(curve, true, shown.steps) for curve in fitted])
    middle = np.median([shown.steps.threshold(curve.slope) for curve in found])
    return [sigma, true, middle, held, 100 * passed(found)]


def holds(curve: Curve, true: float, steps: Steps) -> bool:
    """Return whether what a table says of a curve is so: bounds end where nothing more was shown."""
    # Replicates that all agree leave the estimate alone.
    slopes = (
        (curve.slope, curve.slope)
        if np.isnan(curve.slope_low)
        else (curve.slope_high, curve.slope_low)
    )
    ends = [*map(steps.threshold, slopes), true]
    low, high, at = np.clip(ends, steps.least, steps.at(1))
    return bool(low <= at <= high)


def is_flat(curve: Curve) -> bool:
    """Return whether a table has no threshold for a curve, nor bounds."""
    low, high = np.nan_to_num((curve.slope_low, curve.slope_high), nan=curve.slope)
    return shape(curve.slope, low, high) == FLAT


def passed(found: list) -> float:
    """Return the share of curves that are not flat."""
    return float(np.mean([not is_flat(curve) for curve in found]))


def guessers(shown: Shown, observers: int, generator: np.random.Generator) -> float:
    found = []
    for _ in range(observers):
        answers = generator.choice(shown.sides, len(shown.t))
        found += shown.fit(shown.images.assign(answer=answers), SETTINGS).values()
    return 100 * passed(found)


def slopes(searcher: tuple[float, float], observers: int, generator: np.random.Generator) -> list:
    """Return a row: what was put in, the median slope, and the share of intervals that hold the true one."""
    start, step = searcher
    d_prime = start + step * np.log2(SET_SIZES / SET_SIZES[0])
    estimates, held = [], []
    size = IMAGES // GROUPS
    for _ in range(observers):
        hits, alarms = (
            generator.binomial(
                size, norm.cdf(sign * d_prime / 2)[:, None], (len(SET_SIZES), GROUPS)
            )
            for sign in (1, -1)
        )
        n = np.full_like(hits, size)
        counts = np.stack([hits, n, alarms, n, hits + n - alarms, 2 * n], axis=-1)
        value, low, high = with_bounds(
            lambda summed: sensitivity_per_doubling(summed, SET_SIZES), counts, SETTINGS
        )
        estimates.append(value)
        held.append(low <= step <= high)
    return [start, step, np.median(estimates), 100 * np.mean(held)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--observers", type=int, default=40, help="of each kind; default: 40")
    observers = parser.parse_args().observers
    generator = np.random.default_rng(5)
    for shown in (gratings(), dots()):
        rows = [thresholds(shown, sigma, observers, generator) for sigma in SIGMAS]
        unit = shown.steps.unit
        headers = ("noise in t", f"threshold, {unit}", "median estimate", "covered %", "not flat %")
        print(tabulate(rows, headers, floatfmt=".3g"))
        print(f"guessers that are not flat: {guessers(shown, observers, generator):.1f} %\n")
    found = [slopes(one, 10 * observers, generator) for one in SEARCHERS]
    headers = ("d' at 4", "per doubling", "median estimate", "covered %")
    print(tabulate(found, headers, floatfmt=".3g"))


if __name__ == "__main__":
    main()
