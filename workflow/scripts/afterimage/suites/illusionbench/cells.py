"""What the paper's tables share: columns, exact shares, cells, and the notes below them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from afterimage.contract.readings import JUDGE
from afterimage.note import Note
from afterimage.showing.looks import kind_of
from afterimage.showing.tables.baselines import MEASURED
from afterimage.showing.tables.bounds import Interval, interval_note, repeats_note, score_bounds
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Column,
    Printed,
    Row,
    bounds_text,
    is_missing,
    rounded,
)
from afterimage.showing.tables.declaration import Settings, Span, Split, TableNote
from afterimage.showing.tables.judgement_columns import is_by_reference, judge_note
from afterimage.showing.tables.paper_form import PEOPLE_KIND, first_line
from afterimage.showing.tables.values import (
    Group,
    Kind,
    Named,
    Value,
    Within,
    require_columns,
    within,
)
from afterimage.suites.illusionbench.names import CATEGORIES, DESCRIPTIONS, DIFFICULTIES

# Exact shares and means, so that a value halfway between two printed ones prints alike wherever it is printed.
#
# Their intervals are over images: several answers about an image, and those of several people, may be alike.

#: Digits of the paper's tables, and of the CSV files.
DECIMALS = 4
# Scores are means of a few whole numbers; their sums are whole numbers of millionths but for the last bits of floats.
_PER_UNIT = 1_000_000


@dataclass(frozen=True)
class Exact(Named):
    """One sum over the answers divided by another; answers that lack either value are left out.

    Attributes:
        name: Of the column; of a block's own value, empty.
        numerator: The column that is summed.
        denominator: The column of whole numbers whose sum divides it; the ratio is undefined where that is 0.
    """

    name: str
    numerator: str
    denominator: str = "one"
    kind: Kind = "number"

    def of(self, group: Group) -> tuple[float]:
        known = group.answers[[self.numerator, self.denominator]].dropna()
        return (as_float(ratio(known[self.numerator], int(known[self.denominator].sum()))),)


def ratio(values: Iterable[float], n: int) -> Fraction | None:
    """Return the sum of scores divided by ``n``; None if that is 0."""
    return Fraction(round(math.fsum(values) * _PER_UNIT), _PER_UNIT * n) if n else None


def as_float(value: Fraction | None) -> float:
    """Return the float nearest to ``value`` that rounds to the same four decimals; NaN for None."""
    if value is None:
        return float("nan")
    number = float(value)
    while rounded(number, DECIMALS) != rounded(value, DECIMALS):
        number = math.nextafter(number, math.inf if value > 0 else -math.inf)
    return number


def printed(value: float) -> Fraction:
    """Return the number that stands in a table for ``value``: four decimals, halves away from zero."""
    return Fraction(rounded(value, DECIMALS))


@dataclass(frozen=True)
class OverImages:
    """Bounds of a mean of numbers from 0 to ``top``; images are the clusters.

    Attributes:
        column: The column with the number of each answer; answers without one do not count.
        among: The column that tells which answers count.
        top: The highest number.
    """

    column: str
    among: str
    top: float = 1.0
    kind: Kind = "number"
    names = ("low", "high")

    def of(self, group: Group) -> Interval:
        counted = group.answers.dropna(subset=[self.column, self.among])
        counted = counted[counted[self.among] > 0]
        images = counted["stimulus_id"]
        return Interval(*score_bounds(counted[self.column], images, group.settings, self.top))


# The nine columns of the paper's tables, and the order and headings of their rows.

ALL = "all"
COLUMNS = (*CATEGORIES, *DIFFICULTIES, ALL)
HEADERS = {
    "classical": "Classical\n(P1)",
    "real_scene": "Real Scene\n(P2)",
    "no_illusion": "No Illusion\n(P3)",
    "ishihara": "Ishihara\n(P4)",
    "trap": "Trap\n(P5)",
    "easy": "Easy",
    "neutral": "Neutral",
    "hard": "Hard",
    ALL: "All",
}
_NEEDED = ("model", "question", "stimulus_id", "category", "difficulty", "outcome", "correct")

#: Reference responders are yardsticks and never the best model.
REFERENCE = "Reference responders"
#: The same where a reference judge has scored their descriptions.
JUDGED_BY_REFERENCE = "Reference responders (reference judge)"
OTHERS = "Other models"
#: The row of people's answers comes last and does not compete.
HUMAN, PEOPLE = "Human", "People"
#: Responders that do not see the image come below all others and do not compete either.
UNSEEING = "Without looking"


def spans(names: int) -> tuple[Span, ...]:
    """Return the paper's headings over the columns, after this many columns of names."""
    return (
        Span("", names),
        Span("Image Category", len(CATEGORIES)),
        Span("Difficulty Rating", len(DIFFICULTIES)),
        Span("", 1),
    )


