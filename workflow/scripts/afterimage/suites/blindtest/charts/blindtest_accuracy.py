"""Accuracy per task and model, between its two baselines: guessing, and one answer for everything."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.groups import GUESSING, draw_baseline, draw_groups, label_groups
from afterimage.showing.looks import PAPER, PAPER_NOTE
from afterimage.showing.model_styles import legend_below
from afterimage.suites.blindtest.people import SOUGHT
from afterimage.suites.thresholds.chart import PEOPLE, people_label, people_of

TITLES = {
    "line_intersection": "Line inter-\nsections",
    "two_circles": "Two\ncircles",
    "circled_letter": "Circled\nletter",
    "circles": "Overlapping\ncircles",
    "pentagons": "Overlapping\npentagons",
    "nested_squares": "Nested\nsquares",
    "grid": "Grid: rows\nand columns",
    "subway": "Subway\npaths",
    "mean": "Mean",
}
MEAN = "mean"
#: Rows of reference in the table, with their words and lines; the thin one shows on the thick one.
BASELINES = {
    "always the same answer": (
        "always the same answer, the best one",
        {"color": "#b4b4b4", "linestyle": "-", "linewidth": 4.5, "solid_capstyle": "butt"},
    ),
    "uniform guessing": (
        "uniform guessing",
        GUESSING,
    ),
}
_OF_OTHERS = {
    "authors": "(authors' images): the authors' own images and prompts",
    "recorded": "(recorded): on the authors' images, as the authors scored it",
    PAPER: PAPER_NOTE,
}
#: Of few models, and of so many that their marks stand close.
_INCHES_PER_MODEL, _LEAST_PER_MODEL = 0.2, 0.11
# All eight tasks and the mean stand in lines of three: print is legible on one page.
_MOST_IN_A_LINE, _IN_A_LINE = 5, 3
# Of many models the marks stand closer, and of very many there are fewer tasks in a line.
_PAGE_INCHES = 8.0
_BOUNDS = (("low", "high"),)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per task and one for the mean.

    Bars are the table's intervals. The source gives no human score: only people of the study's own are shown.

    Args:
        tables: ``blindtest`` and, where people have answered, ``blindtest_people``, whose quartiles are a band.
    """
    figure_style.apply()
    frame = tables["blindtest"]
    people = people_of(tables.get("blindtest_people"), SOUGHT.bounded)
    measured = frame[frame["kind"] != "reference"]
    tasks = [task for task in TITLES if task in set(measured["row"])]
    models = measured["model"].nunique()
    wide, close = (max(1.0, 0.35 + each * models) for each in (_INCHES_PER_MODEL, _LEAST_PER_MODEL))
    inches = min(wide, max(close, _PAGE_INCHES / _IN_A_LINE))
    fitting = max(1, int(_PAGE_INCHES / inches))
    lines = _lines(tasks, fitting)
    width = 0.8 + inches * max(min(3, fitting), *map(len, lines))
    figure = Figure(figsize=(width, 1.4 + 2.3 * len(lines)), layout="constrained")
    handles: list[tuple[Artist, str]] = []
    for axes, shown in zip(figure.subplots(len(lines), 1, squeeze=False)[:, 0], lines, strict=True):
        handles = _draw_line(axes, frame, measured, shown)
        _draw_people(axes, people, shown)
    if len(people):
        handles.append((Patch(color=PEOPLE, alpha=0.25), people_label(people)))
    told = [words for kind, words in _OF_OTHERS.items() if kind in set(measured["kind"])]
    figure.axes[-1].set_xlabel("\n".join(told))
    legend_below(figure, handles, columns=3 if len(lines) > 1 else 6)
    return figure


def _draw_people(axes: Axes, people: pd.DataFrame, tasks: Sequence[str]) -> None:
    """Draw the band between people's quartiles, and their median, across each task that they were asked about."""
    for _, row in people[people["condition"].isin(tasks)].iterrows():
        at = tasks.index(row["condition"])
        value, low, high = (row[name] for name in SOUGHT.bounded)
        reach = [at - 0.45, at + 0.45]
        axes.fill_between(reach, low, high, color=PEOPLE, alpha=0.25, linewidth=0, zorder=1)
        axes.plot(reach, [value] * 2, color=PEOPLE, linewidth=1.2, zorder=1)


def _lines(tasks: Sequence[str], fitting: int) -> list[Sequence[str]]:
    """Return the tasks line by line, so that a figure is no wider than a page, which so many fit into."""
    if len(tasks) <= min(_MOST_IN_A_LINE, fitting):
        return [tasks]
    step = min(_IN_A_LINE, fitting)
    return [tasks[first : first + step] for first in range(0, len(tasks), step)]


def _draw_line(
    axes: Axes, frame: pd.DataFrame, measured: pd.DataFrame, tasks: Sequence[str]
) -> list[tuple[Artist, str]]:
    references = frame[frame["kind"] == "reference"]
    baselines = [
        draw_baseline(
            axes,
            references[references["model"] == name].set_index("row")["accuracy"].reindex(tasks),
            label,
            look,
        )
        for name, (label, look) in BASELINES.items()
    ]
    handles = draw_groups(axes, measured, "row", tasks, "accuracy", _BOUNDS) + baselines
    label_groups(axes, [TITLES[task] for task in tasks], "accuracy, %", lowest=0)
    if MEAN in tasks:
        axes.axvline(tasks.index(MEAN) - 0.5, color="#333333", linewidth=0.8)
    return handles
