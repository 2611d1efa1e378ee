"""How robust answers are: to other orders of the options, to asking again, and to the batch they were computed in.

The rows of who does not look at the image are exact, worked out of the items alone."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

import numpy as np
import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.accuracy import OUTCOME_COUNTS, unparsed_share
from afterimage.showing.tables.baselines import (
    CONSTANT,
    GUESSING,
    POSITION,
    guess,
    option_at,
    places,
    same_answer,
    same_place,
    without_bounds,
)
from afterimage.showing.tables.bounds import interval_note, share_bounds
from afterimage.showing.tables.columns import Number, Printed, Row, Share, Text, whole
from afterimage.showing.tables.compute import as_frame, frame_of
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import (
    OUTCOMES,
    Bounds,
    Count,
    Distinct,
    Given,
    Group,
    Percent,
    Value,
    Worked,
    answers,
)
from afterimage.statistics.agreement import likeness, spread

#: What differs between the answers to one question.
ORDERS, REPEATS = "option_orders", "repeats"
_WORDS = {ORDERS: "other orders of options", REPEATS: "asked again"}

_WHOLE = ("items", "answers", "complete_items")
_NAMES = (
    *("items", "answers_per_item", "answers", *OUTCOME_COUNTS),
    *("unanimous_k", "unanimous", "unanimous_low", "unanimous_high", "pairs_alike", "alpha"),
    *("right_k", "accuracy", "accuracy_low", "accuracy_high"),
    *("complete_items", "accuracy_least", "accuracy_greatest", "accuracy_sd"),
    *("place_n", "first_place_k", "last_place_k", "place_expected"),
)
_CSV: tuple[str | Value, ...] = (
    *("suite", "model", "kind"),
    *(
        Given(name, "whole" if name in _WHOLE or name.endswith(("_k", "_n")) else "number")
        for name in _NAMES
    ),
)


def _compared(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Compare the answers to each question.

    Args:
        answers: Of one suite, model and kind, one row per answer to a question that was asked more than once:
            ``stimulus_id``, ``question_id``, ``way`` (which order or repeat), ``correct``; ``said``, what was answered,
            alike for the same option wherever it stood, None where it could not be read (``unparsed``,
            of these ``cut_off`` and ``refused``); and for orders ``place`` of
            the chosen option, from 0, out of ``places``.
        settings: "confidence".
    """
    given: dict[Hashable, list[str | None]] = {}
    right: dict[Hashable, dict[Hashable, bool]] = {}
    for row in answers.itertuples():
        given.setdefault(row.question_id, []).append(row.said)
        right.setdefault(row.question_id, {})[row.way] = bool(row.correct)
    alike, between = likeness(given), spread(right)
    images = dict(zip(answers["question_id"], answers["stimulus_id"], strict=True))
    several = {question: said for question, said in given.items() if len(said) > 1}
    same = [None not in said and len(set(said)) == 1 for said in several.values()]
    low, high = share_bounds(same, [images[question] for question in several], settings)
    accuracy_low, accuracy_high = share_bounds(answers["correct"], answers["stimulus_id"], settings)
    row = {
        "items": alike.items,
        "answers_per_item": alike.answers / alike.items,
        "answers": alike.answers,
        **{f"{name}_k": int(answers[name].sum()) for name in OUTCOMES},
        "unanimous_k": alike.unanimous,
        "unanimous": 100 * alike.unanimous / alike.items,
        "unanimous_low": low,
        "unanimous_high": high,
        "pairs_alike": 100 * alike.pairs_alike,
        "alpha": alike.alpha,
        "right_k": int(answers["correct"].sum()),
        "accuracy": 100 * float(answers["correct"].mean()),
        "accuracy_low": accuracy_low,
        "accuracy_high": accuracy_high,
        "complete_items": between.items,
        "accuracy_least": 100 * between.lowest,
        "accuracy_greatest": 100 * between.highest,
        "accuracy_sd": 100 * between.deviation,
        **_places(answers),
    }
    yield row, answers


