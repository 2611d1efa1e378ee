"""A comparison of two runs in words: for a terminal, or in Markdown for a pull request."""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence

import pandas as pd
from tabulate import tabulate

from afterimage.commands.diff.runs import Compared
from afterimage.showing.pairs import ALL_PARTS, RunDifference
from afterimage.statistics.matched import LEAST_DIFFERING

_HEADERS = ("suite", "model", "part", "n", "clusters", "before", "after", "difference", "p", "")
_SPECIAL = re.compile(r"[\\`*_|<>~&\[\]]")


def printed(found: Compared, options: argparse.Namespace) -> str:
    """Return the whole text: the differences, what is worse, the changed answers, what could not be compared."""
    markdown = options.markdown
    worse = [row for row in found.rows if row.is_worse]
    better = sum(row.is_better for row in found.rows)
    percent = f"{100 * options.confidence:g} %"
    verdict = (
        f"{len(found.rows)} comparisons: {len(worse)} worse and {better} better beyond their {percent} intervals. "
        "Second run less first, in percentage points, over the items that both answered; parts of a suite are listed "
        "where a verdict changed."
    )
    listed = [row for row in found.rows if row.part == ALL_PARTS or row.has_changed]
    lines = [f"### {options.first} → {options.second}", ""] if markdown else []
    lines += [verdict, "", _table(map(_cells, listed), _HEADERS, 3, markdown), ""]
    for (suite, model), changed in found.changed.items():
        lines += _changed(f"{suite}, {model}", changed, options.items, markdown)
    if found.left_out:
        lines += ["Not compared:", ""]
        lines += [f"* {_shown(said, markdown)}" for said in found.left_out]
        lines.append("")
    return "\n".join(lines)


def _cells(row: RunDifference) -> tuple[str, ...]:
    low, high = 100 * row.found.low, 100 * row.found.high
    p = "too few" if row.found.differing < LEAST_DIFFERING else f"{row.found.p:.3g}"
    said = "worse" if row.is_worse else "better" if row.is_better else ""
    return (
        *(row.suite, row.model, row.part),
        *(str(row.found.n), str(row.found.clusters)),
        *(f"{100 * row.before:.1f}", f"{100 * row.after:.1f}"),
        f"{100 * row.found.estimate:+.1f} [{low:+.1f}, {high:+.1f}]",
        *(p, said),
    )


def _changed(title: str, changed: pd.DataFrame, most: int, markdown: bool) -> Iterator[str]:
    if changed.empty:
        return
    lost = int((~changed["correct_after"]).sum())
    said = f"{title}: {lost} answers became wrong, {len(changed) - lost} became right"
    more = len(changed) - most
    rest = f"and {more} more" if more > 0 and most > 0 else ""
    if markdown:
        yield from ("<details>", f"<summary>{_shown(said, True)}</summary>", "")
    else:
        yield f"{said}."
    rows = [
        (
            one.item_id,
            str(one.repeat),
            _answer(one.answer_before),
            _answer(one.answer_after),
            "right" if one.correct_after else "wrong",
        )
        for one in changed.head(max(most, 0)).itertuples()
    ]
    if rows:
        yield _table(rows, ("item", "repeat", "before", "after", "now"), 5, markdown)
    # Directly below a table of Markdown it would be a row of it.
    yield from ("", rest, "") if rest and markdown else (rest, "") if rest else ("",)
    if markdown:
        yield from ("</details>", "")


def _answer(answer: object) -> str:
    # An answer that could not be read is None or NaN.
    return str(answer) if isinstance(answer, str) else "-"


def _table(
    rows: Iterable[Sequence[str]], headers: Sequence[str], words: int, markdown: bool
) -> str:
    aligned = ["left" if place < words else "right" for place in range(len(headers))]
    return tabulate(
        [[_shown(cell, markdown) for cell in row] for row in rows],
        headers=headers,
        tablefmt="pipe" if markdown else "simple",
        disable_numparse=True,
        colalign=aligned,
    )


def _shown(text: str, markdown: bool) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text) if markdown else text
