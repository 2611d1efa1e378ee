"""Accuracy per model and row, with intervals, averages, and the two baselines it is read against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.note import Note
from afterimage.showing.tables.accuracy import OUTCOME_COUNTS, UNPARSED
from afterimage.showing.tables.baselines import MEASURED, Answered, Reference, measured
from afterimage.showing.tables.bounds import (
    in_percent,
    interval_note,
    mean_of_groups,
    repeats_note,
    share_of,
)
from afterimage.showing.tables.columns import (
    Cell,
    Column,
    Row,
    Text,
    as_number,
    bounds_text,
    is_missing,
)
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import (
    Across,
    By,
    PaperForm,
    Settings,
    Table,
    TableNote,
    side_by_side,
)
from afterimage.showing.tables.paper_form import models_alone
from afterimage.showing.tables.values import (
    Distinct,
    Group,
    Value,
    Worked,
    answers,
    outcomes,
    require_columns,
    right,
)
from afterimage.suites.blindtest import discrepancies
from afterimage.suites.blindtest.names import AUTHORS, answer_set
from afterimage.suites.blindtest.paper import (
    AVERAGE,
    DECIMALS,
    GUESSING,
    MEAN_OF_ROWS,
    TABLES,
    PaperTable,
    printed,
)
from afterimage.suites.blindtest.recorded import (
    is_about_authors,
    is_recorded,
    mark_authors,
    mark_recorded,
    of_drawn_images,
)

if TYPE_CHECKING:
    from afterimage.showing.tables.bounds import Share


#: The mean over all tasks, of the table of all.
MEAN = "mean"

#: Rows of reference stand for no model; their "kind" is "reference". That of others' outcomes is "recorded", of the
#: study's models "measured".
CONSTANT = "always the same answer"

_NEEDED = (
    *("item_id", "model", "task", "release", "prompt", "key", "outcome", "correct"),
    *("subtask", "base_figure", "stimulus_id"),
)


#: The kind of rows that stand for answers given elsewhere.
RECORDED = "recorded"


def task_table(paper: PaperTable) -> Table:
    references = (
        Reference(GUESSING, partial(_guesses, paper)),
        Reference(CONSTANT, partial(_constant, paper)),
    )
    average = AVERAGE if paper.averaging else None
    return Table(
        paper.name,
        paper.title,
        of=lambda grades, settings: of_task(grades, paper),
        rows=(
            By("model", references=references),
            By("row", first=paper.rows, order="natural", total=average),
        ),
        csv=csv_of(paper),
        columns=readers_columns({AVERAGE: "Average"}),
        readers=paper_form,
        notes=(
            *filter(None, (paper.compared, paper.page)),
            *row_notes(paper),
            *NOTES,
            partial(_page_comparison, paper),
        ),
        paper=_on_the_page(paper),
    )


def _on_the_page(paper: PaperTable) -> PaperForm:
    """Declare the form of a task's table on the paper's page: models side by side, and below the rows their average."""
    labels = {AVERAGE: "Average", **paper.labels}
    return PaperForm(
        Note(
            "{title} (task {number} of Rahmanzadehgervi et al.).",
            title=paper.title,
            number=paper.number,
        ),
        (Text(paper.heading, "model"), Across(_as_printed, labels)),
        lambda frame: paper_form(models_alone(frame)),
        f"Percent of right answers, {'cut off' if paper.cuts_rows else 'rounded'} to {DECIMALS} decimals as there.",
        swapped=True,
    )


def csv_of(paper: PaperTable) -> tuple[str | Value, ...]:
    """Return what a table of accuracies holds, per model, and then for the two baselines: rows and their average.

    ``n`` answers, ``k`` right (of an average: pooled), ``unparsed_k`` that could not be read (they count as wrong),
    ``accuracy``, ``low`` and ``high`` its bounds, all in percent; ``clusters``, see :func:`base_figures`;
    ``averaging`` how an average is formed ("pooled" or "mean of rows"); ``printed`` the accuracy as the paper prints
    it. Of the constant answer, ``answer`` is which, the best one for that row; ``n`` counts items.
    """
    return (
        Worked(("kind",), kind_of, "text"),
        "model",
        *measured(Worked(("prompts",), _prompts, "text")),
        "row",
        *measured(answers(), right("k"), also=(CONSTANT,)),
        *measured(*map(where_read, outcomes())),
        Worked(("accuracy",), partial(_exact, paper)),
        *measured(Worked(("low", "high"), partial(_bounds, paper))),
        *measured(Distinct("clusters", base_figures)),
        Worked(("averaging",), partial(_averaging, paper), "text"),
        "answer",
        Worked(("printed",), partial(_printed, paper), "text"),
    )


def task_frame(paper: PaperTable, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the rows of one task's table; see :func:`csv_of`."""
    return frame_of(task_table(paper), grades, settings)


