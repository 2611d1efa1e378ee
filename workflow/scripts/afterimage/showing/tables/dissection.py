"""What moves a number of a table: the table is computed again under every documented choice that asks no model again.

A choice changes the answers that a table is made from, or its settings, and nothing else. The table's own declaration
then computes the number, so that any number of a table can be dissected: shares, F1, d'.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError, unknown_name
from afterimage.showing.tables.bounds import in_percent, share_of
from afterimage.showing.tables.cited_cells import (
    Companions,
    Rows,
    companions_of,
    naming_columns,
    row_name,
)
from afterimage.showing.tables.columns import rounded
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.table_files import csv_text

#: The rule that tables follow where answers are read by several.
_OFFICIAL = "official"
_UNREAD, _RECORDED = "unparsed", "recorded"
_INDEPENDENT = "independent answers"
# A factor with more levels identifies images, not a subset that somebody would report.
_MAX_LEVELS = 4
# Sets of choices are tried from the smallest on; each needs a table.
_MAX_TOGETHER, _MAX_TRIED = 3, 400
# Columns of grades that are no conditions.
_NO_FACTORS = frozenset(
    (
        *("suite", "model", "repeat", "key", "answer", "outcome", "reason", "correct", "score"),
        *("kind", "decided_by", "prompt", "prompts", "row", "figure", "question", "task"),
    )
)
_PROMPTS = ("prompt", "prompts")
_ROUNDED, _CUT_OFF = "rounded", "cut off"
_NUMBER = re.compile(r"-?\d+(\.\d+)?")

#: Returns answers and settings under a choice.
Change = Callable[[pd.DataFrame, Settings], tuple[pd.DataFrame, Settings]]


@dataclass(frozen=True)
class Choice:
    """One alternative.

    Attributes:
        kind: What is chosen, one of a kind at a time: reader, rule, unread, prompt, subset, repeat, mixed up,
            interval, average.
        change: Changes answers and settings; None for what is computed from the table's rows.
    """

    kind: str
    name: str
    change: Change | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Return kind and name: ``rule: strict``."""
        return f"{self.kind}: {self.name}"


class Found(NamedTuple):
    """A number under some choices, as texts of the CSV; "" if there is none."""

    choices: tuple[Choice, ...]
    value: str
    low: str = ""
    high: str = ""
    k: str = ""
    n: str = ""


@dataclass(frozen=True)
class Dissection:
    """A number under all choices.

    Attributes:
        base: The number in the table.
        single: The number under each choice alone, the farthest first.
        printed: The number to explain; "" for none.
        tried: The greatest size of set of which every set was tried.
        sets: How many sets were tried: the more there are, the likelier one matches by chance.
        matches: The smallest sets of choices that print it, () being the base itself, and how: "rounded" or "cut off".
            Cutting off counts as a further choice.
    """

    base: Found
    single: tuple[Found, ...]
    printed: str = ""
    tried: int = 0
    sets: int = 0
    matches: tuple[tuple[Found, str], ...] = ()


def dissect(
    table: Table, grades: pd.DataFrame, settings: Settings, row: str, column: str, printed: str = ""
) -> Dissection:
    """Compute a number under every choice, and find the smallest set of choices that gives a printed number.

    Args:
        grades: The answers that the table is made from.
        row: The row's name, as manuscripts cite it.
        column: A column of numbers.
        printed: Digits as they were printed, such as "45.83".

    Raises:
        AfterimageError: There is no such row or column, or it holds no number.
    """
    if printed and not _NUMBER.fullmatch(printed):
        raise AfterimageError(f"--printed: found '{printed}'; expected a number such as 45.83.")
    number = _DissectedNumber(table, settings, row, column, grades)
    single = [found for choice in number.choices for found in [number.under((choice,))] if found]
    exact = Fraction(number.base.value)
    single.sort(key=lambda found: -abs(Fraction(found.value) - exact))
    if not printed:
        return Dissection(number.base, tuple(single))
    tried, sets, matches = _matching(number, printed)
    return Dissection(number.base, tuple(single), printed, tried, sets, tuple(matches))


