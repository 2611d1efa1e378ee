"""How robust answers are, from the grades and items of the suites that ask a question more than once."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.items.option_order import PROBE, is_probe, probed_id
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.compute import frame_of
from afterimage.showing.study.robustness import ORDERS, REPEATS
from afterimage.showing.study.robustness import TABLE as ROBUSTNESS
from afterimage.showing.study.unseeing_robustness import unseeing, unseeing_rows
from afterimage.showing.table_files import write_table
from afterimage.showing.values import OUTCOMES, with_outcomes

_ORDER = "order"
_FIRST = "order0"
_ASKED = ("suite", "model", "kind", "stimulus_id", "question_id", "way", "correct", *OUTCOMES)
#: What is kept of a question, once for all models; the first four name one asking of it.
_ITEM = (
    *("suite", "kind", "question_id", "way"),
    *("item_id", "stimulus_id", "offered", "is_listed", "key"),
)


class _Offered(NamedTuple):
    """What an item offers: each option's place in the item, and in the item that it was made from."""

    places: Mapping[str, int]
    own_places: Mapping[str, int]


def make_robustness(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Compare the answers to each question per suite and model, and write that as each of ``outputs``.

    Args:
        spec: ``confidence``, ``resamples`` and ``seed`` of the intervals.
        inputs: ``grades``, files of all models for the suites that ask a question more than once; ``shards``, the item
            files of these suites.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No question is asked more than once.
    """
    if not inputs["grades"]:
        raise AfterimageError(
            "table robustness: no question of this study is asked more than once; expected option_orders among the "
            "probes of a suite (suites.<suite>.probes), or a model with settings.repeats above 1."
        )
    offered = _offered(inputs["shards"])
    unfinished = unfinished_grades(inputs["grades"])
    parts: list[pd.DataFrame] = []
    items: list[pd.DataFrame] = []
    # One at a time: a study's grades may be millions.
    for path in inputs["grades"]:
        asked = _asked_often(without(read_grades([path], with_probes=True), unfinished))
        parts.append(frame_of(ROBUSTNESS, _told(asked, offered), spec))
        items = [pd.concat([*items, asked[list(_ITEM)]]).drop_duplicates(list(_ITEM[:4]))]
    told = (_told(answers, offered) for answers in unseeing(items[0]))
    frame = pd.concat([*parts, *unseeing_rows(items[0], told, spec)], ignore_index=True)
    suites = list(dict.fromkeys(frame["suite"]))
    frame = frame.sort_values("suite", key=lambda names: names.map(suites.index), kind="stable")
    write_table(ROBUSTNESS, frame.reset_index(drop=True), outputs, spec, None, unfinished)


def _offered(shards: Iterable[str | os.PathLike[str]]) -> dict[str, _Offered]:
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


def _asked_often(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's answers to questions that were asked in other orders, and again."""
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    grades = with_outcomes(grades)
    both = [_orders(grades).assign(kind=ORDERS), _repeats(grades).assign(kind=REPEATS)]
    return pd.concat(both, ignore_index=True)


def _told(asked: pd.DataFrame, offered: Mapping[str, _Offered]) -> pd.DataFrame:
    """Return what each answer said, whatever stood where, and where the option that it chose stood."""
    chosen = [_place(row, offered) for row in asked.itertuples()]
    return asked[list(_ASKED)].assign(
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


def _identity(row: Any, offered: Mapping[str, _Offered]) -> str | None:
    """Return what was answered, whatever stood where: an option by its place in the question as it was asked first."""
    if row.answer is None or pd.isna(row.answer):
        return None
    places = offered[row.item_id].own_places if row.item_id in offered else {}
    return str(places.get(row.answer, row.answer))


def _place(row: Any, offered: Mapping[str, _Offered]) -> tuple[int | None, int | None]:
    """Return the place of the option that was chosen, and how many places there were."""
    # Asked again in the same words, what stands first stands first each time: nothing to learn.
    if row.kind == REPEATS or row.answer is None or pd.isna(row.answer):
        return None, None
    places = offered[row.item_id].places
    return places.get(row.answer), len(places)
