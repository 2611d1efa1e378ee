"""A number under every choice, as a table and as a figure."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure
from tabulate import tabulate

from afterimage.files.csv_rows import frame_text
from afterimage.files.paths import write_text
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.finished_figure import save_figure
from afterimage.showing.tables.columns import rounded
from afterimage.showing.tables.dissection import Dissection, Found

COLUMNS = ("choices", "value", "moved", "low", "high", "k", "n", "prints")
_AS_IS = "as the table has it"
_ROW_INCHES, _WIDTH_INCHES = 0.24, 6.5


def rows(found: Dissection) -> Iterator[dict[str, str]]:
    """Yield the rows of the table: the number itself, under each choice alone, and under the sets that match."""
    how = {number.choices: form for number, form in found.matches}
    singles = {number.choices for number in found.single}
    more = [
        number
        for number, _ in found.matches
        if len(number.choices) > 1 or number.choices not in singles
    ]
    for number in (found.base, *found.single, *(number for number in more if number.choices)):
        moved = Fraction(number.value) - Fraction(found.base.value)
        yield {
            **{
                "choices": choices_text(number),
                "value": number.value,
                "low": number.low,
                "high": number.high,
            },
            **{"moved": rounded(moved, 4) if number.choices else "", "k": number.k, "n": number.n},
            "prints": how.get(number.choices, ""),
        }


def choices_text(number: Found) -> str:
    return "; ".join(map(str, number.choices)) or _AS_IS


def as_text(found: Dissection, title: str) -> str:
    """Return the table in Markdown, with the choices that give the printed digits below it."""
    shown = [
        [
            row["choices"],
            _short(row["value"]),
            _signed(row["moved"]),
            f"[{_short(row['low'])}, {_short(row['high'])}]" if row["low"] else "",
            f"{row['k']}/{row['n']}" if row["k"] and row["n"] else "",
        ]
        for row in rows(found)
    ]
    heads = ["choice", "value", "moved", "interval", "k/n"]
    table = tabulate(shown, heads, tablefmt="github", disable_numparse=True)
    return f"{title}\n\n{table}\n" + (f"\n{verdict(found)}\n" if found.printed else "")


def verdict(found: Dissection) -> str:
    sets = f"{found.sets} sets of up to {found.tried} choices were tried"
    if not found.matches:
        return f"No set prints {found.printed}: {sets}."
    listed = "\n".join(f"* {choices_text(number)}; {how}" for number, how in found.matches)
    return f"{found.printed} is printed by ({sets}):\n\n{listed}"


def write(found: Dissection, title: str, name: str) -> None:
    """Write the table as NAME.csv and the figure as NAME.png."""
    frame = pd.DataFrame(list(rows(found)), columns=list(COLUMNS))
    write_text(f"{name}.csv", frame_text(frame))
    figure_style.apply()
    save_figure(draw(found, title), [Path(f"{name}.png")])


def draw(found: Dissection, title: str) -> Figure:
    """Draw a mark with its interval for each choice, and lines at the number and at the printed digits."""
    shown = list(rows(found))
    figure = Figure((_WIDTH_INCHES, 1.2 + _ROW_INCHES * len(shown)), layout="constrained")
    axes = figure.subplots()
    positions = range(len(shown), 0, -1)
    axes.axvline(float(found.base.value), color="0.6", linewidth=0.8, zorder=0)
    if found.printed:
        axes.axvline(
            float(found.printed),
            color=figure_style.PALETTE[1],
            linewidth=1.2,
            linestyle="--",
            label=f"printed: {found.printed}",
            zorder=0,
        )
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    for position, row in zip(positions, shown, strict=True):
        colour = figure_style.PALETTE[1 if row["prints"] else 0]
        if row["low"] and row["high"]:
            axes.plot(
                [float(row["low"]), float(row["high"])],
                [position, position],
                color=colour,
                linewidth=1,
            )
        axes.plot([float(row["value"])], [position], "o", color=colour, markersize=4)
    axes.set_yticks(list(positions), [row["choices"] for row in shown])
    axes.set_ylim(0.3, len(shown) + 0.7)
    axes.set_xlabel(title, loc="right")
    return figure


def _signed(number: str) -> str:
    short = _short(number)
    return f"+{short}" if number and Fraction(number) > 0 else short


def _short(number: str) -> str:
    return rounded(Fraction(number), 2) if number else ""