def _matching(number: "_DissectedNumber", printed: str) -> tuple[int, int, list[tuple[Found, str]]]:
    """Return the largest size of set tried, how many sets, and the smallest sets that print the number."""
    # A choice that moves nothing alone may do so with others; one about intervals moves only bounds.
    moving = [choice for choice in number.choices if choice.kind != "interval" or number.is_bound]
    matches: list[tuple[Found, str]] = []
    tried = 0
    for size in range(_MAX_TOGETHER + 1):
        sets = [
            chosen
            for chosen in combinations(moving, size)
            if len({choice.kind for choice in chosen}) == size
        ]
        if len(sets) > _MAX_TRIED:
            return size - 1, tried, matches
        tried += len(sets)
        for chosen in sets:
            found = number.under(chosen)
            how = prints_as(found.value, printed) if found else ""
            matches += [(found, how)] if found and how else []
        needed = [len(found.choices) + (how == _CUT_OFF) for found, how in matches]
        # A set with one more choice is as small as one whose number is cut off.
        if needed and min(needed) <= size:
            fewest = min(needed)
            return (
                size,
                tried,
                [match for match, count in zip(matches, needed, strict=True) if count == fewest],
            )
    return _MAX_TOGETHER, tried, matches


def prints_as(value: str, printed: str) -> str:
    """Return how a value prints as those digits: "rounded", "cut off", or "" if it does not."""
    decimals = len(printed.partition(".")[2])
    if Decimal(rounded(Fraction(value), decimals)) == Decimal(printed):
        return _ROUNDED
    quantum = Decimal(1).scaleb(-decimals)
    return _CUT_OFF if Decimal(value).quantize(quantum, ROUND_DOWN) == Decimal(printed) else ""


