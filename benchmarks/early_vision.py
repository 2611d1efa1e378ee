"""How far intervals of contrast thresholds and of search slopes can be trusted: simulated observers.

An observer of gratings sees the signed contrast t with normal noise, as the fit supposes; a searcher's d' falls by a
fixed step whenever the number of items doubles. Printed is how often the interval holds what was put in, the median
estimate, and how often a guesser gets a threshold.

    python benchmarks/early_vision.py --observers 40
"""

import argparse

import numpy as np
import pandas as pd
from scipy.stats import norm
from tabulate import tabulate

from afterimage.suites.contrast.curves import STEPS, curves
from afterimage.suites.contrast.design import DESIGN, figure_of
from afterimage.suites.contrast.names import FREQUENCIES, LEVELS, WHERE
from afterimage.suites.search.counts import sensitivity_per_doubling, with_bounds

SETTINGS = {"confidence": 0.95}
SIGMAS = (0.1, 0.2, 0.4, 0.8)
SET_SIZES = np.array([4, 8, 16, 32, 48])
GROUPS, IMAGES = 4, 16
#: d' at 4 items, and what each doubling takes from it.
SEARCHERS = ((3.0, 0.0), (3.0, -0.5), (2.0, -0.25), (1.0, -0.25))
_Z75 = 0.6744897501960817


def gratings() -> tuple[pd.DataFrame, np.ndarray]:
    """Every image with a pattern, and its t."""
    factors = [
        spec.factors
        for frequency in FREQUENCIES
        for spec in DESIGN.specs(figure_of(frequency), {"seed": 0, "blanks": 4})
    ]
    frame = pd.DataFrame(factors).assign(question=WHERE)
    sign = frame["side"].map({"left": 1, "right": -1})
    return frame, (sign * frame["level"].astype(int) / LEVELS).to_numpy()


def thresholds(sigma: float, observers: int, generator: np.random.Generator) -> list:
    """Return a row: noise, true and median threshold, share of intervals of slopes that hold the true one."""
    frame, t = gratings()
    found = []
    for _ in range(observers):
        seen = t + generator.normal(0, sigma, len(t))
        answers = frame.assign(answer=np.where(seen > 0, "left", "right"))
        found += curves(answers, SETTINGS).values()
    held = np.mean([own.slope_low <= 1 / sigma <= own.slope_high for own in found])
    middle = np.median([STEPS.threshold(own.slope) for own in found])
    return [sigma, STEPS.threshold(1 / sigma), middle, 100 * held, 100 * passed(found)]


def passed(found: list) -> float:
    """Return the share of curves that are not flat."""
    return float(np.mean([own.slope_low > 0.05 for own in found]))


def guessers(observers: int, generator: np.random.Generator) -> float:
    frame, t = gratings()
    found = []
    for _ in range(observers):
        said = generator.choice(["left", "right"], len(t))
        found += curves(frame.assign(answer=said), SETTINGS).values()
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
    rows = [thresholds(sigma, observers, generator) for sigma in SIGMAS]
    headers = ("noise in t", "threshold %", "median estimate %", "covered %", "not flat %")
    print(tabulate(rows, headers, floatfmt=".3g"))
    print(f"guessers that are not flat: {guessers(observers, generator):.1f} %\n")
    found = [slopes(one, 10 * observers, generator) for one in SEARCHERS]
    headers = ("d' at 4", "per doubling", "median estimate", "covered %")
    print(tabulate(found, headers, floatfmt=".3g"))


if __name__ == "__main__":
    main()
