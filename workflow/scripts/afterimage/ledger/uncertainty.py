"""How far a printed number can be from what another run of the same study would print."""

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from scipy.special import gammaincinv, ndtri

from afterimage.contract.paper import Number
from afterimage.ledger.verdicts import Sampled
from afterimage.statistics.averages import mean_interval
from afterimage.statistics.intervals import wilson_interval

#: Table IV prints the deviation of each type of description; the same scores stand in tables V and VII.
_SCORED = "illusionbench_plus"
_TYPE_OF_BIN_SCORE = {
    "semantic_score_mean": "semantic_content",
    "step_by_step_score_mean": "step_by_step",
}
_HIGHEST_SCORE = 2.0
#: Methods that know nothing of a sample: the values that print alike.
PRINTED_ALIKE = _ROUNDED, _CUT_OFF = ("rounding", "digits cut off")


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
        parts = [self._of_share(row) for row in rows]
        if None in parts:
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
        errors = [self._standard_error(before), self._standard_error(after)]
        if not first or not second or None in errors:
            return None
        ratio = second / first
        reach = self._normal() * ratio * math.hypot(errors[0] / first, errors[1] / second)
        return Uncertainty(100 * (ratio - reach - 1), 100 * (ratio + reach - 1), "delta method")

    def _standard_error(self, number: Number) -> float | None:
        """Return the standard error of a mean score; None where no deviation is printed for its type."""
        deviation = self._deviation(number)
        if deviation is None or not number.denominator:
            return None
        return float(deviation.published) / math.sqrt(int(number.denominator))

    def _deviation(self, number: Number) -> Number | None:
        """Return the printed deviation of the scores of a mean's type; None where there is none."""
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
    unit = Decimal(1).scaleb(value.as_tuple().exponent)
    if number.attainable == "truncated":
        return Uncertainty(float(value), float(value + unit), _CUT_OFF)
    return Uncertainty(float(value - unit / 2), float(value + unit / 2), _ROUNDED)
