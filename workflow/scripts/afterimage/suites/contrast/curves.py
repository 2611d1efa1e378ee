"""Psychometric curves over signed contrast, one per spatial frequency, with a lapse rate in common."""

from collections.abc import Mapping

import pandas as pd

from afterimage.suites.contrast.names import LEAST_PERCENT, LEVELS, NONE, SIDES, WHERE
from afterimage.suites.thresholds import curves as shared
from afterimage.suites.thresholds.steps import Steps

#: Contrasts on the axis, of which the left is the first side.
STEPS = Steps(LEAST_PERCENT, LEVELS, "%")


def curves(answers: pd.DataFrame, settings: Mapping) -> dict[str, shared.Curve]:
    """Fit the curves of one model and prompt, frequency to curve, with bounds over the four replicates.

    Args:
        answers: Graded, factors as columns: ``question`` (``where`` or ``three``), ``frequency``, ``level``, ``side``,
            ``replicate``, ``answer``. Those to blanks count for every frequency, unread ones for none.
        settings: "confidence".
    """
    answers = answers[answers["answer"].isin([*SIDES, NONE])]
    frequencies = sorted({*answers["frequency"]} - {""}, key=int)
    forced = bool((answers["question"] == WHERE).all())
    blank = answers[answers["frequency"] == ""]
    trials = [answers[answers["frequency"] != ""].assign(condition=answers["frequency"])]
    trials += [blank.assign(condition=one) for one in frequencies]
    said = SIDES[0], None if forced else NONE, SIDES[1]
    return shared.curves(pd.concat(trials), frequencies, said, STEPS, settings)
