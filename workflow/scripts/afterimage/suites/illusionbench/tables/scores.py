"""Scores of descriptions: means, deviations, what is missing."""

from typing import NamedTuple

import pandas as pd

from afterimage.grading.judge.columns import with_judgements
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.exact import as_float, mean

_NONE = float("nan")
#: The three types of question pooled.
ALL_TYPES = "all"
TYPES = (*DESCRIPTIONS, ALL_TYPES)
TYPE_HEADERS = {
    "semantic": "Semantic Content",
    "illusion": "Visual Illusion",
    "step_by_step": "Step-by-Step",
    ALL_TYPES: "All",
}


class Summary(NamedTuple):
    """Scores of some descriptions.

    Attributes:
        mean: NaN without any.
        sd: Standard deviation between samples (ddof 1); NaN with fewer than two.
        n: Descriptions that have a score.
        asked: Descriptions that were asked for.
        majority: Mean of the ratings that most rounds agree on.
        unanimous: Share of the scored descriptions about which all rounds agree, 0 to 1.
    """

    mean: float
    sd: float
    n: int
    asked: int
    majority: float
    unanimous: float

    def cells(self, name: str) -> dict[str, object]:
        """Return the columns of a table for these scores; what has no score is counted as missing."""
        return {
            name: self.mean,
            f"{name}_sd": self.sd,
            f"{name}_n": self.n,
            f"{name}_asked": self.asked,
            f"{name}_missing": self.asked - self.n,
            f"{name}_majority": self.majority,
            f"{name}_unanimous": self.unanimous,
        }


def descriptions(grades: pd.DataFrame) -> pd.DataFrame:
    """Return the answers to the three types of question, with what the judge said as columns."""
    return with_judgements(grades[grades["question"].isin(DESCRIPTIONS)])


def of_type(scored: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the descriptions of one type, or of all."""
    return scored if kind == ALL_TYPES else scored[scored["question"] == kind]


def summary(scored: pd.DataFrame) -> Summary:
    """Sum up the scores of descriptions."""
    given = scored["score"].dropna()
    majority = scored["score_majority"].dropna()
    unanimous = scored["unanimous"].dropna()
    return Summary(
        as_float(mean(given)),
        float(given.std(ddof=1)) if len(given) > 1 else _NONE,
        len(given),
        len(scored),
        as_float(mean(majority)),
        as_float(mean(unanimous.astype(float))),
    )


def countable(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the scored descriptions with ``one``, for ratios of sums."""
    return scored.dropna(subset=["score"]).assign(one=1.0)
