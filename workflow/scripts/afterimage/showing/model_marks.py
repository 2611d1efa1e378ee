"""Groups of marks with intervals, one mark per model: what a chart of accuracies is made of."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from afterimage.showing.model_styles import model_styles

_LOOK: Any = {
    "markersize": 5.5,
    "elinewidth": 1.1,
    "capsize": 2,
    "zorder": 3,
}


class Marks(NamedTuple):
    """What one model has in each group, NaN where it has nothing.

    Attributes:
        values: Shape (groups,).
        low: Lower bounds, shape (groups,); None for marks without intervals.
        high: Upper bounds.
    """

    values: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None


def draw_model_marks(
    axes: Axes,
    groups: int,
    models: Sequence[str],
    marks_of: Callable[[str], Marks],
    filled: float = 0.72,
) -> list[tuple[Any, str]]:
    """Draw the marks of all models side by side in each group; returns handles with labels.

    Args:
        axes: Where to draw; groups stand at 0, 1, 2, ... of the horizontal axis.
        groups: How many there are.
        models: From left to right within a group.
        marks_of: A model's marks.
        filled: Of the distance of two groups, what their models share.
    """
    step = filled / max(1, len(models))
    handles: list[tuple[Any, str]] = []
    for place, (model, style) in enumerate(model_styles(models).items()):
        marks = marks_of(model)
        drawn = axes.errorbar(
            np.arange(groups) + (place - (len(models) - 1) / 2) * step,
            marks.values,
            yerr=_distances(marks),
            fmt=style.marker,
            color=style.colour,
            **{**_LOOK, **style.mark, "markeredgewidth": 1.1 if style.hollow else 0.5},
        )
        handles.append((drawn, model))
    return handles


def _distances(marks: Marks) -> np.ndarray | None:
    if marks.low is None or marks.high is None:
        return None
    values = np.asarray(marks.values, dtype=float)
    below, above = values - np.asarray(marks.low, float), np.asarray(marks.high, float) - values
    # Rounding may put a value a hair outside of its interval.
    distances: np.ndarray = np.clip([below, above], 0, None)
    return distances