def of_task(grades: pd.DataFrame, table: PaperTable) -> pd.DataFrame:
    """Return the grades of one task with the column "row", the paper's row of each answer.

    Raises:
        AfterimageError: A column is missing, a factor of the task is, or releases are mixed.
    """
    require_columns(grades, _NEEDED)
    chosen = grades[grades["task"] == table.task]
    for name in ("subtask", "base_figure") if table.clustered else ("subtask",):
        unset = chosen[chosen[name].isna()]
        if len(unset):
            raise AfterimageError(
                f"grades of task '{table.task}': item '{unset.iloc[0]['item_id']}' has no factor "
                f"'{name}'; expected one on every item."
            )
    releases = sorted(of_drawn_images(chosen)["release"].unique())
    if len(releases) > 1:
        raise AfterimageError(
            f"grades of task '{table.task}': they come from the releases {', '.join(releases)}; "
            "expected one, since different images have the same rows."
        )
    return mark_recorded(mark_authors(chosen).assign(row=table.one_row or chosen["subtask"]))


def _rows(answers: pd.DataFrame) -> Iterator[pd.DataFrame]:
    return (group for _, group in answers.groupby("row", sort=False))


def _averaged(shares: Sequence[Fraction], sizes: Sequence[int], paper: PaperTable) -> Fraction:
    if paper.averaging == MEAN_OF_ROWS:
        return sum(shares, Fraction()) / len(shares)
    counted = [share * size for share, size in zip(shares, sizes, strict=True)]
    return sum(counted, Fraction()) / sum(sizes)


def _guesses(paper: PaperTable, items: pd.DataFrame) -> Answered:
    """Guess: an item with n possible answers is right once in n times; None without items."""
    items = of_drawn_images(items)
    if items.empty:
        return None
    return {}, items.assign(correct=chances(paper, items))


def chances(paper: PaperTable, items: pd.DataFrame) -> list[Fraction]:
    """Return the probability that a guess is right on each item, by the possible answers of its row in the table."""
    possible = {
        group["row"].iloc[0]: len(
            answer_set(paper.task, group["subtask"].iloc[0], set(group["key"]))
        )
        for group in _rows(items)
    }
    return [Fraction(1, possible[row]) for row in items["row"]]


def _constant(paper: PaperTable, items: pd.DataFrame) -> Answered:
    """Give always the answer that is best over all the rows at once, the first of equals; None without items."""
    items = of_drawn_images(items)
    if items.empty:
        return None
    keys = [Counter(group["key"]) for group in _rows(items)]
    sizes = [count.total() for count in keys]
    scores = {
        answer: _averaged(
            [Fraction(count[answer], size) for count, size in zip(keys, sizes, strict=True)],
            sizes,
            paper,
        )
        for answer in set().union(*keys)
    }
    best = min(scores, key=lambda answer: (-scores[answer], answer))
    return {"answer": best}, items.assign(correct=items["key"] == best)


def _exact(paper: PaperTable, group: Group) -> tuple[Fraction]:
    """Return the accuracy in percent, exactly, since the paper cuts digits off."""
    rows = [answers["correct"].tolist() for answers in _rows(group.answers)]
    shares = [Fraction(sum(row)) / len(row) for row in rows]
    return (100 * _averaged(shares, [len(row) for row in rows], paper),)


def base_figures(answers: pd.DataFrame) -> pd.Series:
    """Return the cluster of each answer: the base figure that its image shares with others, or else the image."""
    drawn = answers["base_figure"].astype("object")
    return answers["task"] + "/" + drawn.where(drawn.notna(), answers["stimulus_id"])


def share_of_rows(paper: PaperTable, answers: pd.DataFrame, settings: Settings) -> Share:
    """Return the accuracy of a row, or the average of all rows of a table as the paper forms it, with its interval."""
    if paper.averaging == MEAN_OF_ROWS:
        groups = [(group["correct"], base_figures(group)) for group in _rows(answers)]
        return mean_of_groups(groups, settings)
    return share_of(answers["correct"], base_figures(answers), settings)


def _bounds(paper: PaperTable, group: Group) -> tuple[float, float]:
    return in_percent(share_of_rows(paper, group.answers, group.settings))


def kind_of(group: Group) -> tuple[str]:
    """Return the source of a row's answers: the study (with either images), recorded elsewhere, or a reference."""
    if group.row["kind"] == MEASURED and len(group.answers):
        if is_recorded(group.answers).all():
            return (RECORDED,)
        if is_about_authors(group.answers).all():
            return (AUTHORS,)
    return (group.row["kind"],)


def where_read(value: Value) -> Value:
    """Leave a value out where others judged: of most recorded answers, only whether they are right is known."""

    def known(group: Group) -> tuple[Any, ...]:
        return (None,) if is_recorded(group.answers).any() else value.of(group)

    return Worked(value.names, known, value.kind)


def _prompts(group: Group) -> tuple[str]:
    return (" + ".join(sorted(group.answers["prompt"].unique())),)


def _averaging(paper: PaperTable, group: Group) -> tuple[str | None]:
    return (paper.averaging if group.row["row"] == AVERAGE else None,)


