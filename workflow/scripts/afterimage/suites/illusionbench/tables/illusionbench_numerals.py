"""Which numerals are chosen: whether a model leans to a place, and says the same in another order of the options.

An extra analysis; the paper shuffles options once. With ``shuffle_rounds`` above 1 every question was asked in several
orders, all of which count here.

Four rows per model: ``group``, ``model``, ``numeral``, ``n`` (answers to multiple-choice questions, in all orders of
options), ``chosen_k`` and ``chosen`` (percent of n), ``key_n`` (questions with this key), ``right_k`` and
``accuracy`` (percent of these, with bounds ``low`` and ``high``), ``orders_n`` (of options, per question),
``questions_n`` and ``same_k`` (questions, and those of which every order got the same option; empty with one order).
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Row, Share, Text
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.missing import is_missing
from afterimage.showing.values import Bounds, Count, Percent, answers
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, NUMERALS
from afterimage.suites.illusionbench.tables.grouping import by_model
from afterimage.suites.illusionbench.tables.notes import about


def _asked(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades[grades["question"] == MULTIPLE_CHOICE]


def _numerals(own: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    consistency = _consistency(own)
    for numeral in NUMERALS:
        chosen, keyed = own["answer"] == numeral, own["key"] == numeral
        yield (
            {"numeral": numeral, **consistency},
            own.assign(chosen=chosen, keyed=keyed, right=chosen & keyed),
        )


def _consistency(own: pd.DataFrame) -> dict[str, object]:
    """Return how often a question got the same option in every order of its options."""
    if own.empty:
        return {"orders_n": 0, "questions_n": 0, "same_k": pd.NA}
    orders = int(own["shuffle_round"].nunique())
    question = own["item_id"].str.replace(r"/shuffle_\d+$", "", regex=True)
    options = [
        _option(answer, order)
        for answer, order in zip(own["answer"], own["permutation"], strict=True)
    ]
    said = pd.Series(options, index=own.index).groupby([question, own["repeat"]])
    same = int(((said.nunique(dropna=False) == 1) & said.count().eq(said.size())).sum())
    return {
        "orders_n": orders,
        "questions_n": said.ngroups,
        "same_k": same if orders > 1 else pd.NA,
    }


def _option(answer: object, permutation: str) -> str | None:
    """Return which option, by its place in the annotations, stood under the numeral of an answer."""
    return permutation.split()[NUMERALS.index(answer)] if answer in NUMERALS else None


def _is_keyed(own: pd.DataFrame) -> pd.Series:
    return own["keyed"]


def _same(row: Row) -> int:
    return 0 if is_missing(row["same_k"]) else int(row["same_k"])


def _asked_often(row: Row) -> int:
    return 0 if is_missing(row["same_k"]) else int(row["questions_n"])


TABLE = Table(
    "illusionbench_numerals",
    "IllusionBench+: which numerals are chosen in multiple-choice questions",
    rows=(by_model(_asked), _numerals),
    csv=(
        *("group", "model", "numeral"),
        *(answers(), Count("chosen_k", "chosen"), Percent("chosen", "chosen_k")),
        *(Count("key_n", "keyed"), Count("right_k", "right")),
        *(Percent("accuracy", "right_k", "key_n"), Bounds("low", "high", "right", among=_is_keyed)),
        *("orders_n", "questions_n", "same_k"),
    ),
    columns=(
        Text("VLMs", "model"),
        Text("Numeral", "numeral"),
        Share("Chosen", "chosen_k", "n"),
        Share("Right", "right_k", "key_n", "low", "high"),
        Share("Same option", _same, _asked_often),
    ),
    notes=(
        "Chosen: percent of all answers, as read by the parser; unread answers chose none. Right: percent of the "
        "questions whose right option stood under this numeral.",
        interval_note("images"),
        "Same option: questions to which the same option was the answer in every order of the options, out of all; "
        "asked in one order only, there are none (config: shuffle_rounds).",
        about(MULTIPLE_CHOICE, bounded=False),
    ),
    group_by="group",
)
