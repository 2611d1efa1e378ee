"""How robust answers are: the same questions with their options in other orders, and the same questions again."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records
from afterimage.items.rows import PROBE, is_probe, probed_id
from afterimage.jobs.tables import read_grades
from afterimage.showing.columns import Number, Share, Text, whole
from afterimage.showing.declaration import Table
from afterimage.showing.table_files import write_table
from afterimage.showing.values import share_bounds, statistic_bounds
from afterimage.statistics.robustness import likeness, spread

#: What differs between the answers to one question.
ORDERS, REPEATS = "option_orders", "repeats"
_WORDS = {ORDERS: "other orders of options", REPEATS: "asked again"}
_ORDER = "order"
_FIRST = "order0"

COLUMNS = (
    *("suite", "model", "kind", "items", "answers_per_item", "answers", "unparsed_k"),
    *("unanimous_k", "unanimous", "unanimous_low", "unanimous_high", "pairs_alike", "alpha"),
    *("right_k", "accuracy", "accuracy_low", "accuracy_high"),
    *("complete_items", "accuracy_least", "accuracy_greatest", "accuracy_sd"),
    *("place_n", "first_place_k", "last_place_k", "place_expected"),
)
_WHOLE = [name for name in COLUMNS if name.endswith(("_k", "_n", "items")) or name == "answers"]


class _Offered(NamedTuple):
    """What an item offers: each option's place in the item, and in the item that it was made from."""

    places: Mapping[str, int]
    own_places: Mapping[str, int]


def make_robustness(
    spec: Mapping,
    grades: Sequence[str | os.PathLike],
    shards: Sequence[str | os.PathLike],
    outputs: Mapping[str, str | os.PathLike],
) -> None:
    """Compare the answers to each question per suite and model, and write that as each of ``outputs``.

    Args:
        spec: ``confidence``, ``resamples`` and ``seed`` of the intervals.
        grades: Grade files of all models for the suites that ask a question more than once.
        shards: The item files of these suites.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: No question is asked more than once.
    """
    if not grades:
        raise AfterimageError(
            "table robustness: no question of this study is asked more than once; expected option_orders among the "
            "probes of a suite (suites.<suite>.probes), or a model with settings.repeats above 1."
        )
    offered = _offered(shards)
    rows = [
        row
        # One at a time: a study's grades may be millions.
        for path in grades
        for row in _rows(read_grades([path], with_probes=True), offered, spec)
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(_WHOLE, "Int64"))
    write_table(TABLE, frame, outputs, spec)


def _offered(shards: Iterable[str | os.PathLike]) -> dict[str, _Offered]:
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
        found[name] = _Offered(
            {option: place for place, (option, _) in enumerate(options)},
            {option: own[text] for option, text in options},
        )
    return found


def _rows(grades: pd.DataFrame, offered: Mapping[str, _Offered], spec: Mapping) -> Iterator[dict]:
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    for (suite, model), part in grades.groupby(["suite", "model"], sort=False):
        for kind, answers in ((ORDERS, _orders(part)), (REPEATS, _repeats(part))):
            if len(answers):
                row = _compared(answers, offered, spec, kind)
                yield {"suite": suite, "model": model, "kind": kind, **row}


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


def _compared(
    answers: pd.DataFrame, offered: Mapping[str, _Offered], spec: Mapping, kind: str
) -> dict:
    given: dict[str, list[str | None]] = {}
    right: dict[str, dict[object, bool]] = {}
    for row in answers.itertuples():
        given.setdefault(row.question_id, []).append(_identity(row, offered))
        right.setdefault(row.question_id, {})[row.way] = bool(row.correct)
    alike, between = likeness(given), spread(right)
    low, high = share_bounds(alike.unanimous, alike.items, spec)
    bounds = _accuracy_bounds(answers, spec)
    return {
        "items": alike.items,
        "answers_per_item": alike.answers / alike.items,
        "answers": alike.answers,
        "unparsed_k": int(answers["answer"].isna().sum()),
        "unanimous_k": alike.unanimous,
        "unanimous": 100 * alike.unanimous / alike.items,
        "unanimous_low": low,
        "unanimous_high": high,
        "pairs_alike": 100 * alike.pairs_alike,
        "alpha": alike.alpha,
        "right_k": int(answers["correct"].sum()),
        "accuracy": 100 * float(answers["correct"].mean()),
        "accuracy_low": 100 * bounds[0],
        "accuracy_high": 100 * bounds[1],
        "complete_items": between.items,
        "accuracy_least": 100 * between.lowest,
        "accuracy_greatest": 100 * between.highest,
        "accuracy_sd": 100 * between.deviation,
        # Asked again in the same words, what stands first stands first each time: nothing to learn.
        **_places(answers if kind == ORDERS else answers[:0], offered),
    }


