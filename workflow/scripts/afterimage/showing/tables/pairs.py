"""Answers to the same questions side by side: two models, two versions of an image, one model in two runs.

How many pairs are right on either side, how much the sides differ, and whether that is more than chance; the table
``pairs_<suite>`` that every suite has. Importing it imports neither numpy nor pandas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from afterimage.note import Note
from afterimage.showing.tables.bounds import corrected, matched, test_note
from afterimage.showing.tables.columns import Difference, PValue, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table, TableNote
from afterimage.showing.tables.values import (
    Count,
    Distinct,
    Given,
    Group,
    Kind,
    Named,
    Together,
    answers,
)

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.showing.tables.bounds import MatchedDifference


@dataclass(frozen=True)
class Pairs:
    """Splits answers into every two levels of a column, on the questions that both answered.

    The columns ``first`` and ``second`` name the two; ``alone_n`` counts the answers without a partner, which are left
    out. Their rows are pairs, with the columns ``same`` and, as booleans, whether the ``first`` and the ``second`` of
    the pair is right.

    Attributes:
        of: The column whose levels are compared.
        same: The columns in which the two answers of a pair agree.
    """

    of: str
    same: tuple[str, ...]

    def __call__(
        self, answers: pd.DataFrame, settings: Settings
    ) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
        """Yield every two levels, in the order in which they are first seen, and their pairs."""
        right = answers.pivot(index=list(self.same), columns=self.of, values="correct")
        for first, second in combinations(answers[self.of].unique(), 2):
            verdicts = right[[first, second]]
            shared = verdicts.dropna().astype(bool)
            alone = int(verdicts.notna().to_numpy().sum()) - 2 * len(shared)
            shared.columns = ["first", "second"]
            yield {"first": first, "second": second, "alone_n": alone}, shared.reset_index()


def both(pairs: pd.DataFrame) -> Any:
    return pairs["first"] & pairs["second"]


def only_first(pairs: pd.DataFrame) -> Any:
    return pairs["first"] & ~pairs["second"]


def only_second(pairs: pd.DataFrame) -> Any:
    return ~pairs["first"] & pairs["second"]


def neither(pairs: pd.DataFrame) -> Any:
    return ~pairs["first"] & ~pairs["second"]


#: Which side of a pair is right, and the function that selects such pairs.
PAIRS_BY_WHO_IS_RIGHT = {
    "both": both,
    "only_first": only_first,
    "only_second": only_second,
    "neither": neither,
}
#: All pairs, counted by who is right.
PAIR_COUNTS = tuple(Count(name, tells) for name, tells in PAIRS_BY_WHO_IS_RIGHT.items())


# ---- how much the two sides of pairs differ ----


@dataclass(frozen=True)
class Matched:
    """The difference of the two sides of pairs, ``first`` minus ``second``, in percentage points, and its p value.

    Attributes:
        clusters: The column that names the cluster of each pair.
        difference: Name of the column with the difference; the bounds bear the names ``low`` and ``high``.
        p: Name of the column with the p value of the sign-flip test over clusters.
    """

    clusters: str
    difference: str = "difference"
    low: str = "difference_low"
    high: str = "difference_high"
    p: str = "p"
    kind: Kind = "number"

    @property
    def names(self) -> tuple[str, ...]:
        return (self.difference, self.low, self.high, self.p)

    def of(self, group: Group) -> tuple[Any, ...]:
        """Return difference, bounds and p value; undefined without pairs."""
        pairs = group.answers
        found = matched(pairs["first"], pairs["second"], pairs[self.clusters], group.settings)
        points = (100 * value for value in (found.estimate, found.low, found.high))
        return (*points, found.p)


@dataclass(frozen=True)
class Differing(Named):
    """Number of clusters in which the two sides of the pairs differ; with few of them no p value can be small."""

    clusters: str
    name: str = "differing_clusters"
    kind: Kind = "whole"

    def of(self, group: Group) -> tuple[Any, ...]:
        lead = group.answers["first"].astype(int) - group.answers["second"]
        return (int((lead.groupby(group.answers[self.clusters]).sum() != 0).sum()),)


@dataclass(frozen=True)
class Corrected(Named, Together):
    """The p values of all rows of the table, corrected together by Holm's method.

    Attributes:
        p: The column that is corrected.
        family: The columns whose levels split the table's tests into families; empty if all are one family.
    """

    name: str = "p_holm"
    p: str = "p"
    family: tuple[str, ...] = ()
    kind: Kind = "number"

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the corrected p value of every row."""
        found: list[tuple[Any, ...]] = [()] * len(groups)
        families: dict[tuple[Any, ...], list[int]] = {}
        for index, group in enumerate(groups):
            key = tuple(group.row[name] for name in self.family)
            families.setdefault(key, []).append(index)
        for indices in families.values():
            values = corrected([groups[index].row[self.p] for index in indices])
            for index, value in zip(indices, values, strict=True):
                found[index] = (value,)
        return found


