"""Accuracy in the blog's C, R and A, between the two constant answers."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.suites.pope.charts.groups import draw_groups_of

_TITLES = {
    "C": "C: an object of\nthe description",
    "R": "R: an object that\nis not there",
    "A": "A: one attribute\nexchanged",
    "mean": "mean",
}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent with its interval, one group of marks per strategy and one for the mean.

    Args:
        tables: ``pope_blog``.
    """
    return draw_groups_of(tables["pope_blog"], "strategy", _TITLES, width=7.2)
