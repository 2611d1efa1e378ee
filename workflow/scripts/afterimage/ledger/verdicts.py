"""Verdicts on published numbers: their uncertainty, quotations, and whether ours replicate them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from typing import Any, NamedTuple, TypedDict

from scipy.special import gammaincinv, ndtri

from afterimage.contract.paper import SOURCE, CellRef, Number, Paper
from afterimage.ledger.cells import Cell
from afterimage.ledger.published import HUMAN, is_quoted
from afterimage.showing.looks import MARK_OF_PAPER
from afterimage.statistics.intervals import Interval, mean_interval, wilson_interval
from afterimage.statistics.unmatched import (
    effective_n_of,
    effective_printed,
    printed_band,
    replicated,
    same_fact,
    score_kappa,
)

#: What a number of each unit can be at most; a count has no scale.
SCALES = {"percent": 100.0, "fraction": 1.0, "score_0_2": 2.0}
#: Means of scores are compared by the means themselves; the rule does not cover rank correlations.
_WITHOUT = ("_std", "_change", "_gain", "srcc")
_VERDICTS_CUT_OFF = "truncated"
CANNOT_TELL = "cannot_tell"


class Sampled(NamedTuple):
    """How many answers a printed number is from, and how its scores vary.

    Attributes:
        n: How many; None if the paper does not tell.
        deviation: Of printed scores, as printed; None if it is not printed, and for shares.
    """

    n: int | None
    deviation: float | None = None


class Judged(NamedTuple):
    """A study's number against a printed one; None for what cannot be said.

    Attributes:
        verdict: "consistent", "differs", "cannot_tell", or "" if none is given.
        difference: Study's minus printed, in the published unit.
        low: Lower bound of it.
        high: Upper bound of it.
        printed_n: How many answers the printed number is from; the study's number where the paper does not tell.
        worth: How many independent answers the study's are worth.
    """

    verdict: str
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    printed_n: int | None = None
    effective_n: float | None = None


def of_fact(number: Number, value: float) -> str:
    """Return the verdict on a number that is no sample's: a size, or what guessing gives.

    Misprints get none, and neither does what was not seen in its source.
    """
    if number.misprint or number.seen != SOURCE:
        return ""
    if number.unit == "count":
        decimals = len(number.published.partition(".")[2])
        alike = math.isclose(round(value, decimals), float(number.published), abs_tol=1e-9)
        return "consistent" if alike else "differs"
    scale = SCALES[number.unit]
    band = printed_band(number.published, scale, number.attainable == _VERDICTS_CUT_OFF)
    return str(same_fact(band, value / scale))


def of_result(
    number: Number, cell: Cell, sampled: Sampled, confidence: float, margin: float
) -> Judged:
    """Return the verdict on a result, by ``statistics/unmatched.py``.

    The effective number of the study's answers comes from its table's interval. A printed number without a count is
    assumed to have as many answers as the study's; then there is no verdict unless the two differ. There is none on
    misprints, deviations, relative changes and numbers not seen in their source.

    Args:
        confidence: Of the interval of ``cell``.
        margin: By how much of the scale the two may differ and still be called consistent.
    """
    unsure = number.misprint or number.seen != SOURCE
    if unsure or any(part in number.metric for part in _WITHOUT):
        return Judged("")
    if number.unit not in SCALES or cell.low is None or cell.high is None or not cell.n:
        return Judged(CANNOT_TELL)
    scale = SCALES[number.unit]
    value = cell.value / scale
    effective_n = effective_n_of(value, Interval(cell.low / scale, cell.high / scale), confidence)
    if math.isnan(effective_n):
        return Judged(CANNOT_TELL)
    most, kappa = float(cell.n), 1.0
    n = sampled.n or cell.n
    if sampled.deviation is not None and cell.deviation is not None:
        kappa = score_kappa(float(number.published), sampled.deviation, n)
        most *= score_kappa(cell.value, cell.deviation, cell.n)
    band = printed_band(number.published, scale, number.attainable == _VERDICTS_CUT_OFF)
    found = replicated(
        band,
        effective_printed(n, effective_n, most, kappa),
        value,
        effective_n,
        margin,
        counts_known=sampled.n is not None,
    )
    difference, low, high = (scale * each for each in (found.difference, found.low, found.high))
    return Judged(str(found.verdict), difference, low, high, n, effective_n)


# ---- uncertainty ----

#: Table IV prints the deviation of each type of description; the same scores are in tables V and VII.
_SCORED = "illusionbench_plus"
_TYPE_OF_BIN_SCORE = {
    "semantic_score_mean": "semantic_content",
    "step_by_step_score_mean": "step_by_step",
}
_HIGHEST_SCORE = 2.0
#: Methods that know nothing of a sample: the values that print alike.
PRINTED_ALIKE = _ROUNDED, _UNCERTAINTY_CUT_OFF = ("rounding", "digits cut off")


class Uncertainty(NamedTuple):
    """The published number's own interval.

    Attributes:
        low: Lower bound, in the published unit.
        high: Upper bound.
        method: Where the bounds come from.
    """

    low: float
    high: float
    method: str


class Published:
    """The printed numbers of all papers, and the interval of each."""

    def __init__(self, numbers: Iterable[Number], confidence: float) -> None:
        """Take the numbers; ``confidence`` is the coverage of the intervals, 0 to 1."""
        self._numbers = {number[:5]: number for number in numbers}
        #: Coverage of the intervals, the study's own among them.
        self.confidence = confidence
        self._rows: dict[tuple[str, ...], list[Number]] = {}
        for number in self._numbers.values():
            if number.subset != "average":
                self._rows.setdefault((*number[:3], number.metric), []).append(number)

    def uncertainty(self, number: Number) -> Uncertainty:
        """Return the interval of a printed result.

        Of a share with a count: Wilson's. Of an average of such shares: from theirs. Of a mean score: normal, with the
        deviation that the paper prints for the same type of description. Of such a deviation: from chi-square. Of a
        relative change of two means: normal, by the delta method, as if the two were independent. Of all others, and
        where one of these is undefined: the values that print alike.
        """
        for found in (self._of_share, self._of_average, self._of_score, self._of_change):
            bounds = found(number)
            if bounds is not None and not any(map(math.isnan, bounds[:2])):
                return bounds
        return _rounding(number)

    def sampled(self, number: Number) -> Sampled:
        """Return how many answers a printed number is from: of an average, those of its rows."""
        counts = [number.denominator]
        if number.subset == "average" and not number.denominator:
            counts = [row.denominator for row in self._rows.get((*number[:3], number.metric), [])]
        n = sum(map(int, counts)) if counts and all(counts) else None
        deviation = self._deviation(number) if number.unit == "score_0_2" else None
        return Sampled(n, None if deviation is None else float(deviation.published))

    def _of_share(self, number: Number) -> Uncertainty | None:
        scale = {"percent": 100.0, "fraction": 1.0}.get(number.unit)
        if scale is None or not (number.attainable_k and number.denominator):
            return None
        k, n = int(number.attainable_k), int(number.denominator)
        low, high = wilson_interval(k, n, self.confidence)
        return Uncertainty(scale * low, scale * high, "Wilson")

    def _of_average(self, number: Number) -> Uncertainty | None:
        rows = self._rows.get((*number[:3], number.metric), [])
        if number.subset != "average" or not rows:
            return None
        parts = [part for part in map(self._of_share, rows) if part is not None]
        if len(parts) < len(rows):
            return None
        low, high = mean_interval(
            [float(row.published) for row in rows],
            [part.low for part in parts],
            [part.high for part in parts],
        )
        return Uncertainty(low, high, "average of Wilson")

    def _of_score(self, number: Number) -> Uncertainty | None:
        if number.unit != "score_0_2" or not number.denominator:
            return None
        value, n = float(number.published), int(number.denominator)
        if number.metric == "description_score_std":
            tails = (1 - self.confidence) / 2
            low, high = (
                # Twice the inverse of the incomplete gamma function is the quantile of chi-square.
                value * math.sqrt((n - 1) / (2 * gammaincinv((n - 1) / 2, part)))
                for part in (1 - tails, tails)
            )
            return Uncertainty(low, high, "chi-square")
        error = self._standard_error(number)
        if error is None:
            return None
        reach = self._normal() * error
        return Uncertainty(max(0.0, value - reach), min(_HIGHEST_SCORE, value + reach), "normal")

    def _of_change(self, number: Number) -> Uncertainty | None:
        if number.metric != "step_by_step_change":
            return None
        before, after = (
            self._numbers[(*number[:4], metric)]
            for metric in ("semantic_score_mean", "step_by_step_score_mean")
        )
        first, second = float(before.published), float(after.published)
        error, other = self._standard_error(before), self._standard_error(after)
        if not first or not second or error is None or other is None:
            return None
        ratio = second / first
        reach = self._normal() * ratio * math.hypot(error / first, other / second)
        return Uncertainty(100 * (ratio - reach - 1), 100 * (ratio + reach - 1), "delta method")

    def _standard_error(self, number: Number) -> float | None:
        """Return the standard error of a mean score; None if no deviation is printed for its type."""
        deviation = self._deviation(number)
        if deviation is None or not number.denominator:
            return None
        return float(deviation.published) / math.sqrt(int(number.denominator))

    def _deviation(self, number: Number) -> Number | None:
        """Return the printed deviation of the scores of a mean's type; None if there is none."""
        kind = number.subset
        if number.table == "table5":
            kind = _TYPE_OF_BIN_SCORE.get(number.metric, "")
        elif number.table == "table7":
            kind = number.metric.removeprefix("description_score_mean_")
        return self._numbers.get((_SCORED, "table4", number.model, kind, "description_score_std"))

    def _normal(self) -> float:
        return float(ndtri((1 + self.confidence) / 2))


