"""How robust the answers of those are who do not look at the image: exact, worked out of the items alone."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from afterimage.showing.baselines import (
    CONSTANT,
    GUESSING,
    POSITION,
    guess,
    option_at,
    places,
    same_answer,
    same_place,
)
from afterimage.showing.compute import as_frame, frame_of
from afterimage.showing.declaration import Settings
from afterimage.showing.study.robustness import ORDERS, TABLE
from afterimage.showing.values import OUTCOMES


def unseeing(items: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the answers of the best constant answer and of the best place, of each suite and kind.

    Args:
        items: Each asking once: ``suite``, ``kind``, ``question_id``, ``way``, ``item_id``, ``stimulus_id``,
            ``offered``, ``is_listed``, ``key``.
    """
    for _, own in items.groupby(["suite", "kind"], sort=False):
        constant = same_answer(own)
        if constant is not None:
            said = constant[0]["answer"]
            yield _answered(constant[1], f"{CONSTANT} ({said})", [said] * len(own))
        position = same_place(own)
        if position is not None:
            name = position[0]["answer"]
            place = places(own["offered"])[name]
            chosen = [option_at(place, options) for options in own["offered"]]
            yield _answered(position[1], f"{POSITION} ({name})", chosen)


def unseeing_rows(
    items: pd.DataFrame, told: Iterable[pd.DataFrame], settings: Settings
) -> Iterator[pd.DataFrame]:
    """Yield the table's rows of who does not look; they have no intervals, and no unread answers.

    Args:
        items: As for :func:`unseeing`.
        told: Its answers, with what each said and chose.
        settings: "confidence".
    """
    for (suite, kind), own in items.groupby(["suite", "kind"], sort=False):
        if guess(own) is not None:
            row = {"suite": suite, "model": GUESSING, "kind": kind, **_guessed(own, kind)}
            yield as_frame([row], TABLE.csv)
    for answers in told:
        frame = frame_of(TABLE, answers, settings)
        bounds = [name for name in frame if name.endswith(("_low", "_high"))]
        unread = [f"{name}_k" for name in OUTCOMES]
        yield frame.assign(**dict.fromkeys(bounds, np.nan)).assign(
            **{name: pd.array([pd.NA] * len(frame), "Int64") for name in unread}
        )


def _answered(items: pd.DataFrame, name: str, answers: list[str | None]) -> pd.DataFrame:
    return items.assign(model=name, answer=answers, **dict.fromkeys(OUTCOMES, False)).reset_index(
        drop=True
    )


def _guessed(asked: pd.DataFrame, kind: str) -> dict[str, float]:
    """Return what is to be expected of who guesses each time anew."""
    answered = guess(asked)
    assert answered is not None
    times = asked.groupby("question_id", sort=False).size()
    offered = asked.drop_duplicates("question_id").set_index("question_id")["offered"][times.index]
    alike = [_all_alike(options, n) for options, n in zip(offered, times, strict=True)]
    pairs = [_all_alike(options, 2) for options in offered]
    chances = [1 / len(options) for options in asked["offered"]]
    return {
        "items": len(times),
        "answers_per_item": len(asked) / len(times),
        "answers": len(asked),
        "unanimous": 100 * float(np.mean(alike)),
        "pairs_alike": 100 * float(np.mean(pairs)),
        "accuracy": 100 * float(sum(answered[1]["correct"]) / len(asked)),
        "complete_items": int((times == asked["way"].nunique()).sum()),
        "place_expected": 100 * float(np.mean(chances)) if kind == ORDERS else float("nan"),
    }


def _all_alike(options: Iterable[str], times: int) -> float:
    """Return how probable it is that so many guesses among options are the same."""
    counted = Counter(options)
    return sum((count / counted.total()) ** times for count in counted.values())
