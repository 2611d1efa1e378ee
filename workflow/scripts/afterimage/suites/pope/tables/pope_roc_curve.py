"""The points of POPE's ROC curves: rates of yes above thresholds on its probability."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from afterimage.showing.columns import Number, Share, Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.study.graded import MEANING
from afterimage.showing.values import Given
from afterimage.showing.weighted import SHOWN_WORDS
from afterimage.suites.pope.tables.pope_roc import YES, by_shown, known, of_yes

#: Points of a curve at most; of more answers, quantiles of their probabilities are the thresholds.
_POINTS = 40
_COUNTS = ("hit_k", "present_n", "false_alarm_k", "absent_n")


def _points(
    asked: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    own = known(asked)
    present = (own["key"] == YES).to_numpy()
    scores = own["p_yes"].to_numpy(float)
    levels = np.unique(scores)
    if len(levels) > _POINTS:
        levels = np.unique(np.quantile(scores, np.linspace(0, 1, _POINTS), method="lower"))
    for level in levels[::-1]:
        yes = scores >= level
        counts = (yes & present).sum(), present.sum(), (yes & ~present).sum(), (~present).sum()
        yield {"threshold": float(level), **dict(zip(_COUNTS, map(int, counts), strict=True))}, own


TABLE = Table(
    "pope_roc_curve",
    "POPE: points of the ROC curves",
    of=of_yes,
    rows=(By(("variant", "dataset", "prompt")), By("model"), by_shown, _points),
    csv=(
        *("variant", "dataset", "prompt", "model", "shown", "strategy"),
        Given("threshold", "number"),
        *map(Given, _COUNTS),
    ),
    columns=(
        *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
        *(Text("Shown", "shown", SHOWN_WORDS), Text("Strategy", "strategy")),
        Number("Threshold", "threshold", decimals=4),
        Share("Hits", "hit_k", "present_n"),
        Share("False alarms", "false_alarm_k", "absent_n"),
    ),
    notes=(
        MEANING,
        "Yes is what has at least this probability of yes. Hits: share of yes where yes is right; false alarms: share "
        "of yes where no is right.",
    ),
    empty=("no answer has a probability of yes",),
    csv_formats={"threshold": "%.9g"},
)
