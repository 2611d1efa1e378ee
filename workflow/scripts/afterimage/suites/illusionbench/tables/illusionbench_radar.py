"""The values of the radar charts: the paper's figure 2.

One row per axis of a chart: ``kind``, ``group``, ``model``, ``chart`` (perception or description), ``series`` (T/F,
Mul, Sem, Illu), ``axis`` (P1 to P5, D1 to D5), ``category``, ``value`` (accuracy 0 to 1, or mean score 0 to 2; empty
without answers), ``n``, ``judge`` (who judged any of them, a reference judge marked as one; empty without), and of
who does not look the best ``answer`` or place of the axis.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.baselines import BASELINE_NOTE, answerer
from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Split, Table
from afterimage.showing.judgement_columns import judges_of
from afterimage.showing.references import MEASURED
from afterimage.showing.values import Group, Worked, answers
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    ILLUSION,
    MULTIPLE_CHOICE,
    SEMANTIC,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.tables.accuracy import (
    best_answer,
    share_right,
    with_baselines,
)
from afterimage.suites.illusionbench.tables.cells import counted_cell
from afterimage.suites.illusionbench.tables.columns import by_model
from afterimage.suites.illusionbench.tables.notes import about
from afterimage.suites.illusionbench.tables.scores import descriptions


def _scores_of(question: str) -> Split:
    """Part the scored descriptions of one type by model."""

    def scored(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
        given = descriptions(grades, settings)
        own = given[given["question"] == question].dropna(subset=["score"])
        return own.assign(right=own["score"])

    return by_model(scored)


#: Chart, letter of its axes, name of a series, and whose answers it shows, in the paper's order.
_SERIES = (
    ("perception", "P", "T/F", with_baselines(TRUE_FALSE)),
    ("perception", "P", "Mul", with_baselines(MULTIPLE_CHOICE)),
    ("description", "D", "Sem", _scores_of(SEMANTIC)),
    ("description", "D", "Illu", _scores_of(ILLUSION)),
)


def _axes(grades: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    for chart, letter, series, split in _SERIES:
        for names, own in split(grades, settings):
            for place, category in enumerate(CATEGORIES, start=1):
                axis = {"axis": f"{letter}{place}", "category": category}
                chosen = own[own["category"] == category]
                of_chart = {"chart": chart, "series": series}
                yield {"kind": MEASURED, **names, **of_chart, **axis}, chosen


def _judge(group: Group) -> tuple[str | None]:
    """Return who judged; baselines bring no readings."""
    given = group.answers
    return ((judges_of(given) if "readings" in given else "") or None,)


TABLE = Table(
    "illusionbench_radar",
    "IllusionBench+: the values of the radar charts (the paper's figure 2)",
    rows=(_axes,),
    csv=(
        *("kind", "group", "model", "chart", "series", "axis", "category"),
        *(share_right("value"), answers(), Worked(("judge",), _judge, "text"), best_answer()),
    ),
    columns=(
        answerer("VLMs"),
        Text("Chart", "chart"),
        Text("Series", "series"),
        Text("Axis", "axis"),
        counted_cell("Value", "value", "n"),
    ),
    notes=(
        "P1 to P5, D1 to D5: classical, real scene, no illusion, Ishihara, trap. T/F and Mul: accuracy from 0 to 1. "
        "Sem and Illu: mean score from 0 to 2, empty without a judge.",
        BASELINE_NOTE,
        about(TRUE_FALSE, MULTIPLE_CHOICE, *DESCRIPTIONS, bounded=False),
    ),
    group_by="group",
)