def _rounding(number: Number) -> Uncertainty:
    """Return the values that print alike when rounded, or when cut off where that is how the paper prints."""
    value = Decimal(number.published)
    unit = Decimal(1).scaleb(int(value.as_tuple().exponent))
    if number.attainable == "truncated":
        return Uncertainty(float(value), float(value + unit), _UNCERTAINTY_CUT_OFF)
    return Uncertainty(float(value - unit / 2), float(value + unit / 2), _ROUNDED)


# ---- quoted ----

_PEOPLE = "people"
#: How sure a number's denominator has to be for a count and an interval; of other numbers it is a guess.
_QUOTED_CUT_OFF = "truncated"
_CERTAIN = ("exact", _QUOTED_CUT_OFF, "reduced_n", "derived")
# Which row of several of a model has a number says the kind of the study's rows, too.
_KIND = "kind"


class PaperInPrint(TypedDict):
    """A paper of whose models a table has rows.

    Attributes:
        part: The module that locates its numbers.
        names: Its models' names, as it prints them.
        source: Where it appeared.
    """

    part: str
    names: Mapping[str, str]
    source: str


class QuotedRow(NamedTuple):
    """A row of a paper's model.

    Attributes:
        at: Columns that say which of a model's rows it is.
        cells: The other columns, the name of the model among them.
    """

    at: Mapping[str, str]
    cells: dict[str, Any]