def _identity(row, offered: Mapping[str, _Offered]) -> str | None:
    """Return what was answered, whatever stood where: an option by its place in the question as it was asked first."""
    if row.answer is None or pd.isna(row.answer):
        return None
    places = offered[row.item_id].own_places if row.item_id in offered else {}
    return str(places.get(row.answer, row.answer))


def _accuracy_bounds(answers: pd.DataFrame, spec: Mapping) -> tuple[float, float]:
    """Return the interval of the accuracy from resampling questions, each with all of its answers."""
    counts = np.column_stack([answers["correct"].astype(float), np.ones(len(answers))])
    intervals = statistic_bounds(
        counts, answers["question_id"].tolist(), lambda sums: sums[:, :1] / sums[:, 1:], spec
    )
    return float(intervals.low[0]), float(intervals.high[0])


def _places(answers: pd.DataFrame, offered: Mapping[str, _Offered]) -> dict:
    """Count how often the first and the last place were chosen, and how often each would be at random."""
    chosen = [
        (offered[item].places[answer], len(offered[item].places))
        for item, answer in zip(answers["item_id"], answers["answer"], strict=True)
        if answer is not None and not pd.isna(answer)
    ]
    return {
        "place_n": len(chosen),
        "first_place_k": sum(place == 0 for place, _ in chosen),
        "last_place_k": sum(place == count - 1 for place, count in chosen),
        "place_expected": 100 * float(np.mean([1 / count for _, count in chosen]))
        if chosen
        else float("nan"),
    }


TABLE = Table(
    "robustness",
    "Robustness: the same questions in other orders of their options, and again",
    rows=(),
    columns=(
        Text("Model", "model"),
        Text("Asked", "kind", _WORDS),
        whole("Items", "items"),
        Number("Answers\nper item", "answers_per_item"),
        Share("Same answer\nthroughout", "unanimous_k", "items", "unanimous_low", "unanimous_high"),
        Number("Pairs\nalike", "pairs_alike"),
        Number("Alpha", "alpha", decimals=2),
        Share("Right", "right_k", "answers", "accuracy_low", "accuracy_high"),
        Number("Least", "accuracy_least"),
        Number("Greatest", "accuracy_greatest"),
        Number("SD", "accuracy_sd", decimals=2),
        Share("First place", "first_place_k", "place_n"),
        Share("Last place", "last_place_k", "place_n"),
        Number("At random", "place_expected"),
        Share("Unparsed", "unparsed_k", "answers"),
    ),
    group_by="suite",
    notes=(
        "Same answer throughout: percent (k/n) of items, Wilson {coverage} interval. An unread answer is like "
        "no other.",
        "Pairs alike: percent of pairs of answers to one item that are the same, mean over items. Alpha: "
        "Krippendorff's, nominal, of the answers that were read; an option counts as the same wherever it stands.",
        "Right: all answers together; {coverage} interval from resampling items, each with all of its answers "
        "({resamples:,} resamples, seed {seed}).",
        "Least, greatest, SD: of the accuracies of the single orders or repeats, in percent, over the items that "
        "were asked in all of them (complete_items in the CSV).",
        "First and last place: where the chosen option stood, of the answers that were read; at random: what each "
        "would be if places did not matter.",
    ),
)
