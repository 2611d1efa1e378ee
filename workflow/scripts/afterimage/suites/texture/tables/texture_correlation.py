"""Do models that choose well also write well? Rank correlations over models (paper, section 5)."""

import math

import pandas as pd

from afterimage.showing.columns import Printed, Row, Text, bounds_text, whole
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.rounding import rounded
from afterimage.statistics.rank_correlation import rank_correlation, rank_correlation_interval
from afterimage.suites.texture.tables.answers import data_notes, of_task
from afterimage.suites.texture.tables.judged import judgements, scored

_FEWEST_MODELS = 3
_COLUMNS = ("score", "models", "over", "rho", "rho_low", "rho_high", "reason")
_NUMBERS = ("rho", "rho_low", "rho_high")
#: What stands between the names in the column "over".
MODELS_JOINED_BY = " + "
_SCORES = {
    "yes_no": "accepted by people (yes/no 人手判定スコア)",
    "agreement": "agreement with people (平均質感語一致率)",
    "agreement_all": "the same, invalid answers as 0",
}


# A function: its units are models, and its numbers scores of another table.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Correlate the accuracy with five options with the scores of the generation task.

    Reference responders are left out: one guesses, two do not look and one knows the materials, so that they would
    correlate whatever models do.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: As for ``texture_generation``; and "responders".

    Returns:
        One row per score: number of ``models`` that have both, their names (``over``), Spearman's ``rho`` over them
        with its bounds, and ``reason`` where there is none: fewer than three models, or one of the two is the same for
        all of them.
    """
    grades = grades[~grades["model"].isin(settings.get("responders", ()))]
    classified = of_task(grades, "classification")
    largest = classified[classified["choices"] == "5"]
    accuracy = largest.groupby("model", sort=False)["correct"].mean()
    answers = of_task(grades, "generation")
    scores = scored(answers, judgements(answers, settings), settings)
    by_model = scores.groupby("model", sort=False)[list(_SCORES)].mean()
    rows = []
    for name in _SCORES:
        both = pd.concat({"accuracy": accuracy, "score": by_model[name]}, axis=1).dropna()
        over = {"models": len(both), "over": MODELS_JOINED_BY.join(map(str, both.index))}
        rows.append({"score": name, **over, **_correlation(both, settings)})
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(dict.fromkeys(_NUMBERS, float))


def _correlation(both: pd.DataFrame, settings: Settings) -> dict:
    if len(both) < _FEWEST_MODELS:
        return {"reason": f"fewer than {_FEWEST_MODELS} models have both"}
    rho = rank_correlation(both["accuracy"], both["score"])
    if math.isnan(rho):
        return {"reason": "the same for all models"}
    bounds = rank_correlation_interval(rho, len(both), settings["confidence"], settings["seed"])
    return {"rho": rho, "rho_low": bounds.low, "rho_high": bounds.high, "reason": ""}


def _printed(row: Row) -> str:
    return rounded(row["rho"], 3) + bounds_text(row, "rho_low", "rho_high", 2, optional=True)


def _notes(grades: pd.DataFrame, settings: Settings) -> list[str]:
    return [
        "Spearman's rank correlation over all models of the study that have both, and its "
        f"{100 * settings['confidence']:.10g} % interval for further such models (docs/statistics.md). None with fewer "
        "than three models; the paper has two. Reference responders are left out."
    ]


TABLE = Table(
    "texture_correlation",
    "Texture: accuracy with five options against the scores of the generation task",
    rows=_rows,
    csv=_COLUMNS,
    columns=(
        Text("Score", "score", _SCORES),
        whole("Models", "models"),
        Printed("Rank\ncorrelation", _printed),
        Text("Remark", "reason"),
    ),
    notes=(_notes, data_notes("generation")),
)
