"""How robust answers are: to other orders of the options, to asking again, and to the batch they were computed in.

The rows of who does not look at the image are exact, worked out of the items alone."""

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from afterimage.contract.probes import PROBE, is_probe, probed_id
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.note import Note
from afterimage.showing.tables.accuracy import OUTCOME_COUNTS, unparsed_share
from afterimage.showing.tables.baselines import (
    CONSTANT,
    GUESSING,
    POSITION,
    guess,
    one_position,
    option_at,
    option_positions,
    same_answer,
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
    with_outcomes,
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
        position = one_position(own)
        if position is not None:
            name = position[0]["answer"]
            place = option_positions(own["offered"])[name]
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


_ORDER = "order"


_FIRST = "order0"


_OF_ANSWER = ("suite", "model", "kind", "stimulus_id", "question_id", "way", "correct", *OUTCOMES)


#: What is kept of a question, once for all models; the first four name one asking of it.
OF_ITEM = (
    *("suite", "kind", "question_id", "way"),
    *("item_id", "stimulus_id", "offered", "is_listed", "key"),
)


class Offered(NamedTuple):
    """What an item offers: each option's place in the item, and in the item that it was made from."""

    places: Mapping[str, int]
    own_places: Mapping[str, int]


def offered_by(shards: Iterable[str | os.PathLike[str]]) -> dict[str, Offered]:
    """Return what each item with options offers."""
    columns = ("item_id", "options", "factors")
    texts: dict[str, list[tuple[str, str]]] = {}
    probed: dict[str, str] = {}
    for shard in shards:
        for row in read_records(shard, ITEM, columns, batch_size=1024):
            name = row["item_id"]
            texts[name] = [(option["option_id"], option["text"]) for option in row["options"]]
            if is_probe(row):
                probed[name] = probed_id(name, row["factors"][PROBE])
    found = {}
    for name, options in texts.items():
        own = {text: place for place, (_, text) in enumerate(texts[probed.get(name, name)])}
        found[name] = Offered(
            {option: place for place, (option, _) in enumerate(options)},
            {option: own[text] for option, text in options},
        )
    return found


def asked_often(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's answers to questions that were asked in other orders, and again."""
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    grades = with_outcomes(grades)
    both = [_orders(grades).assign(kind=ORDERS), _repeats(grades).assign(kind=REPEATS)]
    return pd.concat(both, ignore_index=True)


def what_was_said(asked: pd.DataFrame, offered: Mapping[str, Offered]) -> pd.DataFrame:
    """Return what each answer said, whatever stood where, and where the option that it chose stood."""
    chosen = [_place(row, offered) for row in asked.itertuples()]
    return asked[list(_OF_ANSWER)].assign(
        said=pd.Series([_identity(row, offered) for row in asked.itertuples()], dtype=object),
        place=pd.Series([place for place, _ in chosen], dtype=float),
        places=pd.Series([places for _, places in chosen], dtype=float),
    )


def _orders(part: pd.DataFrame) -> pd.DataFrame:
    """Return the first answers to questions that were asked in other orders, with ``question_id`` and ``way``."""
    first = part[part["repeat"] == 0]
    own, ordered = first[first[PROBE].isna()], first[_is_order(first[PROBE])]
    probed = [
        probed_id(item, probe)
        for item, probe in zip(ordered["item_id"], ordered[PROBE], strict=True)
    ]
    own = own[own["item_id"].isin(probed)]
    return pd.concat(
        [
            own.assign(question_id=own["item_id"], way=_FIRST),
            ordered.assign(question_id=probed, way=ordered[PROBE]),
        ]
    )


def _is_order(probes: pd.Series) -> pd.Series:
    return probes.astype("string").str.startswith(_ORDER).fillna(False).astype(bool)


def _repeats(part: pd.DataFrame) -> pd.DataFrame:
    """Return all answers to questions that were asked several times in the same words."""
    own = part[part[PROBE].isna()]
    several = own.groupby("item_id")["repeat"].transform("count") > 1
    own = own[several]
    return own.assign(question_id=own["item_id"], way=own["repeat"])


def _identity(row: Any, offered: Mapping[str, Offered]) -> str | None:
    """Return what was answered, whatever stood where: an option by its place in the question as it was asked first."""
    if row.answer is None or pd.isna(row.answer):
        return None
    places = offered[row.item_id].own_places if row.item_id in offered else {}
    return str(places.get(row.answer, row.answer))


def _place(row: Any, offered: Mapping[str, Offered]) -> tuple[int | None, int | None]:
    """Return the place of the option that was chosen, and how many places there were."""
    # Asked again in the same words, what stands first stands first each time: nothing to learn.
    if row.kind == REPEATS or row.answer is None or pd.isna(row.answer):
        return None, None
    places = offered[row.item_id].places
    return places.get(row.answer), len(places)
