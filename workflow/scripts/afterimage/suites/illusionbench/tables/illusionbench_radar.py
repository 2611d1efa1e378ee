"""The values of the radar charts: the paper's figure 2.

One row per axis of a chart: ``group``, ``model``, ``chart`` (perception or description), ``series`` (T/F, Mul, Sem,
Illu), ``axis`` (P1 to P5, D1 to D5), ``category``, ``value`` (accuracy 0 to 1, or mean score 0 to 2; empty without
answers) and ``n``.
"""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    ILLUSION,
    MULTIPLE_CHOICE,
    SEMANTIC,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.tables.accuracy import accuracy_rows
from afterimage.suites.illusionbench.tables.cells import CountedCell
from afterimage.suites.illusionbench.tables.grouping import as_frame
from afterimage.suites.illusionbench.tables.illusionbench_description_detail import detail_rows
from afterimage.suites.illusionbench.tables.notes import about

#: Chart to its two series, in the paper's order: name, and the table and type of question that they come from.
_PERCEPTION = {"T/F": TRUE_FALSE, "Mul": MULTIPLE_CHOICE}
_DESCRIPTION = {"Sem": SEMANTIC, "Illu": ILLUSION}
# Nothing here has an interval, so that none is resampled.
_FEW = {"resamples": 1}
_CSV = ("group", "model", "chart", "series", "axis", "category", "value", "n")


def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    few = {**settings, **_FEW}
    rows = []
    for series, question in _PERCEPTION.items():
        rows += _axes(accuracy_rows(question, grades, few), "perception", series, "P")
    detail = detail_rows(grades, few)
    for series, question in _DESCRIPTION.items():
        own = detail[detail["question_type"] == question]
        rows += _axes(own, "description", series, "D")
    return as_frame(rows, _CSV)


def _axes(frame: pd.DataFrame, chart: str, series: str, letter: str) -> list[dict]:
    return [
        {
            "group": row["group"],
            "model": row["model"],
            "chart": chart,
            "series": series,
            "axis": f"{letter}{place}",
            "category": category,
            "value": row[category],
            "n": row[f"{category}_n"],
        }
        for row in frame.to_dict("records")
        for place, category in enumerate(CATEGORIES, start=1)
    ]


TABLE = Table(
    "illusionbench_radar",
    "IllusionBench+: the values of the radar charts (the paper's figure 2)",
    rows=_rows,
    csv=_CSV,
    columns=(
        Text("VLMs", "model"),
        Text("Chart", "chart"),
        Text("Series", "series"),
        Text("Axis", "axis"),
        CountedCell("Value", "value", "n"),
    ),
    notes=(
        "P1 to P5, D1 to D5: classical, real scene, no illusion, Ishihara, trap. T/F and Mul: accuracy from 0 to 1. "
        "Sem and Illu: mean score from 0 to 2, empty without a judge.",
        about(TRUE_FALSE, MULTIPLE_CHOICE, *DESCRIPTIONS, resampled=False),
    ),
    group_by="group",
)
