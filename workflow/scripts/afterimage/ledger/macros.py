"""LaTeX macros for the ledger's numbers. A macro's name has letters only, so digits and points are spelled out."""

import re
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal

from afterimage.errors import AfterimageError

PREFIX = "num"
#: What stands for a number that the study does not have.
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
    places = Decimal(1).scaleb(Decimal(entry["published"]).as_tuple().exponent)
    return _signed(str(Decimal(entry[column]).quantize(places, ROUND_HALF_UP)))


def _interval(entry: Mapping[str, str]) -> str:
    if not (entry["low"] and entry["high"]):
        return NOT_THERE
    # In braces: after \\ at the end of a table's row, LaTeX would take a bracket for an argument.
    return f"{{[}}{_value(entry, 'low')}, {_value(entry, 'high')}{{]}}"


def _signed(number: str) -> str:
    return f"$-${number[1:]}" if number.startswith("-") else number
