"""Cells of a study's tables by the names that its CSV files give them, as manuscripts cite them, and files of them.

A row is named by the cells before its first number, such as ``gpt-4o/zero_shot/fake/all``: see :func:`naming_columns`.
A column has companions, the columns of its interval, its counts and its p value: see :func:`companions_of`.
The files are JSON, which Typst reads too, and LaTeX."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from fractions import Fraction
from typing import Any

from afterimage.files.attempts import NOT_FINISHED
from afterimage.showing.looks import PAPER
from afterimage.showing.tables.baselines import MEASURED, REFERENCE
from afterimage.showing.tables.columns import NOT_AVAILABLE, TOO_FEW_DIFFER, rounded
from afterimage.showing.tables.latex import latex_of

#: Rows as a CSV file holds them: column to text.
Rows = Sequence[Mapping[str, str]]

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
_WHOLE = re.compile(r"[-+]?\d+")
_TRUTHS = ("True", "False")
# Not allowed in a name: spaces, and characters with a meaning in LaTeX, in addresses or in the form of a name.
_NOT_IN_NAMES = re.compile(r"[^\w.+:,=()'-]+")
#: Kinds of rows that are left out of names: a model has no two rows that differ in these alone.
_KINDS = frozenset((MEASURED, REFERENCE, PAPER, "recorded", "human", ""))
#: In columns of two models that are compared.
_COMPARED = ("first", "second")
_SIDE = re.compile("first|second")
_P_NAMES = ("p_holm", "p", "p_value")
_COUNT_NAMES = ("k", "right_k", "correct_k")
_WHOLE_NAMES = ("n", "total", "items", "pairs")
# Endings of columns that are companions of others, or hold a paper's rounded value.
_OF_OTHERS = ("_k", "_n", "low", "high", "printed")
# A CSV has four decimals, a paper's row as many as the paper prints.
_TOLERANCE, _PRINTED_TOLERANCE = Fraction(1, 10_000), Fraction(1, 100)
_P_DECIMALS = 3
_SMALLEST_P = "<0.001"
_MIN_DIFFERING = 5
#: The least greatest number of a column, and how many decimals are then shown.
_DECIMALS = ((10, 1), (0.1, 2), (0, 4))


@dataclass(frozen=True)
class Companions:
    """Names of the columns that belong to a column of numbers; "" for a column that the table lacks.

    Attributes:
        low: Lower bound of the interval.
        high: Upper bound.
        k: Numerator of a percentage.
        n: Denominator.
        p: The p value, corrected where the table has both.
    """

    low: str = ""
    high: str = ""
    k: str = ""
    n: str = ""
    p: str = ""


@dataclass(frozen=True)
class CitedTable:
    """A table whose cells have names.

    Attributes:
        page: The report's page that shows it; "" for none.
        naming: Columns whose cells name a row.
        columns: All columns in order, each with its companions.
        rows: Name to printed cells, one for each column; ``n/a`` where undefined.
    """

    name: str
    page: str
    naming: tuple[str, ...]
    columns: Mapping[str, Companions]
    rows: Mapping[str, tuple[str, ...]]


def cited_table(name: str, page: str, rows: Rows) -> CitedTable:
    """Name the rows of a table and print its cells.

    Shares whose counts are known are printed from these. A number has one decimal where some number of its column or of
    its interval is 10 or more, four where all are below 0.1, else two; p values have three.
    """
    columns = list(rows[0]) if rows else []
    naming = naming_columns(rows)
    companions = {column: companions_of(column, columns, rows) for column in columns}
    printers = {column: _printer(column, companions, rows) for column in columns}
    # In some tables unfinished models have a row, which has no name.
    named = [(row_name(row, naming), row) for row in rows]
    cells = {
        text: tuple(printers[column](row) for column in columns)
        for text, row in zip(_unique([text for text, _ in named]), rows, strict=True)
        if text
    }
    if naming[-2:] == _COMPARED and "difference" in columns:
        cells |= _reversed_comparisons(cells, columns, companions["difference"])
    return CitedTable(name, page, naming, companions, cells)


def naming_columns(rows: Rows) -> tuple[str, ...]:
    """Return the columns whose cells name a row: texts before the first number, then more until names are unique.

    ``kind`` is left out where it says only whether a row was measured, recorded or printed.
    """
    chosen: list[str] = []
    counted = [row for row in rows if not row.get(NOT_FINISHED)]
    for column in counted[0] if counted else ():
        cells = [row[column] for row in counted]
        if column == "kind" and _KINDS.issuperset(cells):
            continue
        if chosen and _are_unique(counted, chosen):
            is_name = any(cells) and not any(cell in _TRUTHS for cell in cells)
            is_enough = chosen[-1].endswith("_id") or any(map(_NUMBER.fullmatch, cells))
            if is_enough or not is_name:
                break
        chosen.append(column)
    return tuple(chosen)


def row_name(row: Mapping[str, str], naming: Iterable[str]) -> str:
    """Return the name of a row; the report's pages form it again, in ``resources/report/rows.js``."""
    return "/".join(_NOT_IN_NAMES.sub("_", row[column]) for column in naming if row[column])


