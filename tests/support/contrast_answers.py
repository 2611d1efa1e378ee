"""Graded answers of made-up observers of gratings, as the table reads them."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from afterimage.suites.contrast.design import (
    BLANK,
    BLANKS,
    DESIGN,
    FREQUENCIES,
    NO,
    NONE,
    SEEN,
    WHERE,
    YES,
    figure_of,
)

SETTINGS = {
    "frequencies": list(FREQUENCIES),
    "pattern": "grating",
    "seed": 20250814,
    "blanks": 4,
    "prompts": ["where"],
}
#: What an observer says of a pattern at t (positive on the left, 0 for none): left, right, none; or None.
Observer = Callable[[float, bool], str | None]


def ideal(t: float, forced: bool) -> str:
    return "left" if t > 0 else "right" if t < 0 else NONE


def always_left(t: float, forced: bool) -> str:
    return "left"


def silent(t: float, forced: bool) -> None:
    return None


class Noisy:
    """Sees the contrast with noise, and calls less than the criterion nothing where it may."""

    def __init__(self, sigma=0.4, bias=0.0, criterion=0.3, seed=0):
        self._generator = np.random.default_rng(seed)
        self._sigma, self._bias, self._criterion = sigma, bias, criterion

    def __call__(self, t: float, forced: bool) -> str:
        seen = t - self._bias + self._generator.normal(0, self._sigma)
        if not forced and abs(seen) < self._criterion:
            return NONE
        return "left" if seen > 0 else "right"


def guesser(seed=0):
    generator = np.random.default_rng(seed)
    return lambda t, forced: str(
        generator.choice(["left", "right"] if forced else ["left", "right", NONE])
    )


def answers_of(
    observer: Observer, model: str, prompt: str = WHERE, repeats: int = 1
) -> pd.DataFrame:
    """Return graded answers to a prompt about every image that it is asked about."""
    specs = [
        (figure, spec)
        for figure in map(figure_of, FREQUENCIES)
        for spec in DESIGN.specs(figure, SETTINGS)
    ]
    if prompt != WHERE:
        specs += [(BLANK, spec) for spec in BLANKS.specs(BLANK, SETTINGS)]
    rows = []
    for repeat in range(repeats):
        for figure, spec in specs:
            own = spec.factors
            t = {"left": 1, "right": -1, "": 0}[own["side"]] * int(own["level"]) / 8
            said, key = observer(t, prompt == WHERE), own["side"] or NONE
            offered = ["left", "right"] if prompt == WHERE else ["left", "right", NONE]
            if prompt == SEEN:
                said, key, offered = (YES, NO)[said == NONE], (YES, NO)[key == NONE], [YES, NO]
            rows.append(
                {
                    "item_id": f"{spec.stimulus_id}/{prompt}",
                    "stimulus_id": spec.stimulus_id,
                    "suite": "contrast",
                    "model": model,
                    "repeat": repeat,
                    "figure": figure,
                    "prompt": prompt,
                    "question": prompt,
                    "key": key,
                    "offered": offered,
                    "is_listed": prompt != SEEN,
                    "answer": said,
                    "outcome": "unparsed" if said is None else "exact",
                    "reason": "refused: no" if said is None else "",
                    "correct": said == key,
                    "score": None,
                    **own,
                }
            )
    return pd.DataFrame(rows).astype({"answer": object})