def _printed(paper: PaperTable, group: Group) -> tuple[str]:
    cuts = paper.cuts_average if group.row["row"] == AVERAGE else paper.cuts_rows
    return (printed(group.row["accuracy"] / 100, cuts),)


def paper_form(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each model, in which the rows of the CSV stand side by side."""
    return side_by_side(frame, ("kind", "model"), "row", OUTCOME_COUNTS, (AVERAGE, MEAN))


def _accuracy(row: Row, between: str = " ") -> str:
    """Print ``71.27 (479/672)`` and, below, ``[67.7, 74.6]`` or the constant answer, ``"Yes"``."""
    # A mean of rows is no share of their pooled counts.
    counted = not is_missing(row["k"]) and row["averaging"] != MEAN_OF_ROWS
    counts = f"{between}({row['k']}/{row['n']})" if counted else ""
    answer = "" if is_missing(row["answer"]) else f'\n"{row["answer"]}"'
    bounds = bounds_text(row, "low", "high", 1, optional=True)
    cell = _as_printed(row)
    return cell.with_text(f"{cell}{counts}{bounds}{answer}")


def _as_printed(row: Row) -> Cell:
    printed = str(row["printed"])
    return Cell(printed, value=as_number(printed))


def row_notes(paper: PaperTable) -> Iterator[TableNote]:
    """Yield how a paper's table pools, averages and rounds."""
    digits = "cut off" if paper.cuts_rows else "rounded"
    yield f"Percent (right/answers), {DECIMALS} decimals, {digits} as in the paper."
    yield partial(_pooled_prompts, paper)
    if paper.averaging == "pooled":
        yield "Average: over all answers, as in the paper."
    elif paper.averaging:
        cut = ", cut off" if paper.cuts_average else ""
        yield f"Average: plain mean of the columns, as in the paper{cut}."


def _pooled_prompts(paper: PaperTable, grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_drawn_images(grades)
    answers = answers[answers["task"] == paper.task]
    maximum = answers.groupby(answers["subtask"])["prompt"].nunique().max() if len(answers) else 0
    if maximum > 1:
        yield Note("Each cell pools {most} prompts.", most=maximum)
    elif maximum:
        yield "Each cell is of one prompt."


def _page_comparison(paper: PaperTable, grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield which of the page's numbers the recorded answers give, and why not the others."""
    answers = discrepancies.on_the_page(grades[is_recorded(grades)], paper.task)
    if len(answers):
        yield from discrepancies.compared(task_frame(paper, answers, settings), answers, paper.task)


def _repeats(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    return repeats_note(of_drawn_images(grades))


def _where(is_of_kind: Callable[[pd.DataFrame], pd.Series[bool]], sentence: str) -> TableNote:
    """Return a note that appears where some answers are of a kind."""

    def note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
        if is_of_kind(grades).any():
            yield sentence

    return note


#: Explains the rows of outcomes that were recorded elsewhere.
RECORDED_ELSEWHERE = _where(
    is_recorded,
    "(recorded): right or wrong as the paper's authors recorded it, on the authors' images; no "
    "model was asked here. Which of these answers could not be read is mostly unknown. Nested "
    "squares of release v1: the run of June 2024; Claude 3.5 Sonnet's answers are not public.",
)
#: Explains the comparison of recorded answers.
RECORDED_PAIRS = _where(is_recorded, "Recorded answers are compared with each other alone.")
#: Explains for how many recorded answers the words are known.
RECORDED_COUNTS = _where(
    is_recorded,
    "Of others only answers are here whose words are public, as this suite's parser reads them.",
)
_ABOUT_AUTHORS = _where(
    is_about_authors,
    "(authors' images): the study's model, asked about the authors' own images in their own prompts, those of their "
    "later release.",
)
#: The clusters of the intervals.
CLUSTERS = "figures, each with all of its renderings and prompts"


def readers_columns(labels: Mapping[str, str], between: str = " ") -> tuple[Column | Across, ...]:
    """Return the columns for readers: one for each row of the CSV, under its label.

    Args:
        between: Separates an accuracy from its counts: a new line where columns are many.
    """
    return (Text("Model", "model"), Across(partial(_accuracy, between=between), labels), *UNPARSED)


NOTES: tuple[TableNote, ...] = (
    interval_note(CLUSTERS, "Below the accuracy"),
    "The interval of a plain mean: Wilson's, too, on as many answers as would vary as much as the mean does.",
    "Unparsed: answers that could not be read; they count as wrong.",
    _repeats,
    _ABOUT_AUTHORS,
    RECORDED_ELSEWHERE,
    "Uniform guessing: one of the possible answers at random (of a circled letter, one of the string's "
    "different letters); the expected accuracy. Always the same answer: the one answer that is right most "
    "often in that column, and for an average the one that is best over the whole table, in quotation marks; "
    "worked out from the keys of the items.",
)
#: The tables of the tasks, by name.
TASK_TABLES = {paper.name: task_table(paper) for paper in TABLES}
