"""Accuracy on attributes, relations and look-alikes."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.suites.pope.charts.groups import draw_groups_of

_TITLES = {
    "colour": "colour",
    "count": "number",
    "left_of": "left of",
    "above": "above",
    "inside": "inside",
    "larger_than": "larger\nthan",
    "similar": "look-\nalike",
    "mean": "mean",
}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent with its interval, one group of marks per kind of question and one for the mean.

    Args:
        tables: ``pope_extended``.
    """
    return draw_groups_of(tables["pope_extended"], "asked_about", _TITLES, width=10.0)