# ---- every two models on the same items ----
#
# ``n`` pairs of answers to the same item; in how many both, only the first, only the second or neither is right;
# ``alone_n`` answers without a partner, which are left out. ``difference`` of the accuracies in percentage points,
# first minus second, with bounds; ``clusters``, and those in which the two differ; ``p`` of the sign-flip test over
# clusters, ``p_holm`` the same corrected for all rows of the table.

#: The column with the cluster of each answer.
CLUSTER = "cluster"
#: The reader's columns of every pair.
_COLUMNS = (
    Text("Prompt", "prompt", if_several=True),
    *(Text("First", "first"), Text("Second", "second")),
    *(whole("n", "n"), whole("Clusters", "clusters")),
    Difference("Difference", "only_first", "only_second", "n", "difference_low", "difference_high"),
    *(whole("First\nalone", "only_first"), whole("Second\nalone", "only_second")),
    PValue("p", "p", "differing_clusters"),
    PValue("p, corrected", "p_holm", "differing_clusters"),
)


def _decided(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers that are right or wrong; scored free texts are neither."""
    return grades[grades["score"].isna()]


def fewer_than_two(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say why there is nothing to compare, where one model has answered or none."""
    if grades["model"].nunique() < 2:
        yield "the study has no second model to compare"


_EMPTY = (
    fewer_than_two,
    "no two models have right or wrong answers to the same items",
)


def pairs_table(
    name: str,
    title: str,
    of: Callable[[pd.DataFrame, Settings], pd.DataFrame] = _decided,
    by: tuple[str, ...] = (),
    cluster: str = "stimulus_id",
    clusters: str = "images, each with all questions about it",
    item: str = "item_id",
    family: tuple[str, ...] = (),
    notes: tuple[TableNote, ...] = (),
) -> Table:
    """Declare the table of all pairs of models.

    Args:
        title: What it shows; it may have slots for the table's settings.
        of: Chooses the answers that are compared; returns them with ``correct``. By default all but scored texts.
        by: Columns by which answers are split before prompts.
        cluster: The column with the cluster of each answer.
        clusters: What the clusters are.
        item: The column that names what both models answered.
        family: Columns of ``by`` whose levels are corrected separately; empty if all rows are one family.
        notes: Sentences of this table alone.
    """

    def clustered(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
        chosen = of(grades, settings)
        return chosen.assign(**{CLUSTER: chosen[cluster]})

    together = [Note("all rows of one {family}", family=" and ".join(family))] if family else []
    return Table(
        name,
        title,
        of=clustered,
        rows=(By((*by, "prompt")), Pairs("model", same=(item, "repeat", CLUSTER))),
        csv=(
            *(*by, "prompt", "first", "second"),
            answers(),
            Given("alone_n"),
            *PAIR_COUNTS,
            Distinct("clusters", CLUSTER),
            Differing(CLUSTER),
            Matched(CLUSTER),
            Corrected(family=family),
        ),
        columns=(
            *(Text(_plain(column).capitalize(), column, _plain) for column in by),
            *_COLUMNS,
        ),
        notes=(
            "Difference: share of right answers of the first minus that of the second, in percentage "
            "points, over the items that both answered; below it {coverage}, Tango's interval on the "
            "effective number of pairs.",
            test_note(clusters, *together),
            "Answers without a partner are left out and counted in the CSV. Whoever guesses or reads knowledge is "
            "compared as every model is.",
            *notes,
        ),
        empty=_EMPTY,
        csv_formats={"p": "%.6g", "p_holm": "%.6g"},
    )


def _plain(name: object) -> str:
    return str(name).replace("_", " ")


PAIRS = pairs_table("pairs", "{title}: models compared on the same items")

# ---- one model in two runs ----

#: The table that compares a suite's models pair by pair, and its settings for the suite.
ComparedPairs = tuple[Table, Mapping[str, Any]]

#: Column ``side`` of the first run's answers and of the second's, in one frame.
_SIDES = ("first", "second")
#: The row over all parts of a suite.
ALL_PARTS = "all"


@dataclass(frozen=True)
class RunDifference:
    """One model on one suite, or on a part of it, in two runs.

    Attributes:
        part: Which part of the suite, such as condition and prompt; :data:`ALL_PARTS` for all of it.
        before: Share of right answers in the first run, 0 to 1.
        after: The same in the second.
        found: The second minus the first, with bounds and p value.
        alone: Answers without a partner in the other run, which are left out.
    """

    suite: str
    model: str
    part: str
    before: float
    after: float
    found: MatchedDifference
    alone: int

    @property
    def has_changed(self) -> bool:
        return bool(self.found.only_first or self.found.only_second)

    @property
    def is_worse(self) -> bool:
        """Whether the second run is worse, and the interval says so."""
        return self.found.high < 0

    @property
    def is_better(self) -> bool:
        """Whether the second run is better, and the interval says so."""
        return self.found.low > 0


def differences(
    suite: str,
    model: str,
    pairs: ComparedPairs,
    first: pd.DataFrame,
    second: pd.DataFrame,
    changed: Collection[str],
    confidence: float,
) -> Iterator[RunDifference]:
    """Yield the difference, second minus first, over the whole suite and, where it has several parts, over each.

    Answers are chosen, clustered and tested as in the table of all pairs; the two sides are two runs of one model.

    Args:
        pairs: The table that compares the suite's models pair by pair, and its settings for the suite.
        first: Its grades, factors as columns.
        second: The same of the other run.
        changed: Ids of items whose question differs in the other run.
        confidence: Coverage of the intervals, between 0 and 1.
    """
    import pandas as pd

    table, suite_settings = pairs
    assert not callable(table.rows)
    by, units = table.rows
    assert isinstance(by, By) and isinstance(units, Pairs) and table.of is not None
    settings = {**suite_settings, "confidence": confidence}
    names = [by.factors] if isinstance(by.factors, str) else list(by.factors)
    kept = [
        _unchanged(table.of(grades, settings), grades, changed, units.same).assign(side=side)
        for side, grades in zip(_SIDES, (first, second), strict=True)
    ]
    sides = pd.concat(kept, ignore_index=True).dropna(subset=names)
    whole = Pairs("side", same=(*units.same, *names))
    parts = dict(iter(sides.groupby(names, sort=False)))
    for levels, part in [((ALL_PARTS,), sides), *(parts.items() if len(parts) > 1 else ())]:
        # One pair of sides; none where one of them has no answers.
        for labels, paired in whole(part, settings):
            before, after = paired["first"], paired["second"]
            if len(paired):
                yield RunDifference(
                    suite,
                    model,
                    ", ".join(map(str, levels)),
                    float(before.mean()),
                    float(after.mean()),
                    matched(after, before, paired[CLUSTER], settings),
                    labels["alone_n"],
                )


def _unchanged(
    units: pd.DataFrame, grades: pd.DataFrame, changed: Collection[str], same: Collection[str]
) -> pd.DataFrame:
    """Leave out units of items that changed; where several answers make a unit, all of the image and prompt."""
    if "item_id" in same:
        return units[~units["item_id"].isin(set(changed))]
    where = ["stimulus_id", "prompt"]
    touched = set(grades.loc[grades["item_id"].isin(set(changed)), where].itertuples(index=False))
    keep = [unit not in touched for unit in units[where].itertuples(index=False)]
    return units[keep]
