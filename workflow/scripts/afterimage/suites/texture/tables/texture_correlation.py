"""Do models that choose well also write well? Rank correlations over models (paper, section 5)."""

import math

import numpy as np
import pandas as pd

from afterimage.showing.columns import Number, Text, whole
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.texture.tables.answers import data_notes, of_task
from afterimage.suites.texture.tables.judged import judgements, scored

_FEWEST_MODELS = 3
_COLUMNS = ("score", "models", "rho", "reason")
_SCORES = {
    "yes_no": "accepted by people (yes/no 人手判定スコア)",
    "agreement": "agreement with people (平均質感語一致率)",
    "agreement_all": "the same, invalid answers as 0",
}


# A function: its units are models, and its numbers scores of another table.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Correlate the accuracy with five options with the scores of the generation task.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: As for ``texture_generation``.

    Returns:
        One row per score: ``models`` that have both, Spearman's ``rho`` over them, and ``reason`` where there is
        none: fewer than three models, or one of the two is the same for all of them.
    """
    classified = of_task(grades, "classification")
    largest = classified[classified["choices"] == "5"]
    accuracy = largest.groupby("model", sort=False)["correct"].mean()
    answers = of_task(grades, "generation")
    scores = scored(answers, judgements(answers, settings), settings)
    by_model = scores.groupby("model", sort=False)[list(_SCORES)].mean()
    rows = []
    for name in _SCORES:
        both = pd.concat({"accuracy": accuracy, "score": by_model[name]}, axis=1).dropna()
        rows.append({"score": name, "models": len(both), **_correlation(both)})
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype({"rho": float})


def _correlation(both: pd.DataFrame) -> dict:
    if len(both) < _FEWEST_MODELS:
        return {"rho": math.nan, "reason": f"fewer than {_FEWEST_MODELS} models have both"}
    if both["accuracy"].nunique() < 2 or both["score"].nunique() < 2:
        return {"rho": math.nan, "reason": "the same for all models"}
    # Spearman's correlation is that of the ranks, ties at their mean.
    ranks = both.rank()
    return {"rho": float(np.corrcoef(ranks["accuracy"], ranks["score"])[0, 1]), "reason": ""}


TABLE = Table(
    "texture_correlation",
    "Texture: accuracy with five options against the scores of the generation task",
    rows=_rows,
    csv=_COLUMNS,
    columns=(
        Text("Score", "score", _SCORES),
        whole("Models", "models"),
        Number("Rank\ncorrelation", "rho", decimals=3),
        Text("Remark", "reason"),
    ),
    notes=(
        "Spearman's rank correlation over all models of the study that have both, reference responders included; none "
        "with fewer than three models. The paper has two.",
        data_notes("generation"),
    ),
)
