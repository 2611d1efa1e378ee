"""The papers' own models as rows of a study's tables: what is printed, in the columns of the study's numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from afterimage.contract.paper import Number, Paper, Place
from afterimage.ledger.published import HUMAN, is_quoted
from afterimage.ledger.uncertainty import PRINTED_ALIKE, Published
from afterimage.showing.looks import MARK_OF_PAPER

_PEOPLE = "people"
#: How sure a number's denominator has to be for a count and an interval; of other numbers it is a guess.
_CUT_OFF = "truncated"
_CERTAIN = ("exact", _CUT_OFF, "reduced_n", "derived")
# Which row of several of a model has a number says the kind of the study's rows, too.
_KIND = "kind"


class QuotedRow(NamedTuple):
    """A row of a paper's model.

    Attributes:
        at: Columns that say which of a model's rows it is.
        cells: The other columns, the name of the model among them.
    """

    at: Mapping[str, str]
    cells: dict[str, Any]


def quoted_rows(
    numbers: Sequence[Number], papers: Mapping[str, Mapping], table: str, confidence: float
) -> list[QuotedRow]:
    """Return the rows of a table, in the order of the papers.

    Args:
        numbers: All printed numbers of these papers.
        papers: Paper to ``part``, the module that says where its numbers stand, and ``names``, its models' names.
        table: The table.
        confidence: Coverage of the intervals, which are those of the ledger.
    """
    published = Published(numbers, confidence)
    found: dict[tuple, QuotedRow] = {}
    for number, place in _places(numbers, papers, table):
        names = papers[number.paper]["names"]
        name = _PEOPLE if number.model == HUMAN else names.get(number.model, number.model)
        at = {column: value for column, value in place.rows.items() if column != _KIND}
        own = QuotedRow(at, {place.named_in: f"{name}{MARK_OF_PAPER}"})
        row = found.setdefault((name, *at.items()), own)
        row.cells.update(_cells(number, place, published))
    return list(found.values())


def _places(
    numbers: Iterable[Number], papers: Mapping[str, Mapping], table: str
) -> Iterator[tuple[Number, Place]]:
    for number in filter(is_quoted, numbers):
        paper: Paper = import_module(papers[number.paper]["part"])
        yield from ((number, place) for place in paper.quoted(number) if place.table == table)


def _cells(number: Number, place: Place, published: Published) -> dict[str, Any]:
    """Return the value as it is printed, and where its denominator is known, count and interval."""
    cells: dict[str, Any] = {place.value: float(number.published) / place.factor}
    if place.digits:
        cells[place.digits] = number.published
    if number.attainable not in _CERTAIN:
        return cells
    # A count prints rounded, so where digits were cut off it would print another number.
    prints = number.attainable != _CUT_OFF or place.digits
    k = int(number.attainable_k) if place.k and number.attainable_k and prints else None
    n = int(number.denominator) // place.times if number.denominator else None
    if k is not None:
        cells[place.k] = k
    if n is not None and len(place.n) == 1:
        cells[place.n[0]] = n
    elif n is not None and k is not None and place.n[:1] == (place.k,):
        cells[place.n[1]] = n - k
    bounds = published.uncertainty(number)
    if place.low and bounds.method not in PRINTED_ALIKE:
        cells |= {place.low: bounds.low / place.factor, place.high: bounds.high / place.factor}
    return cells
