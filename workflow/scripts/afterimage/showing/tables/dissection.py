"""What moves a number of a table: the table worked out anew under every documented choice that asks nobody again.

A choice changes the answers that a table is made from, or its settings, and nothing else. The table's own declaration
then works out the number, so that whatever a table has can be taken apart: shares, F1, d'.
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
    companions,
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
# A factor with more levels names images, not a subset that somebody would report.
_MAX_LEVELS = 4
# Sets of choices are tried from the smallest on, a table worked out for each.
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

#: Returns answers and settings as a choice has them.
Change = Callable[[pd.DataFrame, Settings], tuple[pd.DataFrame, Settings]]


@dataclass(frozen=True)
class Choice:
    """One way to do it otherwise.

    Attributes:
        kind: What is chosen, one of a kind at a time: reader, rule, unread, prompt, subset, repeat, mixed up,
            interval, average.
        change: What it does to answers and settings; None for what is formed from the table's rows.
    """

    kind: str
    name: str
    change: Change | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Return kind and name: ``rule: strict``."""
        return f"{self.kind}: {self.name}"


class Found(NamedTuple):
    """A number under some choices: CSV texts, "" where there is none."""

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
        base: As the table has it.
        single: Under each choice alone, the farthest first.
        printed: The number that was looked for; "" for none.
        tried: The greatest number of choices of which every set was tried.
        sets: How many sets were tried: the more there are, the sooner one matches by chance.
        matches: The smallest sets of choices that print it, () of the base itself among them, and how: "rounded" or
            "cut off". A number that is cut off counts as a choice more.
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
    """Work a number out under every choice, and find the smallest set of choices that prints a number.

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
    taken = _Taken(table, settings, row, column, grades)
    single = [found for choice in taken.choices for found in [taken.under((choice,))] if found]
    exact = Fraction(taken.base.value)
    single.sort(key=lambda found: -abs(Fraction(found.value) - exact))
    if not printed:
        return Dissection(taken.base, tuple(single))
    tried, sets, matches = _matching(taken, printed)
    return Dissection(taken.base, tuple(single), printed, tried, sets, tuple(matches))


def _matching(taken: "_Taken", printed: str) -> tuple[int, int, list[tuple[Found, str]]]:
    """Return how many choices were tried together, how many sets, and the smallest sets that print the number."""
    # A choice that moves nothing alone may do so beside others; one about intervals moves their bounds alone.
    moving = [choice for choice in taken.choices if choice.kind != "interval" or taken.is_bound]
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
            found = taken.under(chosen)
            how = prints_as(found.value, printed) if found else ""
            matches += [(found, how)] if found and how else []
        needed = [len(found.choices) + (how == _CUT_OFF) for found, how in matches]
        # A set of one choice more is as small as one whose number is cut off.
        if needed and min(needed) <= size:
            least = min(needed)
            return (
                size,
                tried,
                [one for one, own in zip(matches, needed, strict=True) if own == least],
            )
    return _MAX_TOGETHER, tried, matches


def prints_as(value: str, printed: str) -> str:
    """Return how a value prints as those digits: "rounded", "cut off" or not at all, "".

    A CSV has four decimals; one that lies on the edge of the digits counts for both sides.
    """
    decimals = len(printed.partition(".")[2])
    if Decimal(rounded(Fraction(value), decimals)) == Decimal(printed):
        return _ROUNDED
    places = Decimal(1).scaleb(-decimals)
    return _CUT_OFF if Decimal(value).quantize(places, ROUND_DOWN) == Decimal(printed) else ""


class _Taken:
    """A number that is taken apart: its row, its answers and its choices."""

    def __init__(
        self, table: Table, settings: Settings, row: str, column: str, grades: pd.DataFrame
    ) -> None:
        self._table, self._settings, self._column = table, settings, column
        rows = self._rows(grades, settings)
        self._naming = naming_columns(rows)
        named = {row_name(one, self._naming): one for one in rows}
        if row not in named:
            raise unknown_name("row", row, named, f"table '{table.name}'")
        self._row = named[row]
        if column not in self._row:
            raise unknown_name("column", column, self._row, f"table '{table.name}'")
        if not _NUMBER.fullmatch(self._row[column]):
            raise AfterimageError(
                f"table '{table.name}', row '{row}': '{column}' is '{self._row[column]}'; expected a number."
            )
        self._beside = companions(column, list(self._row), rows)
        self.is_bound = any(column in (own.low, own.high) for own in self._of_columns(rows))
        self._grades = grades
        self._known: dict[tuple[Choice, ...], Found | None] = {}
        self.base = self._found((), self._row)
        cells = {self._row[name] for name in self._naming}
        own = grades[grades["model"].isin(cells)] if "model" in grades else grades
        # Where the others matter, as for a correction over all pairs, they stay.
        if len(own) and self._same(own.reset_index(drop=True)):
            self._grades = own.reset_index(drop=True)
        self.choices = [
            choice
            for choice in [
                *choices_of(self._in_row(), settings),
                *_mixed(self._in_row(), grades, settings),
            ]
            if self.under((choice,)) is not None
        ]
        if self._row.get("averaging"):
            self.choices += [Choice("average", "mean of the rows"), Choice("average", "pooled")]

    @staticmethod
    def _of_columns(rows: Rows) -> list[Companions]:
        columns = list(rows[0])
        return [companions(column, columns, rows) for column in columns]

    def under(self, chosen: tuple[Choice, ...]) -> Found | None:
        """Return the number under some choices; None where it is not defined then."""
        if chosen not in self._known:
            self._known[chosen] = self._worked(chosen)
        return self._known[chosen]

    def _worked(self, chosen: tuple[Choice, ...]) -> Found | None:
        grades, settings = self._grades, self._settings
        for choice in chosen:
            if choice.change is not None:
                grades, settings = choice.change(grades, settings)
        if grades.empty:
            return None
        rows = self._rows(grades, settings)
        row = self._like(rows)
        averages = [choice.name for choice in chosen if choice.kind == "average"]
        if row is None:
            return None
        if averages:
            return self._averaged(chosen, rows, row, averages[0])
        return self._found(chosen, row) if _NUMBER.fullmatch(row[self._column]) else None

    def _averaged(
        self, chosen: tuple[Choice, ...], rows: Rows, row: Mapping[str, str], how: str
    ) -> Found | None:
        """Form an average of a table's rows anew: each row alike, or each answer."""
        *others, last = self._naming
        parts = [
            one
            for one in rows
            if one[last] != row[last]
            and all(one[name] == row[name] for name in others)
            and one.get("k")
            and one.get("n")
        ]
        if not parts:
            return None
        counts = [(int(one["k"]), int(one["n"])) for one in parts]
        k, n = (sum(count) for count in zip(*counts, strict=True))
        means = [Fraction(100 * own, of) for own, of in counts]
        if how == "pooled":
            return Found(chosen, rounded(Fraction(100 * k, n), 4), k=str(k), n=str(n))
        return Found(chosen, rounded(sum(means) / len(means), 4))

    def _rows(self, grades: pd.DataFrame, settings: Settings) -> list[dict[str, str]]:
        frame = frame_of(self._table, grades, settings)
        return list(csv.DictReader(io.StringIO(csv_text(frame, self._table.csv_formats))))

    def _like(self, rows: Rows) -> Mapping[str, str] | None:
        """Return the row of the same name, or else that of the same name but for its prompts."""
        for names in (
            self._naming,
            [name for name in self._naming if name not in _PROMPTS],
        ):
            like = [row for row in rows if all(row[name] == self._row[name] for name in names)]
            if len(like) == 1:
                return like[0]
        return None

    def _found(self, chosen: tuple[Choice, ...], row: Mapping[str, str]) -> Found:
        own = self._beside
        value, low, high, k, n = (
            row[name] if name else "" for name in (self._column, own.low, own.high, own.k, own.n)
        )
        if any(choice.name == _INDEPENDENT for choice in chosen) and k and n:
            verdicts = [place < int(k) for place in range(int(n))]
            alone = share_of(verdicts, range(int(n)), self._settings)
            low, high = (rounded(bound, 4) for bound in in_percent(alone))
        return Found(chosen, value, low, high, k, n)

    def _same(self, grades: pd.DataFrame) -> bool:
        row = self._like(self._rows(grades, self._settings))
        return row is not None and row[self._column] == self._row[self._column]

    def _in_row(self) -> pd.DataFrame:
        """Return the answers among which choices are sought: those of the row, as far as its name tells."""
        of = self._table.of
        found = self._grades if of is None else of(self._grades, self._settings)
        for name in self._naming:
            if name in found and self._row[name] in set(found[name].astype(str)):
                found = found[found[name].astype(str) == self._row[name]]
        return found


