"""One model in two runs, and the answers whose verdict changed; see :mod:`afterimage.showing.pairs`."""

from collections.abc import Collection
from dataclasses import MISSING, fields

import pandas as pd

from afterimage.contract.finding import PAIRS, load_suite, pairs_table
from afterimage.contract.parts import resolve
from afterimage.showing.pairs import ComparedPairs


def pairs_of(suite: str) -> ComparedPairs:
    """Return the table that compares a suite's models pair by pair, and what it has to know of the suite."""
    own, name = load_suite(suite), pairs_table(suite)
    part = next(table.part for table in own.tables if table.name == name)
    if part == PAIRS:
        return resolve(part), {"title": own.title}
    # Two folders tell of no settings; with those of the suite itself every verdict is the final one.
    if any(one.default is one.default_factory is MISSING for one in fields(own.settings)):
        return resolve(part), {}
    return resolve(part), dict(own.table_settings(name, own.settings()))


def flips(first: pd.DataFrame, second: pd.DataFrame, changed: Collection[str]) -> pd.DataFrame:
    """Return the answers that are right in one run alone, those that became wrong first.

    Returns:
        ``item_id``, ``repeat``, ``answer_before``, ``answer_after``, ``correct_after``.
    """
    same = ["item_id", "repeat"]
    columns = [*same, "answer", "correct", "score"]
    both = first[columns].merge(second[columns], on=same, suffixes=("_before", "_after"))
    both = both[both["score_before"].isna() & both["score_after"].isna()]
    both = both[~both["item_id"].isin(set(changed))]
    flipped = both[both["correct_before"] != both["correct_after"]]
    flipped = flipped.sort_values(["correct_after", *same], kind="stable")
    return flipped[[*same, "answer_before", "answer_after", "correct_after"]]
