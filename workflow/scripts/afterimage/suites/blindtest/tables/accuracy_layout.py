"""What readers see of a table of accuracies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from afterimage.showing.rounding import rounded
from afterimage.showing.table_layout import Layout, Text
from afterimage.suites.blindtest.tables.paper_rows import DECIMALS, PaperTable

_BASELINES = (
    "Uniform guessing: one of the possible answers at random (of a circled letter, one of the "
    "string's different letters); the expected accuracy. Always the same answer: the one answer "
    "that is right most often in that row, and for an average the one that is best over the whole "
    "table; worked out from the keys of the items."
)


@dataclass(frozen=True)
class PrintedShare:
    """Percent as the paper prints it, with its counts, and its interval below.

    Attributes:
        header: What stands above the column.
    """

    header: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the accuracy of one row: ``71.27 (479/672)``, ``[67.7, 74.6]``."""
        # A mean of rows is no share of their pooled counts.
        counted = not pd.isna(row["k"]) and row["averaging"] != "mean of rows"
        counts = f" ({row['k']}/{row['n']})" if counted else ""
        return f"{row['printed']}{counts}{_bounds(row, 'low', 'high')}"


@dataclass(frozen=True)
class Bounds:
    """The two bounds of an interval in percent; empty where there is none.

    Attributes:
        header: What stands above the column.
        low: The frame's column with the lower bound.
        high: The same for the upper bound.
    """

    header: str
    low: str
    high: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the interval of one row."""
        return _bounds(row, self.low, self.high).lstrip("\n")


@dataclass(frozen=True)
class Optional:
    """A value that not every row has; empty where it is missing.

    Attributes:
        header: What stands above the column.
        column: The frame's column.
    """

    header: str
    column: str
    numeric: bool = False

    def cell(self, row: Mapping) -> str:
        """Print the value of one row."""
        value = row[self.column]
        return "" if pd.isna(value) else str(value)


def accuracy_layout(
    title: str, grades: pd.DataFrame, settings: Mapping, notes: Sequence[str]
) -> Layout:
    """Describe the reader's table of a frame of :func:`accuracy.as_frame`.

    Args:
        title: What the table shows.
        grades: Graded answers of all models.
        settings: "confidence", "resamples" and "seed".
        notes: Sentences that belong to this table alone.
    """
    return Layout(
        title=title,
        columns=(
            Text("Model", "model"),
            Optional("Prompts", "prompts"),
            Text("Row", "row"),
            PrintedShare("Accuracy"),
            Bounds("Clustered interval", "cluster_low", "cluster_high"),
            Optional("Unparsed", "unparsed_k", numeric=True),
            Optional("Constant answer", "answer"),
        ),
        notes=(*notes, *_interval_notes(grades, settings), _BASELINES),
    )


def task_layout(
    table: PaperTable, grades: pd.DataFrame, settings: Mapping, notes: Sequence[str] = ()
) -> Layout:
    """Describe the reader's table of one task; arguments as in :func:`accuracy_layout`."""
    return accuracy_layout(table.title, grades, settings, [*notes, *_row_notes(table)])


def _row_notes(table: PaperTable) -> list[str]:
    digits = "cut off" if table.cuts_rows else "rounded"
    notes = [
        f"Percent (right/answers), {DECIMALS} decimals, {digits} as in the paper; both prompts pooled"
        + (", one per row." if table.task == "two_circles" else ".")
    ]
    if table.averaging == "pooled":
        notes.append("Average: over all answers, as in the paper.")
    elif table.averaging:
        cut = ", cut off" if table.cuts_average else ""
        notes.append(f"Average: plain mean of the rows, as in the paper{cut}.")
    return notes


def _interval_notes(grades: pd.DataFrame, settings: Mapping) -> list[str]:
    coverage = f"{100 * settings['confidence']:.10g} %"
    notes = [
        f"Below the accuracy: Wilson {coverage} interval, as if all answers were independent. Of a "
        "plain mean, it follows from the intervals of its rows.",
        "Clustered interval, where the images are renderings of fewer figures drawn at random: "
        f"percentile bootstrap over these figures ({settings['resamples']} resamples, seed "
        f"{settings['seed']}).",
        "Unparsed: answers that could not be read; they count as wrong.",
    ]
    repeats = grades["repeat"].nunique() if "repeat" in grades else 1
    if repeats > 1:
        notes.append(f"Answers of {repeats} repeats are pooled.")
    return notes


def _bounds(row: Mapping, low: str, high: str) -> str:
    if pd.isna(row[low]) or pd.isna(row[high]):
        return ""
    return f"\n[{rounded(row[low], 1)}, {rounded(row[high], 1)}]"
