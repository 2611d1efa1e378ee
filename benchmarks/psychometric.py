"""Bias and coverage of the psychometric fits of ``illusion_strength``, with simulated observers of known parameters.

Each simulated observer answers the suite's grid (five strengths, eleven differences, four replicates) once per cell
and replicate. The true point of equality may differ from replicate to replicate (``spread``), as colours and places
do to a real model. Printed per observer: how often a point of equality is found, the median bias of slope, point of
equality and magnitude at full strength, of the criterion and the lapse, and the share of intervals that hold the true
value, for the counted-out bootstrap over replicates, the jackknife over replicates with Student's t, and a
bootstrap of single answers within cells.

    python benchmarks/psychometric.py --observers 200
"""

import argparse
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from tabulate import tabulate

from afterimage.statistics.ordinal import OrdinalFit, fit_ordinal, probabilities
from afterimage.suites.illusion_strength.psychometrics import INSTEAD, READ, strength_rows

STRENGTHS = np.array([-1, -0.5, 0, 0.5, 1])
DIFFERENCES = np.array([-1, -0.75, -0.5, -0.25, -0.125, 0, 0.125, 0.25, 0.5, 0.75, 1])
REPLICATES = ("A-", "A+", "B-", "B+")
_SETTINGS = {"confidence": 0.95, "resamples": 10_000, "seed": 1}
_FULL = 4
_RESAMPLES_OF_CELLS = 100


class Observer(NamedTuple):
    """A simulated observer.

    Attributes:
        name: What it stands for.
        slope: 1/sigma; 0 for guesses.
        magnitude: B at full strength.
        c: Criterion for the neutral answer, in units of d; with a slope of 0, c/sigma.
        lapse: Share of random answers.
        spread: Standard deviation of the point of equality between replicates.
    """

    name: str
    slope: float
    magnitude: float
    c: float
    lapse: float = 0.02
    spread: float = 0.0


OBSERVERS = (
    Observer("sharp, fooled", 8.0, 0.4, 0.15),
    Observer("sharp, fooled, replicates differ", 8.0, 0.4, 0.15, spread=0.08),
    Observer("dull, fooled", 4.0, 0.3, 0.2),
    Observer("dull, fooled, replicates differ", 4.0, 0.3, 0.2, spread=0.08),
    Observer("dull, lapses", 4.0, 0.3, 0.2, lapse=0.1),
    Observer("very dull", 2.0, 0.3, 0.3),
    Observer("guesser", 0.0, 0.0, 0.43, lapse=0.0),
)


def simulate(observer: Observer, generator: np.random.Generator) -> pd.DataFrame:
    """Return the answers of one observer, as ``psychometrics.given_answers`` does."""
    index = np.repeat(np.arange(len(STRENGTHS)), len(DIFFERENCES))
    difference = np.tile(DIFFERENCES, len(STRENGTHS))
    size = len(STRENGTHS)
    frames = []
    for replicate in REPLICATES:
        shift = generator.normal(0, observer.spread)
        truth = OrdinalFit(
            np.full(size, observer.slope),
            observer.slope * (shift - observer.magnitude * STRENGTHS),
            np.full(size, observer.c * (observer.slope or 1)),
            observer.lapse,
            False,
            0.0,
        )
        chances = probabilities(truth, index, difference)
        answers = [generator.choice(READ, p=chance / chance.sum()) for chance in chances]
        frames.append(
            pd.DataFrame(
                {
                    "strength": STRENGTHS[index],
                    "difference": difference,
                    "realised": difference,
                    "replicate": replicate,
                    "given": answers,
                    "forced": False,
                    **dict.fromkeys(INSTEAD, False),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def measure(observer: Observer, observers: int, seed: int, cells: bool = False) -> dict[str, float]:
    """Return bias and coverage over simulated observers.

    Args:
        observer: Whom to simulate.
        observers: How many.
        seed: Of the simulation.
        cells: Whether to resample answers within cells as well, which is slow.

    Returns:
        ``found``, the share of curves at full strength with a point of equality; ``<statistic>_bias`` (median) for
        slope, pse, magnitude, c and lapse; ``<statistic>_<method>`` with the coverage of slope, pse and magnitude for
        jackknife, bootstrap and cells, among the defined intervals; ``<statistic>_defined``, their number.
    """
    generator = np.random.default_rng([seed, *observer.name.encode()])
    truth = {
        "slope": observer.slope,
        "pse": -observer.magnitude,
        "magnitude": observer.magnitude,
        "c": observer.c,
        "lapse": observer.lapse,
    }
    rows, within = [], []
    for _ in range(observers):
        answers = simulate(observer, generator)
        rows.append(strength_rows(answers, _SETTINGS)[_FULL])
        if cells:
            within.append(_cell_intervals(answers, generator))
    frame = pd.DataFrame(rows)
    result = {"found": float((frame["no_pse"] == "").mean())}
    for name, value in truth.items():
        result[f"{name}_bias"] = float((frame[name] - value).median())
    for name in ("slope", "pse", "magnitude"):
        for method, label in (("jackknife", ""), ("bootstrap", "_bootstrap")):
            low, high = frame[f"{name}{label}_low"], frame[f"{name}{label}_high"]
            result[f"{name}_{method}"] = _coverage(low, high, truth[name])
        result[f"{name}_defined"] = int(frame[f"{name}_low"].notna().sum())
        if cells:
            bounds = pd.DataFrame([each[name] for each in within])
            result[f"{name}_cells"] = _coverage(bounds[0], bounds[1], truth[name])
    return result


def _coverage(low: pd.Series, high: pd.Series, value: float) -> float:
    defined = low.notna() & high.notna()
    if not defined.any():
        return float("nan")
    # The fit works to four digits.
    return float(((low - 1e-4 <= value) & (value <= high + 1e-4))[defined].mean())


def _cell_intervals(
    answers: pd.DataFrame, generator: np.random.Generator
) -> Mapping[str, tuple[float, float]]:
    """Return percentile intervals from resampling the four answers of each cell."""
    cells = answers.groupby(["strength", "difference"])
    indices = {strength: index for index, strength in enumerate(STRENGTHS)}
    strength, difference = map(np.array, zip(*cells.groups, strict=True))
    index = np.array([indices[value] for value in strength])
    counts = np.array(
        [[(group["given"] == name).sum() for name in READ] for _, group in cells], dtype=float
    )
    fit = fit_ordinal(index, difference, counts)
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = []
    for _ in range(_RESAMPLES_OF_CELLS):
        drawn = generator.multinomial(len(REPLICATES), shares)
        again = fit_ordinal(index, difference, drawn, start=fit)
        equality = np.clip(again.equality, -2, 2)
        found.append((again.slope[_FULL], equality[_FULL], equality[2] - equality[_FULL]))
    low, high = np.nanquantile(found, [0.025, 0.975], axis=0)
    names = ("slope", "pse", "magnitude")
    return {name: (float(low[at]), float(high[at])) for at, name in enumerate(names)}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--observers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20250101)
    parser.add_argument("--cells", action="store_true", help="also resample within cells")
    arguments = parser.parse_args()
    rows = []
    for observer in OBSERVERS:
        row = measure(observer, arguments.observers, arguments.seed, arguments.cells)
        rows.append({"observer": observer.name, **row})
        print(observer.name, {name: round(value, 3) for name, value in row.items()}, flush=True)
    print(tabulate(rows, headers="keys", tablefmt="pipe", floatfmt=".3f"))


if __name__ == "__main__":
    main()
