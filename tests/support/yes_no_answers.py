"""Graded yes-or-no answers of made-up observers, as the tables read them."""

from collections.abc import Callable

import pandas as pd
from strength_answers import DIFFERENCES, REPLICATES, STRENGTHS

#: What an observer says to a prompt about a figure: "Yes", "No", or None for nothing readable.
Observer = Callable[[str, float, float], str | None]


def says_same(prompt: str) -> str:
    """Say that nothing differs."""
    return "No" if prompt == "different" else "Yes"


def looks(prompt: str, strength: float, difference: float) -> str:
    """Look at the image."""
    return (
        says_same(prompt)
        if difference == 0
        else says_same({"different": "same"}.get(prompt, "different"))
    )


def recites(prompt: str, strength: float, difference: float) -> str:
    """Say that nothing differs, inducer or not: the textbook."""
    return says_same(prompt)


def recites_with_inducer(prompt: str, strength: float, difference: float) -> str:
    """Say that nothing differs where an inducer is, else look."""
    return (
        recites(prompt, strength, difference) if strength else looks(prompt, strength, difference)
    )


def always_yes(prompt: str, strength: float, difference: float) -> str:
    """Say yes."""
    return "Yes"


def answers_of(
    observers: dict[str, Observer],
    illusions: tuple[str, ...] = ("mueller_lyer", "orbison"),
    prompts: tuple[str, ...] = ("same", "different"),
) -> pd.DataFrame:
    """Return one graded answer per observer, prompt and image of the whole grid."""
    rows = []
    for model, observer in observers.items():
        for illusion in illusions:
            strengths = [s for s in STRENGTHS if s >= 0 or illusion != "orbison"]
            for strength in strengths:
                for difference in DIFFERENCES:
                    for replicate in REPLICATES:
                        stimulus = f"{illusion}_{replicate}_s{strength:+g}_d{difference:+g}"
                        for prompt in prompts:
                            answer = observer(prompt, strength, difference)
                            rows.append(
                                {
                                    "item_id": f"{stimulus}/actual/{prompt}",
                                    "stimulus_id": stimulus,
                                    "model": model,
                                    "repeat": 0,
                                    "figure": illusion,
                                    "prompt": prompt,
                                    "question": "actual",
                                    "answer": answer,
                                    "key": looks(prompt, strength, difference),
                                    "correct": answer == looks(prompt, strength, difference),
                                    "outcome": "unparsed" if answer is None else "exact",
                                    "reason": "refused: no" if answer is None else "",
                                    "strength": f"{strength:g}",
                                    "difference": f"{difference:g}",
                                    "realised": f"{difference:g}",
                                    "replicate": replicate,
                                    "asks": "different" if prompt == "different" else "same",
                                }
                            )
    return pd.DataFrame(rows)
