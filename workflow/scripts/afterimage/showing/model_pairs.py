"""Every two models on the same items: the table ``pairs_<suite>`` that every suite has.

``n`` pairs of answers to the same item; how many are right on both sides, the first alone, the second alone, neither;
``alone_n`` answers that are left out since the other model gave none. ``difference`` of the accuracies in percentage
points, first minus second, with bounds; ``clusters``, and those in which the two differ; ``p`` from flipping the signs
of clusters, ``p_holm`` the same corrected for all rows of the table.
"""

from collections.abc import Callable, Iterator

import pandas as pd

from afterimage.showing.columns import Difference, PValue, Text, whole
from afterimage.showing.comparing import Corrected, Differing, Matched
from afterimage.showing.declaration import By, Note, Settings, Table
from afterimage.showing.interval_notes import test_note
from afterimage.showing.pairs import PAIR_COUNTS, Pairs
from afterimage.showing.values import Distinct, Given, answers

#: The column with the cluster of each answer.
CLUSTER = "cluster"
#: What is printed of every pair.
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
    """Return the answers that are right or wrong; free texts with scores are neither."""
    return grades[grades["score"].isna()]


def fewer_than_two(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say why there is nothing to compare, where one model has answered or none."""
    if grades["model"].nunique() < 2:
        yield "the study has no second model to compare"


_EMPTY = (
    fewer_than_two,
    "no two models have answers of which each is right or wrong to the same item",
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
    notes: tuple[Note, ...] = (),
) -> Table:
    """Declare the table of all pairs of models.

    Args:
        name: Of its files.
        title: What it shows; it may have slots for the table's settings.
        of: Chooses the answers that are compared; returns them with ``correct``. By default all but scored texts.
        by: Columns by which they are parted first, before prompts.
        cluster: The column with the cluster of each answer.
        clusters: What the clusters are.
        item: The column that names what both models answered.
        family: Columns of ``by`` whose levels are corrected apart; none where all rows are one family.
        notes: Sentences that belong to this table alone.
    """

    def clustered(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
        chosen = of(grades, settings)
        return chosen.assign(**{CLUSTER: chosen[cluster]})

    together = [f"all rows of one {' and '.join(family)}"] if family else []
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
            "Difference: share of right answers of the first less that of the second, in percentage points, over the "
            "items that both answered; below it {coverage}, Tango's interval on what the pairs are worth.",
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
