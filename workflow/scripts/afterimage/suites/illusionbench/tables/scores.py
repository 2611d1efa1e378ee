"""Scores of descriptions: means, deviations, what is missing."""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.judgement_columns import is_by_reference, with_judgements
from afterimage.showing.values import Count, Group, Value, Worked
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.columns import (
    JUDGED_BY_REFERENCE,
    REFERENCE,
    by_model,
)
from afterimage.suites.illusionbench.tables.exact import Exact, OverImages

#: The three types of question pooled.
ALL_TYPES = "all"
TYPES = (*DESCRIPTIONS, ALL_TYPES)
TYPE_HEADERS = {
    "semantic": "Semantic Content",
    "illusion": "Visual Illusion",
    "step_by_step": "Step-by-Step",
    ALL_TYPES: "All",
}


def score_values() -> tuple[Value, ...]:
    """Return what a block of scores holds.

    Their mean, standard deviation between samples (ddof 1), how many descriptions have a score, were asked for, and
    have none; the mean of the ratings that most rounds agree on; the share, 0 to 1, of the scored descriptions about
    which all rounds agree; and the bounds of the mean, whose clusters are images.
    """
    return (
        Exact("", "score"),
        Worked(("sd",), _deviation),
        Count("n", lambda scored: scored["score"].notna()),
        *(Count("asked"), Count("missing", lambda scored: scored["score"].isna())),
        *(Exact("majority", "score_majority"), Exact("unanimous", "unanimous")),
        OverImages("score", "one", top=2.0),
    )


def descriptions(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers to the three types of question, with what the judge said as columns."""
    return with_judgements(grades[grades["question"].isin(DESCRIPTIONS)]).assign(one=1.0)


def scored_models(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Part descriptions by model; the heading of reference responders says where a reference judge scored them."""
    for names, own in by_model(descriptions)(grades, settings):
        if names["group"] == REFERENCE and own["readings"].map(is_by_reference).any():
            names = {**names, "group": JUDGED_BY_REFERENCE}
        yield names, own


def of_type(scored: pd.DataFrame, kind: str) -> pd.Series:
    """Tell which descriptions are of a type, or of any."""
    return scored["question"].isin(DESCRIPTIONS if kind == ALL_TYPES else (kind,))


def _deviation(group: Group) -> tuple[float]:
    given = group.answers["score"].dropna()
    return (float(given.std(ddof=1)) if len(given) > 1 else float("nan"),)