def quoted_rows(
    numbers: Sequence[Number], papers: Mapping[str, PaperInPrint], table: str, confidence: float
) -> list[QuotedRow]:
    """Return the rows of a table, in the order of the papers.

    Args:
        numbers: All printed numbers of these papers.
        confidence: Coverage of the intervals, which are those of the ledger.
    """
    published = Published(numbers, confidence)
    found: dict[tuple[str | tuple[str, str], ...], QuotedRow] = {}
    for number, ref in _quoted_cells(numbers, papers, table):
        names = papers[number.paper]["names"]
        name = _PEOPLE if number.model == HUMAN else names.get(number.model, number.model)
        at = {column: value for column, value in ref.rows.items() if column != _KIND}
        quoted = QuotedRow(at, {ref.named_in: f"{name}{MARK_OF_PAPER}"})
        row = found.setdefault((name, *at.items()), quoted)
        row.cells.update(_cells(number, ref, published))
    return list(found.values())


def _quoted_cells(
    numbers: Iterable[Number], papers: Mapping[str, PaperInPrint], table: str
) -> Iterator[tuple[Number, CellRef]]:
    for number in filter(is_quoted, numbers):
        paper: Paper = import_module(papers[number.paper]["part"])
        yield from ((number, ref) for ref in paper.quoted(number) if ref.table == table)


def _cells(number: Number, ref: CellRef, published: Published) -> dict[str, Any]:
    """Return the value as it is printed, and where its denominator is known, count and interval."""
    cells: dict[str, Any] = {ref.value: float(number.published) / ref.factor}
    if ref.digits:
        cells[ref.digits] = number.published
    if number.attainable not in _CERTAIN:
        return cells
    # A count prints rounded, so where digits were cut off it would print another number.
    prints = number.attainable != _QUOTED_CUT_OFF or ref.digits
    k = int(number.attainable_k) if ref.k and number.attainable_k and prints else None
    n = int(number.denominator) // ref.times if number.denominator else None
    if k is not None:
        cells[ref.k] = k
    if n is not None and len(ref.n) == 1:
        cells[ref.n[0]] = n
    elif n is not None and k is not None and ref.n[:1] == (ref.k,):
        cells[ref.n[1]] = n - k
    bounds = published.uncertainty(number)
    if ref.low and bounds.method not in PRINTED_ALIKE:
        cells |= {ref.low: bounds.low / ref.factor, ref.high: bounds.high / ref.factor}
    return cells