def _places(answers: pd.DataFrame) -> dict[str, object]:
    """Count how often the first and the last place were chosen, and how often each would be at random."""
    chosen = answers.dropna(subset=["place"])
    return {
        "place_n": len(chosen),
        "first_place_k": int((chosen["place"] == 0).sum()),
        "last_place_k": int((chosen["place"] == chosen["places"] - 1).sum()),
        "place_expected": 100 * float((1 / chosen["places"]).mean()),
    }


def _model(row: Row) -> str:
    """Print who answers; of who does not look, the option or the place apart, which are translated by themselves."""
    name = str(row["model"])
    for who in (CONSTANT, POSITION):
        if name.startswith(f"{who} ("):
            answer = name.removeprefix(f"{who} (").removesuffix(")")
            return Note("{model} ({answer})", model=who, answer=answer)
    return name


ROBUSTNESS = Table(
    "robustness",
    "Robustness: the same questions in other orders of their options, and again",
    rows=(By(("suite", "model", "kind")), _compared),
    csv=_CSV,
    columns=(
        Printed("Model", _model, numeric=False),
        Text("Asked", "kind", _WORDS),
        whole("Items", "items"),
        Number("Answers\nper item", "answers_per_item"),
        without_bounds(
            Share(
                *("Same answer\nthroughout", "unanimous_k", "items"),
                *("unanimous_low", "unanimous_high"),
            ),
            "unanimous",
        ),
        Number("Pairs\nalike", "pairs_alike"),
        Number("Alpha", "alpha", decimals=2),
        without_bounds(
            Share("Right", "right_k", "answers", "accuracy_low", "accuracy_high"), "accuracy"
        ),
        Number("Least", "accuracy_least"),
        Number("Greatest", "accuracy_greatest"),
        Number("SD", "accuracy_sd", decimals=2),
        Share("First place", "first_place_k", "place_n", value="place_expected"),
        Share("Last place", "last_place_k", "place_n", value="place_expected"),
        Number("At random", "place_expected"),
        *unparsed_share(n="answers"),
    ),
    group_by="suite",
    empty=("no question has several answers, of other orders of its options or of repeats",),
    notes=(
        "Same answer throughout: percent (k/n) of items. An unread answer is like no other.",
        interval_note("images, each with all questions about it and all of their answers"),
        "Pairs alike: percent of pairs of answers to one item that are the same, mean over items. Alpha: "
        "Krippendorff's, nominal, of the answers that were read; an option counts as the same wherever it stands.",
        "Right: all answers together.",
        "Least, greatest, SD: of the accuracies of the single orders or repeats, in percent, over the items that "
        "were asked in all of them (complete_items in the CSV).",
        "First and last place: where the chosen option stood, of the answers that were read; at random: what each "
        "would be if places did not matter.",
        "Uniform guessing: what is to be expected of who guesses each time anew. Best constant answer, best position: "
        "the option and the place, in parentheses, that are right most often. Worked out of the items, without "
        "intervals.",
    ),
)


# ---- who does not look ----


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
            yield as_frame([row], ROBUSTNESS.csv)
    for given in told:
        frame = frame_of(ROBUSTNESS, given, settings)
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


# ---- a sample, asked again one at a time ----


def _batch_size(group: Group) -> tuple[int]:
    return (group.settings["batch_sizes"][group.row["model"]],)


def _differs(compared: pd.DataFrame) -> pd.Series:
    return compared["same"] == "False"


BATCH_AGREEMENT = Table(
    "batch_agreement",
    "Greedy answers that differ between batches and one request at a time",
    rows=(By(("model", "suite")),),
    csv=(
        *("model", "suite", Worked(("batch_size",), _batch_size, kind="whole")),
        *(answers(), Count("differ_k", _differs), Percent("differ", "differ_k")),
        Bounds("differ_low", "differ_high", _differs),
        Distinct("images", "stimulus_id"),
    ),
    columns=(
        Text("Model", "model"),
        Text("Suite", "suite"),
        whole("Batch size", "batch_size"),
        Share("Differ", "differ_k", "n", "differ_low", "differ_high"),
    ),
    notes=(
        "A sample of each suite's items, evenly spread; an answer differs if its text is not the same to the letter.",
        interval_note("images", "Below"),
    ),
)
