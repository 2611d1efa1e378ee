"""Numbers that not every row has: cells that stay empty where nothing belongs. Standard library only."""

from afterimage.showing.columns import Number, Printed, Row, value_of
from afterimage.showing.missing import is_missing


def where_known(number: Number) -> Printed:
    """Return the column with cells that are empty, instead of ``n/a``, where the row has no such number."""

    def text(row: Row) -> str:
        return "" if is_missing(value_of(row, number.column)) else number.cell(row)

    return Printed(number.header, text)