# ---- choices ----


def choices_of(answers: pd.DataFrame, settings: Settings) -> list[Choice]:
    """Return every choice that some answers have, best in the order in which a reader would ask for them."""
    return [
        *_readers(answers),
        *_rules(answers),
        *_unread(answers),
        *_only("prompt", "prompt", answers),
        *(one for name in _factors(answers) for one in _only("subset", name, answers)),
        *_only("repeat", "repeat", answers),
        *_intervals(settings),
    ]


def _readers(answers: pd.DataFrame) -> Iterator[Choice]:
    """Yield the parser's reading, where somebody else's word decided: a judge's, people's, or a record's."""
    read = _read(answers)
    if read.any() and ((answers["answer"] == answers["key"]) != answers["correct"])[read].any():
        yield Choice("reader", "this suite's parser", _parsed)


def _read(answers: pd.DataFrame) -> pd.Series:
    return answers["answer"].notna() & (answers["outcome"] != _RECORDED)


def _parsed(grades: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, Settings]:
    ours = grades["answer"] == grades["key"]
    return grades.assign(correct=ours.where(_read(grades), grades["correct"])), settings


def _rules(answers: pd.DataFrame) -> Iterator[Choice]:
    """Yield every other rule of reading, which then takes the place of the official one."""
    if "readings" not in answers:
        return
    readings = [dict(one) for one in answers["readings"].dropna()]
    if len(readings) < len(answers) or not all(_OFFICIAL in one for one in readings):
        return
    keys = set(answers["key"])
    for rule in dict.fromkeys(name for one in readings for name in one):
        said = [one.get(rule) for one in readings]
        # Not every reading is one of the answer: "ending" says how it ended.
        if rule != _OFFICIAL and None not in said and not keys.isdisjoint(said):
            yield Choice("rule", rule, partial(_ruled, rule))