def _reversed_comparisons(
    cells: Mapping[str, tuple[str, ...]], columns: Sequence[str], difference: Companions
) -> dict[str, tuple[str, ...]]:
    """Return every comparison of two models with the two swapped, as a sentence may need it."""
    indices = {column: index for index, column in enumerate(columns)}
    reversed_rows = {}
    for name, row in cells.items():
        *before, first, second = name.split("/")
        cited = [
            row[indices.get(_SIDE.sub(_other_side, column), indices[column])] for column in columns
        ]
        for column, source in zip(
            ("difference", difference.low, difference.high),
            ("difference", difference.high, difference.low),
            strict=True,
        ):
            if column:
                cited[indices[column]] = _negated(row[indices[source]])
        reversed_rows["/".join([*before, second, first])] = tuple(cited)
    return {name: row for name, row in reversed_rows.items() if name not in cells}


def _other_side(found: re.Match[str]) -> str:
    return _COMPARED[found[0] == "first"]


def _negated(number: str) -> str:
    if number == NOT_AVAILABLE or not number.strip("0."):
        return number
    return number[1:] if number.startswith("-") else f"-{number}"


def companions_of(column: str, columns: Sequence[str], rows: Rows) -> Companions:
    """Find a column's companions by name and position; counts also have to give the column's values."""
    low, high = _bound_columns(column, columns)
    stem = low[: -len("low")] if low and not low.startswith(f"{column}_") else ""
    k, n = _counts(column, stem, columns, rows)
    after = [*columns[columns.index(high) + 1 :], ""][0] if high else ""
    p = ""
    if after in [f"{stem}{name}" for name in _P_NAMES] or after in _P_NAMES:
        p = next(
            name for name in (*(f"{stem}{p_name}" for p_name in _P_NAMES), after) if name in columns
        )
    return Companions(low, high, k, n, p)