class _DissectedNumber:
    """A table's number with its row, its answers and its choices."""

    def __init__(
        self, table: Table, settings: Settings, row: str, column: str, grades: pd.DataFrame
    ) -> None:
        self._table, self._settings, self._column = table, settings, column
        rows = self._rows(grades, settings)
        self._naming = naming_columns(rows)
        named = {row_name(candidate, self._naming): candidate for candidate in rows}
        if row not in named:
            raise unknown_name("row", row, named, f"table '{table.name}'")
        self._row = named[row]
        if column not in self._row:
            raise unknown_name("column", column, self._row, f"table '{table.name}'")
        if not _NUMBER.fullmatch(self._row[column]):
            raise AfterimageError(
                f"table '{table.name}', row '{row}': '{column}' is '{self._row[column]}'; expected a number."
            )
        self._companions = companions_of(column, list(self._row), rows)
        self.is_bound = any(
            column in (companion.low, companion.high) for companion in self._all_companions(rows)
        )
        self._grades = grades
        self._cache: dict[tuple[Choice, ...], Found | None] = {}
        self.base = self._read_row((), self._row)
        cells = {self._row[name] for name in self._naming}
        answers = grades[grades["model"].isin(cells)] if "model" in grades else grades
        # Other models' answers stay where they matter, as for a correction over all pairs.
        if len(answers) and self._gives_same_number(answers.reset_index(drop=True)):
            self._grades = answers.reset_index(drop=True)
        self.choices = [
            choice
            for choice in [
                *choices_of(self._answers_of_row(), settings),
                *_mixed_up(self._answers_of_row(), grades, settings),
            ]
            if self.under((choice,)) is not None
        ]
        if self._row.get("averaging"):
            self.choices += [Choice("average", "mean of the rows"), Choice("average", "pooled")]

    @staticmethod
    def _all_companions(rows: Rows) -> list[Companions]:
        columns = list(rows[0])
        return [companions_of(column, columns, rows) for column in columns]

    def under(self, chosen: tuple[Choice, ...]) -> Found | None:
        """Return the number under some choices; None if it is undefined."""
        if chosen not in self._cache:
            self._cache[chosen] = self._compute(chosen)
        return self._cache[chosen]

    def _compute(self, chosen: tuple[Choice, ...]) -> Found | None:
        grades, settings = self._grades, self._settings
        for choice in chosen:
            if choice.change is not None:
                grades, settings = choice.change(grades, settings)
        if grades.empty:
            return None
        rows = self._rows(grades, settings)
        row = self._find_row(rows)
        averages = [choice.name for choice in chosen if choice.kind == "average"]
        if row is None:
            return None
        if averages:
            return self._average(chosen, rows, row, averages[0])
        return self._read_row(chosen, row) if _NUMBER.fullmatch(row[self._column]) else None

    def _average(
        self, chosen: tuple[Choice, ...], rows: Rows, row: Mapping[str, str], how: str
    ) -> Found | None:
        """Average the table's rows, with equal weight for each row or for each answer."""
        *others, last = self._naming
        parts = [
            part
            for part in rows
            if part[last] != row[last]
            and all(part[name] == row[name] for name in others)
            and part.get("k")
            and part.get("n")
        ]
        if not parts:
            return None
        counts = [(int(part["k"]), int(part["n"])) for part in parts]
        k, n = (sum(count) for count in zip(*counts, strict=True))
        means = [Fraction(100 * right, total) for right, total in counts]
        if how == "pooled":
            return Found(chosen, rounded(Fraction(100 * k, n), 4), k=str(k), n=str(n))
        return Found(chosen, rounded(sum(means) / len(means), 4))

    def _rows(self, grades: pd.DataFrame, settings: Settings) -> list[dict[str, str]]:
        frame = frame_of(self._table, grades, settings)
        return list(csv.DictReader(io.StringIO(csv_text(frame, self._table.csv_formats))))

    def _find_row(self, rows: Rows) -> Mapping[str, str] | None:
        """Return the row of the same name, or else the one whose name differs only in prompts."""
        for names in (
            self._naming,
            [name for name in self._naming if name not in _PROMPTS],
        ):
            like = [row for row in rows if all(row[name] == self._row[name] for name in names)]
            if len(like) == 1:
                return like[0]
        return None

    def _read_row(self, chosen: tuple[Choice, ...], row: Mapping[str, str]) -> Found:
        companion = self._companions
        value, low, high, k, n = (
            row[name] if name else ""
            for name in (self._column, companion.low, companion.high, companion.k, companion.n)
        )
        if any(choice.name == _INDEPENDENT for choice in chosen) and k and n:
            verdicts = [index < int(k) for index in range(int(n))]
            share = share_of(verdicts, range(int(n)), self._settings)
            low, high = (rounded(bound, 4) for bound in in_percent(share))
        return Found(chosen, value, low, high, k, n)

    def _gives_same_number(self, grades: pd.DataFrame) -> bool:
        row = self._find_row(self._rows(grades, self._settings))
        return row is not None and row[self._column] == self._row[self._column]

    def _answers_of_row(self) -> pd.DataFrame:
        """Return the answers in which choices are looked for: those of the row, as far as its name says."""
        prepare = self._table.of
        found = self._grades if prepare is None else prepare(self._grades, self._settings)
        for name in self._naming:
            if name in found and self._row[name] in set(found[name].astype(str)):
                found = found[found[name].astype(str) == self._row[name]]
        return found


# ---- choices ----


def choices_of(answers: pd.DataFrame, settings: Settings) -> list[Choice]:
    """Return every choice that some answers allow, in the order in which a reader would ask for them."""
    return [
        *_readers(answers),
        *_rules(answers),
        *_unread(answers),
        *_each_level("prompt", "prompt", answers),
        *(choice for name in _factors(answers) for choice in _each_level("subset", name, answers)),
        *_each_level("repeat", "repeat", answers),
        *_intervals(settings),
    ]


def _readers(answers: pd.DataFrame) -> Iterator[Choice]:
    """Yield the parser's reading, where a judge, a person or a record decided instead."""
    read = _is_read(answers)
    if read.any() and ((answers["answer"] == answers["key"]) != answers["correct"])[read].any():
        yield Choice("reader", "this suite's parser", _by_parser)


def _is_read(answers: pd.DataFrame) -> pd.Series:
    return answers["answer"].notna() & (answers["outcome"] != _RECORDED)


