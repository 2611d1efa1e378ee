"""Charts of many panels: in lines no wider than a page, each column with its own axis below its lowest panel."""

import numpy as np
from matplotlib.figure import Figure


def panel_grid(
    count: int, most_columns: int, inches: tuple[float, float], sharex: bool = True
) -> tuple[Figure, np.ndarray]:
    """Return a figure and its panels, shape (rows, columns); there is one even for none.

    Args:
        count: How many panels are drawn on; the others are left out.
        most_columns: Of panels beside each other.
        inches: Width and height of a panel.
        sharex: Whether all have the same horizontal axis.
    """
    columns = max(1, min(most_columns, count))
    rows = max(1, -(-count // columns))
    width, height = inches
    figure = Figure(figsize=(0.8 + width * columns, 0.8 + height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, sharex=sharex, sharey=True, squeeze=False)
    for unused in axes.flat[max(1, count) :]:
        unused.set_axis_off()
    return figure, axes


def label_outer(axes: np.ndarray, count: int, x_label: str, y_label: str) -> None:
    """Label what stands to the left, and the lowest panel of each column, also where a shorter line follows it.

    Args:
        axes: Of :func:`panel_grid`.
        count: How many panels are drawn on.
        x_label: Below a column.
        y_label: Beside a line.
    """
    for left in axes[:, 0]:
        left.set_ylabel(y_label)
    for lowest in list(axes.flat)[max(0, count - axes.shape[1]) : count]:
        lowest.set_xlabel(x_label)
        lowest.tick_params(labelbottom=True)
