"""What an alteration costs where the subject is known, and how much of that its twin does not cost."""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.bounds import difference_bounds
from afterimage.showing.columns import Number, PValue, Share, Text, whole
from afterimage.showing.comparing import Corrected, Differing, Matched
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import test_note
from afterimage.showing.values import Count, Distinct, Given
from afterimage.suites.counting_bias.names import FAMILIAR
from afterimage.suites.counting_bias.tables.answers import ALL, CLUSTERS, counted

#: What a familiar image and its twin have in common.
_SAME = ["figure", "place", "question", "repeat"]


def _with_place(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Add which image and its twin belong together: the id without the context."""
    answers = counted(grades, settings)
    ids = zip(answers["stimulus_id"], answers["context"], strict=True)
    return answers.assign(place=[name.replace(f"_{context}_", "_") for name, context in ids])


def _pairs(answers: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Put altered familiar images beside their twins; what the alteration costs is worked out before."""
    altered = answers[answers["alteration"] != "0"]
    familiar = altered["context"] == FAMILIAR
    twins = altered.loc[~familiar, [*_SAME, "correct"]]
    pairs = altered[familiar].merge(twins, on=_SAME, suffixes=("_familiar", "_twin"))
    pairs = pairs.assign(first=pairs["correct_twin"], second=pairs["correct_familiar"])
    yield _alteration_cost(answers[answers["context"] == FAMILIAR], settings), pairs


def _alteration_cost(familiar: pd.DataFrame, settings: Settings) -> dict[str, float]:
    usual = familiar["alteration"] == "0"
    sides = [
        familiar[chosen].groupby("subject")["correct"].agg(["sum", "size"])
        for chosen in (usual, ~usual)
    ]
    subjects = sides[0].index.union(sides[1].index)
    totals = [side.reindex(subjects, fill_value=0) for side in sides]
    right = [(int(side["sum"].sum()), int(side["size"].sum())) for side in totals]
    known = {"as_usual_k": right[0][0], "as_usual_n": right[0][1]}
    if not all(n for _, n in right):
        return known
    before, after = ((side["sum"].to_numpy(), side["size"].to_numpy()) for side in totals)
    low, high = difference_bounds(before, after, settings, shared=True)
    cost = right[0][0] / right[0][1] - right[1][0] / right[1][1]
    names = ("alteration_cost", "alteration_cost_low", "alteration_cost_high")
    return {**known, **dict(zip(names, (100 * cost, 100 * low, 100 * high), strict=True))}


TABLE = Table(
    "counting_bias_costs",
    "What an unusual number costs, and how much of that is not counting",
    of=_with_place,
    rows=(By("prompt"), By("task", total=ALL), By("model"), _pairs),
    csv=(
        *("model", "prompt", "task"),
        Given("as_usual_k"),
        Given("as_usual_n"),
        *(Given(f"alteration_cost{end}", "number") for end in ("", "_low", "_high")),
        Count("pairs"),
        Count("twin_k", "first"),
        Count("familiar_k", "second"),
        Distinct("subjects", CLUSTERS),
        Differing(CLUSTERS, "differing_subjects"),
        Matched(CLUSTERS, "context_cost", "context_cost_low", "context_cost_high"),
        Corrected(),
    ),
    columns=(
        Text("Task", "task"),
        Text("Prompt", "prompt", if_several=True),
        Text("Model", "model"),
        Share("Familiar,\nas usual", "as_usual_k", "as_usual_n"),
        Share("Familiar,\naltered", "familiar_k", "pairs"),
        Share("Twin,\naltered", "twin_k", "pairs"),
        Number(
            "Alteration\ncost", "alteration_cost", "alteration_cost_low", "alteration_cost_high"
        ),
        Number("Context\ncost", "context_cost", "context_cost_low", "context_cost_high"),
        whole("Subjects", "subjects"),
        PValue("p", "p", "differing_subjects"),
        PValue("p, corrected", "p_holm", "differing_subjects"),
    ),
    notes=(
        "Percentage points. Alteration cost: right on familiar images as usual less right on altered ones. Context "
        "cost: right on altered twins less right on the same alterations of familiar images, pair by pair: the part of "
        "the failure that is not counting.",
        "Brackets: {coverage}; of the alteration cost from the bounds of both shares (Newcombe), of the context cost "
        "Tango's on what the pairs are worth; clusters: flags, boards or grids.",
        test_note("flags, boards or grids"),
    ),
    csv_formats={"p": "%.6g", "p_holm": "%.6g"},
)