def _by_parser(grades: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, Settings]:
    parsed = grades["answer"] == grades["key"]
    return grades.assign(correct=parsed.where(_is_read(grades), grades["correct"])), settings


def _rules(answers: pd.DataFrame) -> Iterator[Choice]:
    """Yield every other reading rule, which replaces the official one."""
    if "readings" not in answers:
        return
    readings = [dict(reading) for reading in answers["readings"].dropna()]
    if len(readings) < len(answers) or not all(_OFFICIAL in reading for reading in readings):
        return
    keys = set(answers["key"])
    for rule in dict.fromkeys(name for reading in readings for name in reading):
        results = [reading.get(rule) for reading in readings]
        # Not every reading is an answer: "ending" says how the reply ended.
        if rule != _OFFICIAL and None not in results and not keys.isdisjoint(results):
            yield Choice("rule", rule, partial(_by_rule, rule))


def _by_rule(rule: str, grades: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, Settings]:
    readings = [
        {**dict(reading), _OFFICIAL: dict(reading).get(rule, "")} for reading in grades["readings"]
    ]
    correct = [
        reading[_OFFICIAL] == key for reading, key in zip(readings, grades["key"], strict=True)
    ]
    return grades.assign(readings=readings, correct=correct), settings


def _unread(answers: pd.DataFrame) -> Iterator[Choice]:
    if (answers["outcome"] == _UNREAD).any():
        yield Choice("unread", "left out", _without_unread)


def _without_unread(grades: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, Settings]:
    return _filtered(grades, grades["outcome"] != _UNREAD), settings


def _each_level(kind: str, name: str, answers: pd.DataFrame) -> Iterator[Choice]:
    """Yield each level of a column alone, where there are several."""
    levels = list(dict.fromkeys(answers[name].dropna()))
    if 1 < len(levels) <= _MAX_LEVELS:
        for level in levels:
            label = f"{level} alone" if kind == "prompt" else f"{name} {level}"
            yield Choice(kind, label, partial(_one_level, name, level))


def _one_level(
    name: str, level: object, grades: pd.DataFrame, settings: Settings
) -> tuple[pd.DataFrame, Settings]:
    return _filtered(grades, grades[name] == level), settings


def _factors(answers: pd.DataFrame) -> list[str]:
    names = [name for name in answers if name not in _NO_FACTORS and not name.endswith("_id")]
    return [name for name in names if answers[name].map(type).isin((str, int, float)).all()]


def _mixed_up(
    answers: pd.DataFrame, everything: pd.DataFrame, settings: Settings
) -> Iterator[Choice]:
    """Yield the swap of one prompt's answers with each other model's: files get mixed up."""
    prompts, models = set(answers["prompt"]), set(answers["model"])
    if len(models) > 1 or len(prompts) < 2:
        return
    (model,) = models
    for prompt in sorted(prompts):
        same = everything[everything["prompt"] == prompt]
        for other in dict.fromkeys(same["model"]):
            if other != model and other not in settings.get("responders", ()):
                swapped = same[same["model"] == other].assign(model=model)
                yield Choice("mixed up", f"{prompt} of {other}", partial(_swapped, swapped))


def _swapped(
    swapped: pd.DataFrame, grades: pd.DataFrame, settings: Settings
) -> tuple[pd.DataFrame, Settings]:
    model, prompt = swapped[["model", "prompt"]].iloc[0]
    kept = grades[(grades["prompt"] != prompt) | (grades["model"] != model)]
    return pd.concat([kept, swapped], ignore_index=True), settings


def _intervals(settings: Settings) -> Iterator[Choice]:
    yield Choice("interval", _INDEPENDENT)
    for confidence in (0.90, 0.95, 0.99):
        if confidence != settings.get("confidence"):
            yield Choice(
                "interval", f"{100 * confidence:.0f} %", partial(_with_confidence, confidence)
            )


def _with_confidence(
    confidence: float, grades: pd.DataFrame, settings: Settings
) -> tuple[pd.DataFrame, Settings]:
    return grades, {**settings, "confidence": confidence}


def _filtered(grades: pd.DataFrame, mask: pd.Series) -> pd.DataFrame:
    return grades[mask].reset_index(drop=True)