def _bound_columns(column: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return the bounds named after the column, or those right after it that belong to no other."""
    named = f"{column}_low", f"{column}_high"
    if named[0] in columns and named[1] in columns:
        return named
    index = columns.index(column)
    low, high = [*columns[index + 1 : index + 3], "", ""][:2]
    stem = low.removesuffix("low")
    is_pair = low.endswith("low") and high == f"{stem}high"
    is_of_other = stem.removesuffix("_") in columns or not column.startswith(stem)
    return ("", "") if not is_pair or is_of_other or column.endswith("_k") else (low, high)


def _counts(column: str, stem: str, columns: Sequence[str], rows: Rows) -> tuple[str, str]:
    if column.endswith(_OF_OTHERS) or column in (*_COUNT_NAMES, *_WHOLE_NAMES, *_P_NAMES):
        return "", ""
    stem = stem or column[: column.rfind("_") + 1]
    numerators = [f"{column}_k", f"{stem}k", *_COUNT_NAMES, "n"]
    wholes = [f"{column}_n", f"n_{column}", f"{stem}n", *_WHOLE_NAMES]
    # Averages of several shares, and papers' numbers, are no share of the counts in their row.
    checked = [
        row for row in rows if row.get("kind") not in (PAPER, "human") and not row.get("averaging")
    ]
    for k in numerators:
        for n in wholes:
            if k in columns and n in columns and k != n:
                having = [row for row in checked if row[column] and row[k] and row[n]]
                if having and all(share_of(row, column, k, n) is not None for row in having):
                    return k, n
    return "", ""


def share_of(row: Mapping[str, str], column: str, k: str, n: str) -> Fraction | None:
    """Return the exact value of a row's cell where it is ``k / n`` or that in percent; else None."""
    texts = (row[column], row[k], row[n])
    if (
        not _NUMBER.fullmatch(texts[0])
        or not all(map(_WHOLE.fullmatch, texts[1:]))
        or not int(row[n])
    ):
        return None
    exact = Fraction(int(row[k]), int(row[n]))
    tolerance = _PRINTED_TOLERANCE if row.get("kind") == PAPER else _TOLERANCE
    scaled = (100 * exact, exact)
    return next(
        (share for share in scaled if abs(Fraction(row[column]) - share) <= tolerance), None
    )


def _printer(
    column: str, companions: Mapping[str, Companions], rows: Rows
) -> Callable[[Mapping[str, str]], str]:
    if any(column == companion.p for companion in companions.values()) or column in _P_NAMES:
        return lambda row: _p_text(row, column)
    family = next(
        (
            (name, companion.low, companion.high)
            for name, companion in companions.items()
            if companion.low and column in (name, companion.low, companion.high)
        ),
        (column,),
    )
    numbers = [row[name] for name in family for row in rows if _NUMBER.fullmatch(row[name])]
    greatest = max((abs(float(number)) for number in numbers), default=1)
    decimals = next(digits for minimum, digits in _DECIMALS if greatest >= minimum)
    companion = companions[column]

    def text(row: Mapping[str, str]) -> str:
        cell = row[column]
        if not cell:
            return NOT_AVAILABLE
        if _WHOLE.fullmatch(cell) or not _NUMBER.fullmatch(cell):
            return cell
        exact = share_of(row, column, companion.k, companion.n) if companion.k else None
        return rounded(Fraction(cell) if exact is None else exact, decimals)

    return text


def _p_text(row: Mapping[str, str], column: str) -> str:
    if not _NUMBER.fullmatch(row[column]):
        return row[column] or NOT_AVAILABLE
    differing = row.get("differing_clusters") or row.get("differing_images")
    if differing and int(differing) < _MIN_DIFFERING:
        return " ".join(TOO_FEW_DIFFER.split())
    value = Fraction(row[column])
    return _SMALLEST_P if value < Fraction(1, 1000) else rounded(value, _P_DECIMALS)


def _are_unique(rows: Rows, columns: Sequence[str]) -> bool:
    return len({tuple(row[column] for column in columns) for row in rows}) == len(rows)


def _unique(names: Sequence[str]) -> list[str]:
    """Return the names with repeated ones numbered: the second is ``name~2``."""
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 or not name else f"{name}~{seen[name]}")
    return unique


# ---- files for manuscripts ----

#: The cells follow this line of the LaTeX file.
_END_OF_INPUT = "\\endinput"


def values_json(tables: Iterable[CitedTable]) -> str:
    """Return tables as a JSON object, a row a line: name to ``page``, ``columns`` and ``rows``.

    A column has its companions (``low``, ``high``, ``k``, ``n``, ``p``: names of columns), a row its cells in the order
    of the columns.
    """
    parts = [f"{_dumped(table.name)}: {_json_table(table)}" for table in tables]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def values_latex(tables: Iterable[CitedTable], macros: str) -> str:
    """Return the macros of ``resources/values/values.tex``, followed by the cells, which they read line by line."""
    return "\n".join(
        [
            macros.rstrip(),
            _END_OF_INPUT,
            *(line for table in tables for line in _latex_lines(table)),
            "",
        ]
    )


def _json_table(table: CitedTable) -> str:
    columns = {name: _json_companions(companion) for name, companion in table.columns.items()}
    rows = [f"{_dumped(name)}: {_dumped(cells)}" for name, cells in table.rows.items()]
    shown = "{\n" + ",\n".join(rows) + "}" if rows else "{}"
    return f'{{"page": {_dumped(table.page)}, "columns": {_dumped(columns)},\n"rows": {shown}}}'


def _json_companions(companion: Companions) -> dict[str, str]:
    return {kind: name for kind, name in asdict(companion).items() if name}


def _latex_lines(table: CitedTable) -> Iterator[str]:
    numbers = {name: str(number) for number, name in enumerate(table.columns, 1)} | {"": ""}
    yield f"T|{table.name}|{table.page}"
    for name, companion in table.columns.items():
        yield "|".join(
            [
                "C",
                table.name,
                name,
                numbers[name],
                *(numbers[column] for column in astuple(companion)),
            ]
        )
    for name, cells in table.rows.items():
        yield "|".join(["R", table.name, name, *map(_latex, cells)])


def _latex(cell: str) -> str:
    # A p value is read by the macros themselves.
    one_line = " ".join(cell.split())
    return one_line if cell.startswith("<") else latex_of(one_line)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
