"""Graded answers of made-up observers of gratings and of hidden digits, as the tables of thresholds read them."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from graded_rows import graded

from afterimage.suites.contrast.design import (
    BLANK,
    BLANKS,
    FREQUENCIES,
    NO,
    NONE,
    SEEN,
    WHERE,
    YES,
    figure_of,
)
from afterimage.suites.contrast.design import DESIGN as GRATINGS
from afterimage.suites.contrast.design import SIDES as HALVES
from afterimage.suites.contrast.design import STEPS as CONTRASTS
from afterimage.suites.hidden_digits.design import AXES
from afterimage.suites.hidden_digits.design import DESIGN as DIGITS
from afterimage.suites.hidden_digits.design import SIDES as NAMED
from afterimage.suites.hidden_digits.design import STEPS as DIFFERENCES

#: Drawn of gratings.
SETTINGS = {
    "frequencies": list(FREQUENCIES),
    "pattern": "grating",
    "seed": 20250814,
    "blanks": 4,
    "prompts": ["where"],
}
#: What an observer can say.
FIRST, NOTHING, SECOND = range(3)
#: What an observer says at t (positive on the first side, 0 for no difference), where it is forced to name a side.
Observer = Callable[[float, bool], int | None]


def ideal(seed: int = 3) -> Observer:
    """See every difference, and name a side by chance where there is none and it has to."""
    coin = np.random.default_rng(seed)

    def says(t: float, forced: bool) -> int:
        if t:
            return FIRST if t > 0 else SECOND
        return int(coin.choice([FIRST, SECOND])) if forced else NOTHING

    return says


def always_first(t: float, forced: bool) -> int:
    return FIRST


def silent(t: float, forced: bool) -> None:
    return None


def guesser(seed: int = 0) -> Observer:
    coin = np.random.default_rng(seed)
    return lambda t, forced: int(
        coin.choice([FIRST, SECOND] if forced else [FIRST, NOTHING, SECOND])
    )


def noisy(sigma=0.4, bias=0.0, criterion=0.3, seed=0) -> Observer:
    """See the difference with noise, and call less than the criterion nothing where it may."""
    noise = np.random.default_rng(seed)

    def says(t: float, forced: bool) -> int:
        seen = t - bias + noise.normal(0, sigma)
        if not forced and abs(seen) < criterion:
            return NOTHING
        return FIRST if seen > 0 else SECOND

    return says


def _t(factors, sides, steps):
    return steps.signed(factors, sides) if factors["side"] else 0.0


def of_gratings(
    observer: Observer, model: str, prompt: str = WHERE, repeats: int = 1
) -> pd.DataFrame:
    """Return graded answers to a prompt about every image that it is asked about."""
    specs = [
        (name, spec)
        for name in map(figure_of, FREQUENCIES)
        for spec in GRATINGS.specs(name, SETTINGS)
    ]
    if prompt != WHERE:
        specs += [(BLANK, spec) for spec in BLANKS.specs(BLANK, SETTINGS)]
    offered = {WHERE: HALVES, SEEN: (YES, NO)}.get(prompt, (*HALVES, NONE))
    words = {FIRST: HALVES[0], NOTHING: NONE, SECOND: HALVES[1], None: None}
    rows = []
    for repeat in range(repeats):
        for figure, spec in specs:
            factors = spec.factors
            answer = words[observer(_t(factors, HALVES, CONTRASTS), prompt == WHERE)]
            key = factors["side"] or NONE
            if prompt == SEEN:
                answer, key = ((YES, NO)[one == NONE] for one in (answer, key))
            about = {"model": model, "repeat": repeat, "figure": figure, "offered": [*offered]}
            rows.append(graded(spec.stimulus_id, prompt, answer, key, **about, **factors))
    return pd.DataFrame(rows).astype({"answer": object})


def of_digits(
    observer: Observer, model: str, repeats: int = 1, sharp: Observer | None = None
) -> pd.DataFrame:
    """Return graded answers about every image; about sharp ones somebody else's, if named."""
    words = {FIRST: NAMED[0], SECOND: NAMED[1], None: None}
    rows = []
    for repeat in range(repeats):
        for axis in AXES:
            for spec in DIGITS.specs(axis, {"seed": 1, "blur": True}):
                factors = spec.factors
                t = _t(factors, NAMED, DIFFERENCES)
                who = sharp if sharp is not None and factors["blur"] == "sharp" else observer
                about = {"model": model, "repeat": repeat, "figure": axis, "offered": [*NAMED]}
                rows.append(
                    graded(
                        spec.stimulus_id,
                        "which",
                        words[who(t, True)],
                        factors["side"],
                        **about,
                        **factors,
                    )
                )
    return pd.DataFrame(rows).astype({"answer": object})
