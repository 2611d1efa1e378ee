"""Psychometric curves over signed differences of colour, one per axis and blur, with a lapse rate in common."""

from collections.abc import Mapping

import pandas as pd

from afterimage.suites.hidden_digits.names import AXES, BLURS, SIDES, STEPS
from afterimage.suites.thresholds import curves as shared


def condition(axis: str, blur: str) -> str:
    """Return the name of the condition that has a curve of its own."""
    return f"{axis} {blur}"


def curves(answers: pd.DataFrame, settings: Mapping) -> dict[str, shared.Curve]:
    """Fit the curves of one model and prompt, condition to curve, with bounds over the eight plates.

    Args:
        answers: Graded, factors as columns: ``axis``, ``blur``, ``level``, ``side``, ``replicate``, ``answer``; unread
            ones are left out. At level 0 there is no side that is right.
        settings: "confidence".
    """
    read = answers[answers["answer"].isin(SIDES)]
    trials = read.assign(condition=read["axis"].str.cat(read["blur"], sep=" "))
    known = {*trials["condition"]}
    conditions = [own for axis in AXES for blur in BLURS if (own := condition(axis, blur)) in known]
    return shared.curves(trials, conditions, (SIDES[0], None, SIDES[1]), STEPS, settings)
