"""Graded answers of made-up observers, as the tables read them."""

from collections.abc import Callable

import numpy as np
import pandas as pd

DIFFERENCES = (-1, -0.75, -0.5, -0.25, -0.125, 0, 0.125, 0.25, 0.5, 0.75, 1)
STRENGTHS = (-1, -0.5, 0, 0.5, 1)
REPLICATES = ("A-", "A+", "B-", "B+")
#: What an observer says to a question about a figure: "first", "neutral", "second", or None for nothing readable.
Observer = Callable[[str, float, float], str | None]

OPTIONS = {"first": "upper", "second": "lower", "neutral": "same"}


def ideal(question: str, strength: float, difference: float) -> str:
    """Measure; less than half the fake's difference is none."""
    if abs(difference) < 0.5:
        return "neutral"
    return "first" if difference > 0 else "second"


def textbook_cued(question: str, strength: float, difference: float) -> str:
    """Know the illusion, whether its inducer is there or not."""
    if question == "actual":
        return "neutral"
    return "second" if strength < 0 else "first"


def textbook_gated(question: str, strength: float, difference: float) -> str:
    """Know the illusion where its inducer is there; look where it is not."""
    if strength == 0:
        return ideal(question, strength, difference)
    return textbook_cued(question, strength, difference)


class Perceiver:
    """Sees a difference that the inducer shifts, with noise: people, who answer both questions by eye.

    Args:
        generator: Source of the noise.
        magnitude: Shift at full strength, in units of the fake's difference.
        sigma: Standard deviation of the noise.
        c: Criterion for the neutral answer.
        informed: Whether the actual question is answered without the shift.
    """

    def __init__(self, generator, magnitude=0.4, sigma=0.15, c=0.15, informed=False):
        self._generator = generator
        self._magnitude = magnitude
        self._sigma = sigma
        self._c = c
        self._informed = informed

    def __call__(self, question: str, strength: float, difference: float) -> str:
        shift = 0 if self._informed and question == "actual" else self._magnitude * strength
        seen = difference + shift + self._generator.normal(0, self._sigma)
        if abs(seen) < self._c:
            return "neutral"
        return "first" if seen > 0 else "second"


class Guesser:
    """Chooses among the three options by chance."""

    def __init__(self, generator):
        self._generator = generator

    def __call__(self, question: str, strength: float, difference: float) -> str:
        return str(self._generator.choice(list(OPTIONS)))


def answers_of(
    observer: Observer,
    model: str = "someone",
    illusions: tuple[str, ...] = ("mueller_lyer",),
    strengths: tuple[float, ...] = STRENGTHS,
    differences: tuple[float, ...] = DIFFERENCES,
    forced: bool = False,
) -> pd.DataFrame:
    """Return one graded answer per question, illusion, strength, difference and replicate."""
    rows = []
    prompt = "forced_choice" if forced else "directional"
    for question in ("actual", "apparent"):
        for illusion in illusions:
            for strength in strengths:
                for difference in differences:
                    for replicate in REPLICATES:
                        answer = observer(question, strength, difference)
                        stimulus = f"{illusion}_{replicate}_s{strength:+g}_d{difference:+g}"
                        rows.append(
                            {
                                "item_id": f"{stimulus}/{question}/{prompt}",
                                "stimulus_id": stimulus,
                                "suite": "illusion_strength",
                                "model": model,
                                "repeat": 0,
                                "figure": illusion,
                                "prompt": prompt,
                                "question": question,
                                "answer": None if answer is None else OPTIONS[answer],
                                "outcome": "unparsed" if answer is None else "exact",
                                "reason": "refused: no" if answer is None else "",
                                "strength": f"{strength:g}",
                                "difference": f"{difference:g}",
                                "realised": f"{difference:g}",
                                "replicate": replicate,
                                "first": OPTIONS["first"],
                                "second": OPTIONS["second"],
                                "neutral": "" if forced else OPTIONS["neutral"],
                            }
                        )
    frame = pd.DataFrame(rows)
    frame["answer"] = frame["answer"].astype(object).where(frame["answer"].notna(), None)
    return frame


def generator(seed: int = 0) -> np.random.Generator:
    """Return a source of noise that is the same in every run."""
    return np.random.default_rng(seed)