def in_column(frame: pd.DataFrame, column: str) -> pd.Series:
    """Tell which rows of a frame with ``category`` and ``difficulty`` belong to a column."""
    if column == ALL:
        return pd.Series(True, index=frame.index)
    factor = "category" if column in CATEGORIES else "difficulty"
    return frame[factor] == column


def per_column(block: Sequence[Value]) -> tuple[Within, ...]:
    """Return the values of a block for each of the columns, prefixed with the column's name."""
    return tuple(
        value
        for column in COLUMNS
        for value in within(f"{column}_", partial(in_column, column=column), block)
    )


def answers_to(grades: pd.DataFrame, question: str) -> pd.DataFrame:
    """Return the answers to one kind of question; of several orders of the options, those to the first.

    Raises:
        AfterimageError: A column that every table needs is missing.
    """
    require_columns(grades, _NEEDED)
    chosen = grades["question"] == question
    if "shuffle_round" in grades:
        chosen &= grades["shuffle_round"].isna() | (grades["shuffle_round"] == "0")
    return grades[chosen]


def by_model(prepared: Callable[[pd.DataFrame, Settings], pd.DataFrame]) -> Split:
    """Group prepared answers by model: a row for every model of the study, even without answers."""

    def split(
        grades: pd.DataFrame, settings: Settings
    ) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
        answers = prepared(grades, settings)
        for heading, model in ordered_models(grades, settings):
            yield {"group": heading, "model": model}, answers[answers["model"] == model]

    return split


