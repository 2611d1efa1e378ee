"""Which numerals are chosen: whether a model leans to a place, and says the same in another order of the options.

An extra analysis; the paper shuffles options once. With ``shuffle_rounds`` above 1 every question was asked in several
orders, all of which count here.

Four rows per model and of who does not look: ``group``, ``model``, ``numeral``, ``n`` (answers to multiple-choice
questions, in all orders of options), ``chosen_k`` and ``chosen`` (percent of n), ``key_n`` (questions with this key),
``right_k`` and ``accuracy`` (percent of these, with bounds ``low`` and ``high``), ``orders_n`` (of options, per
question), ``questions_n`` and ``same_k`` (questions, and those of which every order got the same option; empty with one
order), ``answer`` (the numeral of the best position).
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from afterimage.showing.baselines import without_bounds
from afterimage.showing.columns import Row, Share, Text
from afterimage.showing.composed import PerKind, measured
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.missing import is_missing
from afterimage.showing.references import (
    GUESSING,
    MEASURED,
    POSITION,
    REFERENCE,
    guess,
    most_frequent,
)
from afterimage.showing.values import Bounds, Count, Given, Group, Percent, Worked, answers
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, NUMERALS
from afterimage.suites.illusionbench.tables.columns import UNSEEING, by_model
from afterimage.suites.illusionbench.tables.notes import about


def _asked(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades[grades["question"] == MULTIPLE_CHOICE]


def _answerers(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Part the answers by model; below stand a guess and the numeral that is the key most often."""
    yield from by_model(_asked)(grades, settings)
    items = _asked(grades, settings).drop_duplicates("item_id")
    if guess(items) is not None:
        unseeing = {"kind": REFERENCE, "group": UNSEEING}
        yield {**unseeing, "model": GUESSING}, items
        best, _ = most_frequent(items["key"])
        yield {**unseeing, "model": POSITION, "answer": best}, items.assign(answer=best)


def _guessed(among: str | None, group: Group) -> tuple[float]:
    """Return how often a guess is expected to choose a row's numeral, in percent, of all questions or of some."""
    own = group.answers if among is None else group.answers[group.answers[among]]
    chances = [
        list(offered).count(group.row["numeral"]) / len(offered) for offered in own["offered"]
    ]
    return (100 * sum(chances) / len(chances) if chances else float("nan"),)


def _share(name: str, k: str, n: str = "n", among: str | None = None) -> PerKind:
    expected = Worked((name,), partial(_guessed, among))
    shares = dict.fromkeys((MEASURED, POSITION), Percent(name, k, n))
    return PerKind({**shares, GUESSING: expected})


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


def _same(row: Row) -> int:
    return 0 if is_missing(row["same_k"]) else int(row["same_k"])


def _asked_often(row: Row) -> int:
    return 0 if is_missing(row["same_k"]) else int(row["questions_n"])


TABLE = Table(
    "illusionbench_numerals",
    "IllusionBench+: which numerals are chosen in multiple-choice questions",
    rows=(_answerers, _numerals),
    csv=(
        *("group", "model", "numeral"),
        *(answers(), *measured(Count("chosen_k", "chosen"), also=(POSITION,))),
        *(_share("chosen", "chosen_k"), Count("key_n", "keyed")),
        *measured(Count("right_k", "right"), also=(POSITION,)),
        _share("accuracy", "right_k", "key_n", "keyed"),
        *measured(Bounds("low", "high", "right", among=lambda own: own["keyed"])),
        *("orders_n", "questions_n", *measured(Given("same_k")), "answer"),
    ),
    columns=(
        Text("VLMs", "model"),
        Text("Numeral", "numeral"),
        Share("Chosen", "chosen_k", "n", value="chosen"),
        without_bounds(Share("Right", "right_k", "key_n", "low", "high"), "accuracy"),
        Share("Same option", _same, _asked_often),
    ),
    notes=(
        "Chosen: percent of all answers, as read by the parser; unread answers chose none. Right: percent of the "
        "questions whose right option stood under this numeral.",
        interval_note("images"),
        "Without looking: a guess among the options, and the one numeral that is right most often.",
        "Same option: questions to which the same option was the answer in every order of the options, out of all; "
        "asked in one order only, there are none (config: shuffle_rounds).",
        about(MULTIPLE_CHOICE, bounded=False),
    ),
    group_by="group",
)
