"""The main scores: every model's row from the CSV tables, its bar, and the chart of all.

No number is computed here: each is in a table, and is only printed to one decimal of a percent."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from afterimage.files.attempts import NOT_FINISHED
from afterimage.files.csv_rows import read_rows
from afterimage.note import Note, joined
from afterimage.showing.looks import MARKERS, looks_of
from afterimage.showing.tables.baselines import ALWAYS, CONSTANT, GUESSING, IN_WORDS, POSITION
from afterimage.showing.tables.values import OUTCOMES

#: Kinds of rows, in their order, and their headings.
GROUPS = {
    "model": "Models",
    "responder": "Reference responders",
    "recorded": "Recorded elsewhere",
    "people": "People",
    "baseline": "Without looking at the image",
}
#: Value of a table's column "kind" to the kind of row; a table without that column has models alone.
_KINDS = {"recorded": "recorded", "human": "people", "people": "people", "reference": "baseline"}
_MEASURED = "measured"
_PERCENT = 100
# Tables without that column have these baselines among the models.
_UNSEEING = (GUESSING, CONSTANT, POSITION, *ALWAYS)


def front_rows(
    front: Mapping[str, Any],
    tables: Mapping[str, str | os.PathLike[str]],
    models: Mapping[str, str],
    in_percent: bool = True,
) -> dict[str, Any]:
    """Return the main scores, a row for each model and a column for each score.

    Args:
        front: As :meth:`contract.front.Front.as_values` returns it.
        tables: Name of a table to its CSV.
        models: Name to ``model``, ``recorded`` or ``responder``, in the order of the rows.
        in_percent: Whether scores are printed in percent; otherwise in the unit of the suite's tables.

    Returns:
        ``measure``; ``unit``; ``most_unread``; ``columns`` (``label``, ``is_main``); ``rows`` (``name``, ``kind`` of
        :data:`GROUPS`, ``cells``), each cell None or as :func:`cell` returns it; columns without any score are left
        out; ``awaited``: people's rows without a score. Of several prompts, the first of a table is shown.
    """
    read = {name: read_rows(path) for name, path in tables.items()}
    found = {
        score["label"]: _scores(score, read[score["table"]], front, models)
        for score in front["scores"]
    }
    columns = [(label, found[label]) for label in front["shown"]]
    if len(front["main"]) > 1:
        columns.append((front["main_label"], _lowest([found[label] for label in front["main"]])))
    columns = [(label, cells) for label, cells in columns if cells]
    names = [
        *(
            (name, models[name])
            for name in models
            if any((name, models[name]) in c for _, c in columns)
        ),
        *dict.fromkeys(who for _, cells in columns for who in cells if who[0] not in models),
    ]
    secondary = found.get(front["beside"], {})
    printed = partial(_in_unit, front["top"], in_percent)
    rows = [
        {
            "name": IN_WORDS.get(who[0], who[0]),
            "kind": who[1],
            "cells": [
                printed(_with_secondary(cells.get(who), secondary.get(who), front, label))
                for label, cells in columns
            ],
        }
        for who in names
    ]
    order = list(GROUPS)
    return {
        "measure": front["measure"],
        "columns": [
            {"label": label, "is_main": label == front["main_label"]} for label, _ in columns
        ],
        "rows": sorted(rows, key=lambda row: order.index(row["kind"])),
        "awaited": _awaited_people(front["scores"], read),
        "most_unread": front["most_unread"],
        "unit": _unit(front["top"], in_percent),
    }


def _unit(top: float, in_percent: bool) -> str:
    return "percent" if in_percent or top == _PERCENT else Note("0 to {top:g}", top=top)


def cell(
    value: float | None, low: float | None, high: float | None, unread: str = ""
) -> dict[str, Any]:
    """Return a score in percent as it is shown.

    Args:
        value: From 0 to 100; None if no answer could be read.
        low: Its lower bound, None if it has none.
        unread: The problem with its answers, in words.
    """
    return {
        "text": "" if value is None else f"{value:.1f}",
        "interval": "" if low is None or high is None else f"[{low:.1f}, {high:.1f}]",
        "value": None if value is None else round(value, 2),
        "low": None if low is None else round(low, 2),
        "high": None if high is None else round(high, 2),
        "unread": unread,
        "beside": "",
    }


def best_baseline(rows: Iterable[Mapping[str, Any]], column: int) -> dict[str, Any] | None:
    """Return the greatest baseline score; None if the table has none."""
    found = [row["cells"][column] for row in rows if row["kind"] == "baseline"]
    return max(filter(None, found), key=lambda score: score["value"], default=None)


def with_marks(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same rows with looks and, in every cell, ``mark``, the best baseline of its column, and ``best``.

    The best is the highest of several models; yardsticks and recorded answers do not compete. ``is_marked`` tells
    whether any score has a warning about its answers.
    """
    looks = signs({row["name"]: row["kind"] for row in shown["rows"]})
    indices = range(len(shown["columns"]))
    marks = [best_baseline(shown["rows"], index) for index in indices]
    best = [_best_model(shown["rows"], index) for index in indices]

    def marked(row: Mapping[str, Any], index: int) -> dict[str, Any] | None:
        score, mark = row["cells"][index], marks[index]
        is_best = bool(score) and row["kind"] == "model" and score["value"] == best[index]
        return score and {**score, "mark": mark and mark["value"], "best": is_best}

    rows = [
        {**row, "look": looks[row["name"]], "cells": [marked(row, index) for index in indices]}
        for row in shown["rows"]
    ]
    is_marked = any(score and score["unread"] for row in rows for score in row["cells"])
    return {**shown, "rows": rows, "groups": groups(rows), "is_marked": is_marked}