def ordered_models(grades: pd.DataFrame, settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (heading, model) in the order of the rows: configured groups, others, reference responders.

    Args:
        grades: Graded answers; the order of the models inside a group is that of their first rows.
        settings: ``model_groups`` under ``illusionbench``: pairs of heading and models.
    """
    groups = settings["illusionbench"]["model_groups"]
    heading_of = {model: heading for heading, models in groups for model in models}
    present = list(dict.fromkeys(grades["model"]))
    named = {
        model: heading_of.get(model, REFERENCE if is_reference(model, settings) else OTHERS)
        for model in present
    }
    order = [*(heading for heading, _ in groups), OTHERS, REFERENCE]
    return [
        (heading, model)
        for heading in dict.fromkeys(order)
        for model in present
        if named[model] == heading
    ]


def is_reference(model: str, settings: Mapping[str, Any]) -> bool:
    """Tell whether a model is a reference responder: one of the study's, or of the registry."""
    return kind_of(model) == "responder" or model in settings.get("responders", ())


def competes(row: Mapping[str, Any]) -> bool:
    """Tell whether a row competes for the best of a column: a model does, a yardstick does not."""
    return row["group"] not in (REFERENCE, JUDGED_BY_REFERENCE, PEOPLE, UNSEEING)


# Rows and columns of these tables as the paper prints them.

#: Below the tables of true-or-false and multiple-choice questions.
SHARE_NOTE = "Right answers out of all, from 0 to 1; answers that could not be read are wrong."
#: Below the tables of descriptions.
SCORE_NOTE = "Scores from 0 to 2."


def alone_in_columns(cell: Callable[[str, str], Column]) -> tuple[Column, ...]:
    """Return the nine columns of the paper, each number alone.

    Args:
        cell: Takes header and column; returns a column that prints the number and, on further lines, its details.
    """
    return tuple(first_line(cell(HEADERS[column], column)) for column in COLUMNS)


def models_and_people(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of models and, without a heading of their own, people."""
    rows = frame[frame["group"] != UNSEEING]
    are_people = rows["group"] == PEOPLE
    return rows.assign(
        group=rows["group"].mask(are_people, ""),
        kind=are_people.map({True: PEOPLE_KIND, False: MEASURED}),
    )


# How the cells of these tables look: a number with four decimals, below it interval and counts.

_BOUND_DECIMALS = 2


class _Scale(NamedTuple):
    """How a share is printed: the number for the whole, and decimals of a number and of its bounds."""

    whole: int
    decimals: int
    bounds: int


_PERCENT, _SHARE = _Scale(100, 2, 1), _Scale(1, DECIMALS, _BOUND_DECIMALS)


def cell_of(printed: Callable[..., str], header: str, *columns: str, **named: bool) -> Printed:
    """Return a column whose cells a function prints, given names of columns and the row."""
    return Printed(header, partial(printed, *columns, **named))


def _accuracy(scale: _Scale, column: str, row: Row) -> str:
    # People's accuracy is a mean and a guess's an expectation; both are printed with the number of answers alone.
    if is_missing(row[f"{column}_n"]):
        return rounded(scale.whole * _value(row, column), scale.decimals)
    n, k = int(row[f"{column}_n"]), row[f"{column}_k"]
    if not n:
        return NOT_AVAILABLE
    exact = row[column] if is_missing(k) else Fraction(int(k), n)
    counts = f"n={n}" if is_missing(k) else f"{int(k)}/{n}"
    answer = row[f"{column}_answer"]
    counts += "" if is_missing(answer) else f" ({answer})"
    low, high = f"{column}_low", f"{column}_high"
    bounds = {name: scale.whole * _value(row, name) for name in (low, high)}
    interval = bounds_text(bounds, low, high, scale.bounds, optional=True)
    printed = rounded(scale.whole * exact, scale.decimals)
    return printed.with_text(f"{printed}{interval}\n{counts}")


def _mean(column: str, row: Row, deviation: bool = False) -> str:
    n = row[f"{column}_n"]
    if is_missing(row[column]) or n == 0:
        return NOT_AVAILABLE
    printed = rounded(row[column], DECIMALS)
    if deviation:
        printed = printed.with_text(f"{printed} \u00b1 {rounded(row[f'{column}_sd'], DECIMALS)}")
    if is_missing(n):
        return printed
    return printed.with_text(f"{printed}{_interval(row, column)}\nn={int(n)}")


def _fp(column: str, row: Row) -> str:
    questions = (row[f"{column}_negatives_n"], row[f"{column}_positives_n"])
    if questions == (0, 0):
        return NOT_AVAILABLE
    if is_missing(row[f"{column}_fp_k"]):
        return rounded(_value(row, column), DECIMALS)
    fp, fn = int(row[f"{column}_fp_k"]), int(row[f"{column}_fn_k"])
    ratio = rounded(Fraction(fp, fp + fn) if fp + fn else math.nan, DECIMALS)
    interval = _interval(row, column) if fp + fn else ""
    return ratio.with_text(
        f"{ratio}{interval}\nFP {_out_of(fp, questions[0])}\nFN {_out_of(fn, questions[1])}"
    )


def _counted(column: str, n: str, row: Row) -> str:
    if is_missing(row[column]):
        return NOT_AVAILABLE
    printed = rounded(row[column], DECIMALS)
    return printed if is_missing(row[n]) else printed.with_text(f"{printed}\nn={int(row[n])}")


#: Accuracy in percent, its interval, right answers out of all: ``76.53``, ``[72.1, 80.6]``, ``263/344``; and from 0 to
#: 1, as the paper has it.
accuracy_cell = partial(cell_of, partial(_accuracy, _PERCENT))
share_cell = partial(cell_of, partial(_accuracy, _SHARE))
#: A mean score, with its standard deviation if wanted (``deviation``), its interval, and how many scores it is of.
mean_cell = partial(cell_of, _mean)
#: The FP ratio, its interval, and both kinds of error out of the questions in which they can be made; of a guess, whose
#: errors cannot be counted, the ratio alone.
fp_cell = partial(cell_of, _fp)
#: A number with four decimals, and below it how many answers it is of.
counted_cell = partial(cell_of, _counted)


def _value(row: Row, column: str) -> float:
    return float("nan") if is_missing(row[column]) else row[column]


def _out_of(k: int, n: Any) -> str:
    """Print a count out of all, or alone where a paper prints no more."""
    return str(k) if is_missing(n) else f"{k}/{int(n)}"


def _interval(row: Row, column: str) -> str:
    return bounds_text(row, f"{column}_low", f"{column}_high", _BOUND_DECIMALS, optional=True)


# ---- notes: the data, the judge, the words, whose verdicts, what was left out, the intervals ----

_DATA = {
    "drawn": "Data: the set drawn here (seed {seed}), {images} images; no real scenes, which cannot be drawn.",
    "folder": "Data: a user's folder (annotations {version}), {images} images.",
    "release": "Data: the official release (annotations {version}), {images} images; its scores are not the paper's.",
}

#: Why no description has a score, without a reference judge and with one.
_NOT_JUDGED = (
    "the configuration names no judge (key 'judge'), or only reference responders were asked, whose descriptions no "
    "judge sees"
)
#: Where scores come from, of a reference judge and of another.
_BY_REFERENCE = (
    "Scores from 0 to 2 by the reference judge, from the drawn images' own facts, mean of its "
    "rounds; {scored} of {described} descriptions have one. It judges only reference responders, "
    "whose wordings it knows; the key 'judge.model' selects another judge."
)
_BY_JUDGE = "Scores from 0 to 2 by the judge, mean of its rounds; {scored} of {described} descriptions have one."
_NOT_KNOWN = (
    "the reference judge sees reference responders' descriptions of drawn images and nothing else"
)


def about(*questions: str, bounded: bool = True) -> tuple[TableNote, ...]:
    """Return the notes that every table has: data, prompts and judge, what was left out, intervals, repeats.

    Args:
        questions: The kinds of question that the table is about.
        bounded: Whether the table has intervals of shares or means.
    """

    def used(grades: pd.DataFrame) -> pd.DataFrame:
        return grades[grades["question"].isin(questions)]

    return (
        lambda grades, settings: _data_notes(used(grades), settings["illusionbench"]),
        *((interval_note("images", "In brackets"),) if bounded else ()),
        lambda grades, settings: repeats_note(used(grades)),
    )


def _data_notes(used: pd.DataFrame, chosen: Mapping[str, Any]) -> Iterator[str]:
    prompts = ", ".join(dict.fromkeys(used["prompt"])) or "none asked"
    yield Note(_DATA[chosen["source"]], **chosen)
    yield Note("Prompts: {prompts}. {used}", prompts=prompts, used=judge_note(used))
    yield _excluded(chosen["exclusions"])


def without_scores(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say why no description has a score, where none has."""
    if grades.loc[grades["question"].isin(DESCRIPTIONS), "score"].isna().all():
        yield _NOT_KNOWN if settings.get("reference_judge") else _NOT_JUDGED


def score_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Return the notes on scores: where they come from, and how many descriptions have one."""
    described = grades[grades["question"].isin(DESCRIPTIONS)]
    seen = described["readings"].map(lambda readings: JUDGE in readings).astype(bool)
    by_reference = described["readings"].map(is_by_reference).astype(bool)
    models = described["model"].map(lambda name: not is_reference(name, settings)).astype(bool)
    relevant, scored = described[seen | models], described["score"].notna()
    if why := next(without_scores(grades, settings), ""):
        yield Note("No description has a score, so n is 0: {why}.", why=why)
        return
    yield Note(
        _BY_REFERENCE if by_reference.any() else _BY_JUDGE,
        scored=scored.sum(),
        described=len(relevant),
    )


def _excluded(exclusions: Mapping[str, int]) -> str:
    if not exclusions:
        return "Left out: nothing."
    listed = "; ".join(f"{reason} ({count})" for reason, count in exclusions.items())
    return Note(
        "Left out before any model was asked, {exclusions} rows "
        "(<results>/stimuli/illusionbench/exclusions.csv): {listed}.",
        exclusions=sum(exclusions.values()),
        listed=listed,
    )
