"""Published numbers, and macros of them."""

import csv
import re
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from afterimage.contract.paper import NONE, SEEN, SOURCE, Number
from afterimage.errors import AfterimageError

#: Printed names that are no models: facts, chance, people, a mean over models.
HUMAN = "human"
NO_MODELS = (NONE, "random", HUMAN, "mean")
#: The columns of a file; the last ones may be left out, and then all was seen in the source.
_COLUMNS = Number._fields[1:]
_LEFT_OUT = _COLUMNS[: -len(Number._field_defaults)]


def read_numbers(files: Iterable[str | Path]) -> list[Number]:
    """Read printed numbers; the name of a file is that of its paper.

    Raises:
        AfterimageError: A column is missing or unknown, a number occurs twice, or where it was seen is unknown.
    """
    numbers = [number for path in files for number in _read(Path(path))]
    seen = set()
    for number in numbers:
        if number.name in seen:
            raise AfterimageError(f"published numbers: '{number.name}' occurs twice.")
        seen.add(number.name)
    return numbers


def is_quoted(number: Number) -> bool:
    """Tell whether a number may have a row of its own: a result, seen as printed, of a model or of people."""
    is_somebody = number.model == HUMAN or number.model not in NO_MODELS
    return is_somebody and number.is_result and number.seen == SOURCE


def _read(path: Path) -> list[Number]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        found = tuple(next(reader, ()))
        if found not in (_COLUMNS, _LEFT_OUT):
            raise AfterimageError(
                f"{path}: found the columns {', '.join(found)}; expected {', '.join(_COLUMNS)}."
            )
        numbers = []
        for row in reader:
            if len(row) != len(found):
                raise AfterimageError(
                    f"{path}, line {reader.line_num}: found {len(row)} cells; expected {len(found)}."
                )
            number = Number(path.stem, *row)
            if number.seen not in SEEN:
                raise AfterimageError(
                    f"{path}, line {reader.line_num}: 'seen' is '{number.seen}'; expected {', '.join(SEEN)}."
                )
            numbers.append(number)
    return numbers


# ---- macros ----

PREFIX = "num"
#: Replaces a number that the study does not have.
NOT_THERE = "n/a"
_SPELLED = {
    **dict(
        zip(
            "0123456789",
            ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"),
            strict=True,
        )
    ),
    ".": "Point",
}
_HEADER = r"""% The study's numbers as LaTeX macros; %s says where each comes from.
% \NAME: the value; \NAMEInterval: its interval; \NAMEPublished: as the paper prints it. Units are the paper's.
"""


def macro_name(number: str) -> str:
    r"""Return the name of a number's macro, without backslash.

    Args:
        number: paper/table/model/subset/metric.

    Returns:
        ``num``, then the parts with every word capitalised: "blindtest/task1/gpt-4o/average/accuracy" becomes
        "numBlindtestTaskOneGptFourOAverageAccuracy".
    """
    words = re.findall(r"[a-zA-Z]+|[0-9.]", number)
    return PREFIX + "".join(_SPELLED.get(word) or word.capitalize() for word in words)


def macros(entries: Iterable[Mapping[str, str]], ledger: str = "results/numbers.csv") -> str:
    """Return the macros of the ledger's entries as one LaTeX file.

    ``ledger`` is their file. Values and bounds have as many decimals as the printed number.

    Raises:
        AfterimageError: Two numbers would have the same name.
    """
    owners: dict[str, str] = {}
    lines = [_HEADER.replace("%s", ledger)]
    for entry in entries:
        number = "/".join(entry[part] for part in ("paper", "table", "model", "subset", "metric"))
        name = macro_name(number)
        for taken in (name, f"{name}Interval", f"{name}Published"):
            if taken in owners:
                raise AfterimageError(
                    f"numbers.tex: '{owners[taken]}' and '{number}' would both be \\{taken}; expected different names."
                )
            owners[taken] = number
        lines += [
            f"\\newcommand{{\\{name}}}{{{_value(entry, 'value')}}}\n",
            f"\\newcommand{{\\{name}Interval}}{{{_interval(entry)}}}\n",
            f"\\newcommand{{\\{name}Published}}{{{_signed(entry['published'])}}}\n",
        ]
    return "".join(lines)


def in_words(entry: Mapping[str, str]) -> str:
    """Return value and interval in one line: ``45.00 (135/300) [39.5, 50.6] percent; measured ...``."""
    number = "/".join(entry[part] for part in ("paper", "table", "model", "subset", "metric"))
    if not entry["value"]:
        return f"{entry['status']}: {number}: {entry['reason']}; published {entry['published']} {entry['unit']}\n"
    counts = f" ({entry['k']}/{entry['n']})" if entry["k"] and entry["n"] else ""
    if entry["n"] and not entry["k"]:
        counts = f" (n = {entry['n']})"
    bounds = f" [{entry['low']}, {entry['high']}]" if entry["low"] and entry["high"] else ""
    return (
        f"{entry['value']}{counts}{bounds} {entry['unit']}; {entry['status']}: {number}; "
        f"published {entry['published']}{_verdict(entry)}; from {entry['source_file']}\n"
    )


def _verdict(entry: Mapping[str, str]) -> str:
    if not entry["verdict"]:
        return f", not compared: {entry['reason']}" if entry["reason"] else ""
    bounds = (
        f" [{entry['difference_low']}, {entry['difference_high']}]"
        if entry["difference_low"]
        else ""
    )
    words = entry["verdict"].replace("_", " ")
    return (
        f", {words}: difference {entry['difference']}{bounds}"
        if entry["difference"]
        else f", {words}"
    )


def _value(entry: Mapping[str, str], column: str) -> str:
    if not entry[column]:
        return NOT_THERE
    # With as many decimals.
    return _signed(str(Decimal(entry[column]).quantize(Decimal(entry["published"]), ROUND_HALF_UP)))


def _interval(entry: Mapping[str, str]) -> str:
    if not (entry["low"] and entry["high"]):
        return NOT_THERE
    # In braces: after \\ at the end of a table's row, LaTeX would take a bracket for an argument.
    return f"{{[}}{_value(entry, 'low')}, {_value(entry, 'high')}{{]}}"


def _signed(number: str) -> str:
    return f"$-${number[1:]}" if number.startswith("-") else number