def _best_model(rows: Iterable[Mapping[str, Any]], column: int) -> float | None:
    """Return the highest score among models; None if fewer than two have one."""
    found = [row["cells"][column] for row in rows if row["kind"] == "model"]
    values = [score["value"] for score in found if score and score["value"] is not None]
    return max(values) if len(values) > 1 else None


def groups(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows grouped by kind, each group with ``heading``, ``kind`` and ``rows``."""
    return [
        {"heading": heading, "kind": kind, "rows": [row for row in rows if row["kind"] == kind]}
        for kind, heading in GROUPS.items()
        if any(row["kind"] == kind for row in rows)
    ]


def _scores(
    score: Mapping[str, Any],
    rows: Sequence[Mapping[str, str]],
    front: Mapping[str, Any],
    models: Mapping[str, str],
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the first score of each row's name and kind in a table."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        kind = _kind(row, models)
        fits = _matches(row, score["where"])
        value = _number(row, score["value"], front["top"])
        if not kind or (row["model"], kind) in found:
            continue
        if row.get(NOT_FINISHED):
            found[row["model"], kind] = cell(None, None, None, "not finished")
        elif fits and value is not None:
            warning, is_nothing = _unread(score, row, rows, front["most_unread"])
            low, high = (_number(row, score[end], front["top"]) for end in ("low", "high"))
            shown = (
                cell(None, None, None, warning) if is_nothing else cell(value, low, high, warning)
            )
            found[row["model"], kind] = shown
    return found


def _kind(row: Mapping[str, str], models: Mapping[str, str]) -> str | None:
    """Return the kind of a row, of :data:`GROUPS`; None for a name that is not in the study."""
    kind = row.get("kind") or _MEASURED
    if kind != _MEASURED:
        return _KINDS.get(kind)
    return models.get(row["model"], "baseline" if row["model"] in _UNSEEING else None)


def _matches(row: Mapping[str, str], where: Mapping[str, str]) -> bool:
    return all(row.get(name) == wanted for name, wanted in where.items())


# By whether some were cut off, and some refused.
_UNREAD = {
    (False, False): "{unread:,} of {n:,} unread",
    (True, False): "{unread:,} of {n:,} unread ({cut_off:,} cut off)",
    (False, True): "{unread:,} of {n:,} unread ({refused:,} refused)",
    (True, True): "{unread:,} of {n:,} unread ({cut_off:,} cut off, {refused:,} refused)",
}


def _unread(
    score: Mapping[str, Any],
    row: Mapping[str, str],
    rows: Sequence[Mapping[str, str]],
    limit: float,
) -> tuple[str, bool]:
    """Return a warning about the answers of a score, or "", and whether none of them could be read."""
    counted = [row]
    if score["counted_where"] is not None:
        same = {name: row[name] for name in ("kind", "model", "prompt") if name in row}
        counted = [
            counted_row
            for counted_row in rows
            if _matches(counted_row, {**same, **score["counted_where"]})
        ]
    counted = [counted_row for counted_row in counted if counted_row.get(score["n"])]
    names = (*(score["unread"].replace("unparsed", name) for name in OUTCOMES), score["missing"])
    n, unread, cut_off, refused, missing = (
        sum(int(float(counted_row.get(name) or 0)) for counted_row in counted)
        for name in (score["n"], *names)
    )
    warnings: list[str] = []
    if 100 * unread > limit * n:
        template = _UNREAD[cut_off > 0, refused > 0]
        warnings.append(Note(template, unread=unread, n=n, cut_off=cut_off, refused=refused))
    if 100 * missing > limit * (n + missing):
        warnings.append(Note("{missing:,} of {n:,} missing", missing=missing, n=n + missing))
    return joined(warnings, ", "), 0 < n == unread


def _in_unit(top: float, in_percent: bool, score: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a cell with its numbers in the suite's own unit, where that is not percent."""
    if in_percent or not score or score["value"] is None or top == _PERCENT:
        return score

    def in_unit(percent: float) -> str:
        return f"{top * percent / _PERCENT:.3f}"

    ends = (score["low"], score["high"])
    interval = "" if None in ends else f"[{in_unit(ends[0])}, {in_unit(ends[1])}]"
    return {**score, "text": in_unit(score["value"]), "interval": interval}


def _lowest(
    columns: Sequence[Mapping[tuple[str, str], dict[str, Any]]],
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the lowest score of each name that has all scores, with a warning if any of these has one."""
    everybody = [who for who in columns[0] if all(who in column for column in columns)]
    lowest = {}
    for who in everybody:
        scores = [column[who] for column in columns]
        # A name without readable answers in one condition has no lowest score.
        lowest_score = min(
            scores, key=lambda score: -1 if score["value"] is None else score["value"]
        )
        unread = next(
            filter(None, (lowest_score["unread"], *(score["unread"] for score in scores))), ""
        )
        lowest[who] = {**lowest_score, "unread": unread}
    return lowest


def _with_secondary(
    score: dict[str, Any] | None,
    secondary: Mapping[str, Any] | None,
    front: Mapping[str, Any],
    label: str,
) -> dict[str, Any] | None:
    """Return a cell of the main score with the secondary score, in small print; other cells stay."""
    if not score or score["value"] is None or not secondary or label != front["main_label"]:
        return score
    extra = Note("{label}: {score}", label=front["beside"].lower(), score=secondary["text"])
    return {**score, "beside": extra}


def _awaited_people(
    scores: Iterable[Mapping[str, Any]], read: Mapping[str, list[dict[str, str]]]
) -> list[str]:
    """Return the names of people's rows that have no score yet."""
    return list(
        dict.fromkeys(
            row["model"]
            for score in scores
            for row in read[score["table"]]
            if _KINDS.get(row.get("kind", "")) == "people" and not row.get(score["value"])
        )
    )


def _number(row: Mapping[str, str], column: str, top: float) -> float | None:
    text = row.get(column, "")
    return 100 * float(text) / top if text else None


# ---- the overview's chart: a band per suite, a mark with its interval per score; a template draws it ----

_LEFT, _RIGHT, _WIDTH = 8, 16, 520
_NAME, _GAP, _FOOT = 18, 10, 26
# Each mark has its own line; with many marks, lines are closer and marks smaller.
_LINE, _LINES = 9, 72


def signs(kinds: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the look of every name's mark: ``shape``, the number of its ``colour``, and whether it is ``hollow``.

    Args:
        kinds: Name to a group of :data:`GROUPS`.
    """
    return {
        name: {"shape": MARKERS[look.marker], "colour": look.colour, "hollow": look.hollow}
        for name, look in looks_of(list(kinds), kinds).items()
    }


def strip_chart(
    columns: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the positions of everything in the chart, in units of the picture.

    Args:
        columns: The suites: ``title`` and ``label``.
        rows: The names to draw: ``name``, ``look`` and ``cells``, each None or as :func:`with_marks` returns it.

    Returns:
        ``width``, ``height``, ``ticks`` (``x``, ``text``), ``bands`` (``name``, ``label``, ``top``, ``bottom``,
        ``mark``: the x of the best baseline, or None) each with ``marks`` (``x``, ``y``, ``low``, ``high``, ``look``,
        ``says``), and ``scale``, the size of the marks. A name without a score in a suite has no line there.
    """
    bands, top = [], 4.0
    max_marks = max(
        (
            sum(map(_has_score, cells))
            for cells in zip(*(row["cells"] for row in rows), strict=True)
        ),
        default=0,
    )
    line_height = min(_LINE, _LINES / max(1, max_marks))
    for index, column in enumerate(columns):
        drawn = [(row, row["cells"][index]) for row in rows if _has_score(row["cells"][index])]
        bottom = top + _NAME + line_height * len(drawn) + _GAP / 2
        baselines = [score["mark"] for _, score in drawn if score["mark"] is not None]
        bands.append(
            {
                "name": column["title"],
                "label": column["label"],
                "top": top,
                "bottom": bottom,
                "mark": _x_of(baselines[0]) if baselines else None,
                "marks": [
                    {
                        "y": top + _NAME + line_height * (line + 0.5),
                        "x": _x_of(score["value"]),
                        "low": None if score["low"] is None else _x_of(score["low"]),
                        "high": None if score["high"] is None else _x_of(score["high"]),
                        "look": row["look"],
                        "says": _mark_text(row["name"], score),
                    }
                    for line, (row, score) in enumerate(drawn)
                ],
            }
        )
        top = bottom + _GAP / 2
    return {
        "width": _WIDTH,
        "height": top + _FOOT,
        "bottom": top,
        "ticks": [{"x": _x_of(value), "text": f"{value}"} for value in range(0, 101, 25)],
        "bands": bands,
        "scale": round(max(0.7, line_height / _LINE), 2),
    }


def _mark_text(name: str, score: Mapping[str, Any]) -> str:
    return f"{name}: {score['text']} %{', ' if score['unread'] else ''}{score['unread']}"


def _has_score(score: Mapping[str, Any] | None) -> bool:
    return bool(score and score["value"] is not None)


def _x_of(percent: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * percent / 100, 1)
