"""Sentences below BlindTest's tables: how answers are pooled, averaged and rounded."""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.suites.blindtest.recorded_rows import is_recorded, own
from afterimage.suites.blindtest.tables.paper_rows import DECIMALS, PaperTable


def row_notes(paper: PaperTable) -> Iterator[str]:
    """Yield how a paper's table pools, averages and rounds."""
    digits = "cut off" if paper.cuts_rows else "rounded"
    pooled = ", one per row." if paper.task == "two_circles" else "."
    yield (
        f"Percent (right/answers), {DECIMALS} decimals, {digits} as in the paper; both prompts pooled{pooled}"
    )
    if paper.averaging == "pooled":
        yield "Average: over all answers, as in the paper."
    elif paper.averaging:
        cut = ", cut off" if paper.cuts_average else ""
        yield f"Average: plain mean of the rows, as in the paper{cut}."


def pooled_repeats(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield a sentence where models answered more than once."""
    repeats = own(grades)["repeat"].nunique() if "repeat" in grades else 1
    if repeats > 1:
        yield f"Answers of {repeats} repeats are pooled."


def recorded_elsewhere(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield what the rows of others' outcomes are, where there are any."""
    if is_recorded(grades).any():
        yield (
            "(recorded): right or wrong as the paper's authors recorded it, on the authors' images; nobody was asked "
            "here. Which of these answers could not be read is known of few. Nested squares of release v1: the run of "
            "June 2024, of which Claude 3.5 Sonnet's answers are not public."
        )


def recorded_pairs(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield with whom others' answers are compared, where there are any."""
    if is_recorded(grades).any():
        yield "Recorded answers are compared with each other alone."


def recorded_counts(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield of how many of others' answers it is known what they said."""
    if is_recorded(grades).any():
        yield "Of others only answers are here whose words are public, as this suite's parser reads them."
