"""How robust answers are: to other orders of the options, to asking again, and to the batch they were computed in.

Baseline rows are exact, computed from the items alone."""

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


def _comparison(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Compare the answers to each question.

    Args:
        answers: Of one suite, model and kind, one row per answer to a question that was asked more than once:
            ``stimulus_id``, ``question_id``, ``way`` (which order or repeat), ``correct``; ``choice``, the answer, the
            same for an option at any position, None if it could not be read (``unparsed``, among these ``cut_off``
            and ``refused``); and for orders ``position`` of the chosen option, from 0, and the number of ``positions``.
        settings: "confidence".
    """
    answers_by_question: dict[Hashable, list[str | None]] = {}
    right: dict[Hashable, dict[Hashable, bool]] = {}
    for row in answers.itertuples():
        answers_by_question.setdefault(row.question_id, []).append(row.choice)
        right.setdefault(row.question_id, {})[row.way] = bool(row.correct)
    alike, between = likeness(answers_by_question), spread(right)
    images = dict(zip(answers["question_id"], answers["stimulus_id"], strict=True))
    several = {
        question: choices for question, choices in answers_by_question.items() if len(choices) > 1
    }
    same = [None not in choices and len(set(choices)) == 1 for choices in several.values()]
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
        **_position_counts(answers),
    }
    yield row, answers


def _position_counts(answers: pd.DataFrame) -> dict[str, object]:
    """Count how often the first and the last position were chosen, and the expected share of either at random."""
    chosen = answers.dropna(subset=["position"])
    return {
        "place_n": len(chosen),
        "first_place_k": int((chosen["position"] == 0).sum()),
        "last_place_k": int((chosen["position"] == chosen["positions"] - 1).sum()),
        "place_expected": 100 * float((1 / chosen["positions"]).mean()),
    }


def _model_text(row: Row) -> str:
    """Print the model or baseline; a baseline's option or position is a slot, so that both are translated."""
    name = str(row["model"])
    for who in (CONSTANT, POSITION):
        if name.startswith(f"{who} ("):
            answer = name.removeprefix(f"{who} (").removesuffix(")")
            return Note("{model} ({answer})", model=who, answer=answer)
    return name


ROBUSTNESS = Table(
    "robustness",
    "Robustness: the same questions in other orders of their options, and again",
    rows=(By(("suite", "model", "kind")), _comparison),
    csv=_CSV,
    columns=(
        Printed("Model", _model_text, numeric=False),
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
        "Pairs alike: percent of pairs of answers to one item that are the same, mean over items. "
        "Alpha: Krippendorff's, nominal, of the answers that were read; an option counts as the same "
        "at any position.",
        "Right: all answers together.",
        "Least, greatest, SD: of the accuracies of the single orders or repeats, in percent, over the items that "
        "were asked in all of them (complete_items in the CSV).",
        "First and last place: share of the answers read that chose the option there; at random: the "
        "share if positions did not matter.",
        "Uniform guessing: what is to be expected of who guesses each time anew. Best constant answer, best position: "
        "the option and the place, in parentheses, that are right most often. Worked out of the items, without "
        "intervals.",
    ),
)


# ---- baselines ----


def baseline_answers(items: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the answers of the best constant answer and of the best position, for each suite and kind.

    Args:
        items: One row per order or repeat of a question, :data:`ITEM_COLUMNS`.
    """
    for _, group in items.groupby(["suite", "kind"], sort=False):
        constant = same_answer(group)
        if constant is not None:
            answer = constant[0]["answer"]
            yield _as_answers(constant[1], f"{CONSTANT} ({answer})", [answer] * len(group))
        position = one_position(group)
        if position is not None:
            name = position[0]["answer"]
            index = option_positions(group["offered"])[name]
            chosen = [option_at(index, options) for options in group["offered"]]
            yield _as_answers(position[1], f"{POSITION} ({name})", chosen)


def baseline_rows(
    items: pd.DataFrame, baselines: Iterable[pd.DataFrame], settings: Settings
) -> Iterator[pd.DataFrame]:
    """Yield the table's baseline rows; they have no intervals, and no unread answers.

    Args:
        items: As for :func:`baseline_answers`.
        baselines: Its answers, with the columns of :func:`chosen_options`.
        settings: "confidence".
    """
    for (suite, kind), group in items.groupby(["suite", "kind"], sort=False):
        if guess(group) is not None:
            row = {"suite": suite, "model": GUESSING, "kind": kind, **_guess_row(group, kind)}
            yield as_frame([row], ROBUSTNESS.csv)
    for given in baselines:
        frame = frame_of(ROBUSTNESS, given, settings)
        bounds = [name for name in frame if name.endswith(("_low", "_high"))]
        unread = [f"{name}_k" for name in OUTCOMES]
        yield frame.assign(**dict.fromkeys(bounds, np.nan)).assign(
            **{name: pd.array([pd.NA] * len(frame), "Int64") for name in unread}
        )


def _as_answers(items: pd.DataFrame, name: str, answers: list[str | None]) -> pd.DataFrame:
    return items.assign(model=name, answer=answers, **dict.fromkeys(OUTCOMES, False)).reset_index(
        drop=True
    )


def _guess_row(items: pd.DataFrame, kind: str) -> dict[str, float]:
    """Return the expected values of independent guesses."""
    answered = guess(items)
    assert answered is not None
    times = items.groupby("question_id", sort=False).size()
    offered = items.drop_duplicates("question_id").set_index("question_id")["offered"][times.index]
    alike = [_all_alike(options, n) for options, n in zip(offered, times, strict=True)]
    pairs = [_all_alike(options, 2) for options in offered]
    chances = [1 / len(options) for options in items["offered"]]
    return {
        "items": len(times),
        "answers_per_item": len(items) / len(times),
        "answers": len(items),
        "unanimous": 100 * float(np.mean(alike)),
        "pairs_alike": 100 * float(np.mean(pairs)),
        "accuracy": 100 * float(sum(answered[1]["correct"]) / len(items)),
        "complete_items": int((times == items["way"].nunique()).sum()),
        "place_expected": 100 * float(np.mean(chances)) if kind == ORDERS else float("nan"),
    }


def _all_alike(options: Iterable[str], times: int) -> float:
    """Return the probability that ``times`` guesses among options are all the same."""
    counted = Counter(options)
    return sum((count / counted.total()) ** times for count in counted.values())


# ---- a sample, asked again one request at a time ----


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


_ANSWER_COLUMNS = (
    "suite",
    "model",
    "kind",
    "stimulus_id",
    "question_id",
    "way",
    "correct",
    *OUTCOMES,
)


#: Columns of a question, kept once for all models; the first four identify one order or repeat of it.
ITEM_COLUMNS = (
    *("suite", "kind", "question_id", "way"),
    *("item_id", "stimulus_id", "offered", "is_listed", "key"),
)


class Offered(NamedTuple):
    """An item's options: the position of each in the item, and in the item from which it was made."""

    positions: Mapping[str, int]
    original_positions: Mapping[str, int]


def offered_by(shards: Iterable[str | os.PathLike[str]]) -> dict[str, Offered]:
    """Return the options of each item that has some."""
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
        original = {
            text: position for position, (_, text) in enumerate(texts[probed.get(name, name)])
        }
        found[name] = Offered(
            {option: position for position, (option, _) in enumerate(options)},
            {option: original[text] for option, text in options},
        )
    return found


def repeated_answers(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's answers to questions that were asked in other orders, and again."""
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    grades = with_outcomes(grades)
    both = [_orders(grades).assign(kind=ORDERS), _repeats(grades).assign(kind=REPEATS)]
    return pd.concat(both, ignore_index=True)


def chosen_options(answers: pd.DataFrame, offered: Mapping[str, Offered]) -> pd.DataFrame:
    """Return answers with the option that each chose, in any order of options, and that option's position."""
    chosen = [_chosen_position(row, offered) for row in answers.itertuples()]
    return answers[list(_ANSWER_COLUMNS)].assign(
        choice=pd.Series(
            [_chosen_answer(row, offered) for row in answers.itertuples()], dtype=object
        ),
        position=pd.Series([position for position, _ in chosen], dtype=float),
        positions=pd.Series([count for _, count in chosen], dtype=float),
    )


def _orders(part: pd.DataFrame) -> pd.DataFrame:
    """Return the first answers to questions that were asked in other orders, with ``question_id`` and ``way``."""
    first = part[part["repeat"] == 0]
    unchanged, reordered = first[first[PROBE].isna()], first[_is_order(first[PROBE])]
    probed = [
        probed_id(item, probe)
        for item, probe in zip(reordered["item_id"], reordered[PROBE], strict=True)
    ]
    unchanged = unchanged[unchanged["item_id"].isin(probed)]
    return pd.concat(
        [
            unchanged.assign(question_id=unchanged["item_id"], way=_FIRST),
            reordered.assign(question_id=probed, way=reordered[PROBE]),
        ]
    )


def _is_order(probes: pd.Series) -> pd.Series:
    return probes.astype("string").str.startswith(_ORDER).fillna(False).astype(bool)


def _repeats(part: pd.DataFrame) -> pd.DataFrame:
    """Return all answers to questions that were asked several times in the same words."""
    unchanged = part[part[PROBE].isna()]
    several = unchanged.groupby("item_id")["repeat"].transform("count") > 1
    unchanged = unchanged[several]
    return unchanged.assign(question_id=unchanged["item_id"], way=unchanged["repeat"])


def _chosen_answer(row: Any, offered: Mapping[str, Offered]) -> str | None:
    """Return the answer; an option as its position in the original question."""
    if row.answer is None or pd.isna(row.answer):
        return None
    positions = offered[row.item_id].original_positions if row.item_id in offered else {}
    return str(positions.get(row.answer, row.answer))


def _chosen_position(row: Any, offered: Mapping[str, Offered]) -> tuple[int | None, int | None]:
    """Return the position of the chosen option, and the number of positions."""
    # Repeats have the same order each time, which says nothing about a preference for a position.
    if row.kind == REPEATS or row.answer is None or pd.isna(row.answer):
        return None, None
    positions = offered[row.item_id].positions
    return positions.get(row.answer), len(positions)