def _ruled(rule: str, grades: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, Settings]:
    told = [{**dict(one), _OFFICIAL: dict(one).get(rule, "")} for one in grades["readings"]]
    correct = [one[_OFFICIAL] == key for one, key in zip(told, grades["key"], strict=True)]
    return grades.assign(readings=told, correct=correct), settings


def _unread(answers: pd.DataFrame) -> Iterator[Choice]:
    if (answers["outcome"] == _UNREAD).any():
        yield Choice("unread", "left out", _without_unread)


def _without_unread(grades: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, Settings]:
    return _kept(grades, grades["outcome"] != _UNREAD), settings


def _only(kind: str, name: str, answers: pd.DataFrame) -> Iterator[Choice]:
    """Yield each level of a column alone, where there are several."""
    levels = list(dict.fromkeys(answers[name].dropna()))
    if 1 < len(levels) <= _MAX_LEVELS:
        for level in levels:
            said = f"{level} alone" if kind == "prompt" else f"{name} {level}"
            yield Choice(kind, said, partial(_one_level, name, level))


def _one_level(
    name: str, level: object, grades: pd.DataFrame, settings: Settings
) -> tuple[pd.DataFrame, Settings]:
    return _kept(grades, grades[name] == level), settings


def _factors(answers: pd.DataFrame) -> list[str]:
    names = [name for name in answers if name not in _NO_FACTORS and not name.endswith("_id")]
    return [name for name in names if answers[name].map(type).isin((str, int, float)).all()]


def _mixed(answers: pd.DataFrame, everything: pd.DataFrame, settings: Settings) -> Iterator[Choice]:
    """Yield every other model's answers to one of several prompts in the place of the row's own: files get mixed up."""
    prompts, models = set(answers["prompt"]), set(answers["model"])
    if len(models) > 1 or len(prompts) < 2:
        return
    (model,) = models
    for prompt in sorted(prompts):
        same = everything[everything["prompt"] == prompt]
        for other in dict.fromkeys(same["model"]):
            if other != model and other not in settings.get("responders", ()):
                theirs = same[same["model"] == other].assign(model=model)
                yield Choice("mixed up", f"{prompt} of {other}", partial(_swapped, theirs))


def _swapped(
    theirs: pd.DataFrame, grades: pd.DataFrame, settings: Settings
) -> tuple[pd.DataFrame, Settings]:
    model, prompt = theirs[["model", "prompt"]].iloc[0]
    left = grades[(grades["prompt"] != prompt) | (grades["model"] != model)]
    return pd.concat([left, theirs], ignore_index=True), settings


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


def _kept(grades: pd.DataFrame, mask: pd.Series) -> pd.DataFrame:
    return grades[mask].reset_index(drop=True)
