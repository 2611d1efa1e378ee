"""Scores of descriptions: means, deviations, what is missing."""

import pandas as pd

from afterimage.showing.judgement_columns import with_judgements
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.exact import as_float, mean
from afterimage.suites.illusionbench.tables.wide import Cell

#: The three types of question pooled.
ALL_TYPES = "all"
TYPES = (*DESCRIPTIONS, ALL_TYPES)
TYPE_HEADERS = {
    "semantic": "Semantic Content",
    "illusion": "Visual Illusion",
    "step_by_step": "Step-by-Step",
    ALL_TYPES: "All",
}


#: What a block of scores holds: their mean, standard deviation between samples (ddof 1), how many descriptions have a
#: score, were asked for, and have none; the mean of the ratings that most rounds agree on; and the share, 0 to 1, of
#: the scored descriptions about which all rounds agree.
PARTS = ("", "sd", "n", "asked", "missing", "majority", "unanimous")
#: The columns whose sums are divided for a mean score.
RATIO = ("score", "one")


def descriptions(grades: pd.DataFrame) -> pd.DataFrame:
    """Return the answers to the three types of question, with what the judge said as columns."""
    return with_judgements(grades[grades["question"].isin(DESCRIPTIONS)]).assign(one=1.0)


def by_type(scored: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the descriptions of each type, and all of them."""
    return {kind: scored[scored["question"] == kind] for kind in DESCRIPTIONS} | {ALL_TYPES: scored}


def summary(scored: pd.DataFrame) -> Cell:
    """Sum up the scores of descriptions: the columns :data:`PARTS`; what has no score is counted as missing."""
    given = scored["score"].dropna()
    return dict(
        zip(
            PARTS,
            (
                as_float(mean(given)),
                float(given.std(ddof=1)) if len(given) > 1 else float("nan"),
                len(given),
                len(scored),
                len(scored) - len(given),
                as_float(mean(scored["score_majority"].dropna())),
                as_float(mean(scored["unanimous"].dropna().astype(float))),
            ),
            strict=True,
        )
    )
