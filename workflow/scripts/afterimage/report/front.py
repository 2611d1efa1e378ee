"""The scores that are read first: every model's row out of the CSV tables, where its bar is drawn, and their chart.

No number is made here: each stands in a table, and is only printed to one decimal of a percent."""

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

#: Whose rows there are, in the order in which they stand, and what is said above them.
GROUPS = {
    "model": "Models",
    "responder": "Reference responders",
    "recorded": "Recorded elsewhere",
    "people": "People",
    "baseline": "Without looking at the image",
}
#: What a table's column "kind" says, to whose row it is; a table without that column has models alone.
_KINDS = {"recorded": "recorded", "human": "people", "people": "people", "reference": "baseline"}
_MEASURED = "measured"
_PERCENT = 100
# Tables without that column have these beside models.
_UNSEEING = (GUESSING, CONSTANT, POSITION, *ALWAYS)


def front_rows(
    front: Mapping[str, Any],
    tables: Mapping[str, str | os.PathLike[str]],
    models: Mapping[str, str],
    in_percent: bool = True,
) -> dict[str, Any]:
    """Return the scores that are read first, a row for each model and a column for each score.

    Args:
        front: As :meth:`contract.front.Front.as_values` returns it.
        tables: Name of a table to its CSV.
        models: The study's models to ``model``, ``recorded`` or ``responder``, in the order of the rows.
        in_percent: Whether scores are printed in percent; else in the suite's own unit, as its tables have them.

    Returns:
        ``measure``; ``unit``; ``most_unread``; ``columns`` (``label``, ``is_main``); ``rows`` (``name``, ``kind`` of
        :data:`GROUPS`, ``cells``), each cell None or as :func:`cell` returns it; columns in which nobody has a score
        are left out; ``awaited``: people's rows without a score. Of several prompts the first of a table is shown.
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
    beside = found.get(front["beside"], {})
    printed = partial(_printed, front["top"], in_percent)
    rows = [
        {
            "name": IN_WORDS.get(name, name),
            "kind": kind,
            "cells": [
                printed(_beside(cells.get((name, kind)), beside.get((name, kind)), front, label))
                for label, cells in columns
            ],
        }
        for name, kind in names
    ]
    order = list(GROUPS)
    return {
        "measure": front["measure"],
        "columns": [
            {"label": label, "is_main": label == front["main_label"]} for label, _ in columns
        ],
        "rows": sorted(rows, key=lambda row: order.index(row["kind"])),
        "awaited": _awaited(front["scores"], read),
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
        value: From 0 to 100; None for who answered nothing that could be read.
        low: Its lower bound, None where it has none.
        unread: What is wrong with the answers behind it, in words.
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
    """Return the greatest score that can be had without looking; None where the table has none."""
    found = [row["cells"][column] for row in rows if row["kind"] == "baseline"]
    return max(filter(None, found), key=lambda one: one["value"], default=None)


def with_marks(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same rows with looks and, in every cell, ``mark``, the best baseline of its column, and ``best``.

    The best is the highest of several models'; yardsticks and what was recorded elsewhere are none. ``is_marked`` says
    whether there is something to be said of anybody's answers.
    """
    looks = signs({row["name"]: row["kind"] for row in shown["rows"]})
    places = range(len(shown["columns"]))
    marks = [best_baseline(shown["rows"], place) for place in places]
    best = [_best_model(shown["rows"], place) for place in places]

    def marked(row: Mapping[str, Any], place: int) -> dict[str, Any] | None:
        one, mark = row["cells"][place], marks[place]
        is_best = bool(one) and row["kind"] == "model" and one["value"] == best[place]
        return one and {**one, "mark": mark and mark["value"], "best": is_best}

    rows = [
        {**row, "look": looks[row["name"]], "cells": [marked(row, place) for place in places]}
        for row in shown["rows"]
    ]
    is_marked = any(one and one["unread"] for row in rows for one in row["cells"])
    return {**shown, "rows": rows, "groups": groups(rows), "is_marked": is_marked}


def _best_model(rows: Iterable[Mapping[str, Any]], column: int) -> float | None:
    """Return the highest score among models; None where fewer than two have one."""
    found = [row["cells"][column] for row in rows if row["kind"] == "model"]
    values = [one["value"] for one in found if one and one["value"] is not None]
    return max(values) if len(values) > 1 else None


def groups(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows below the headings that say whose they are: ``heading``, ``kind`` and ``rows``."""
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
    """Return the first score of everybody in a table, by name and kind."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        kind = _kind(row, models)
        fits = _fits(row, score["where"])
        value = _number(row, score["value"], front["top"])
        if not kind or (row["model"], kind) in found:
            continue
        if row.get(NOT_FINISHED):
            found[row["model"], kind] = cell(None, None, None, "not finished")
        elif fits and value is not None:
            told, is_nothing = _unread(score, row, rows, front["most_unread"])
            low, high = (_number(row, score[end], front["top"]) for end in ("low", "high"))
            shown = cell(None, None, None, told) if is_nothing else cell(value, low, high, told)
            found[row["model"], kind] = shown
    return found


def _kind(row: Mapping[str, str], models: Mapping[str, str]) -> str | None:
    """Return whose row it is, of :data:`GROUPS`; None for a stranger's."""
    told = row.get("kind") or _MEASURED
    if told != _MEASURED:
        return _KINDS.get(told)
    return models.get(row["model"], "baseline" if row["model"] in _UNSEEING else None)


def _fits(row: Mapping[str, str], where: Mapping[str, str]) -> bool:
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
    most: float,
) -> tuple[str, bool]:
    """Return what is to be said of the answers behind a score, and whether none of them could be read."""
    counted = [row]
    if score["counted_where"] is not None:
        same = {name: row[name] for name in ("kind", "model", "prompt") if name in row}
        counted = [one for one in rows if _fits(one, {**same, **score["counted_where"]})]
    counted = [one for one in counted if one.get(score["n"])]
    names = (*(score["unread"].replace("unparsed", name) for name in OUTCOMES), score["missing"])
    n, unread, cut_off, refused, missing = (
        sum(int(float(one.get(name) or 0)) for one in counted) for name in (score["n"], *names)
    )
    told: list[str] = []
    if 100 * unread > most * n:
        template = _UNREAD[cut_off > 0, refused > 0]
        told.append(Note(template, unread=unread, n=n, cut_off=cut_off, refused=refused))
    if 100 * missing > most * (n + missing):
        told.append(Note("{missing:,} of {n:,} missing", missing=missing, n=n + missing))
    return joined(told, ", "), 0 < n == unread


def _printed(top: float, in_percent: bool, one: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a cell with its numbers in the suite's own unit, of a suite whose unit is not percent."""
    if in_percent or not one or one["value"] is None or top == _PERCENT:
        return one

    def own(percent: float) -> str:
        return f"{top * percent / _PERCENT:.3f}"

    ends = (one["low"], one["high"])
    interval = "" if None in ends else f"[{own(ends[0])}, {own(ends[1])}]"
    return {**one, "text": own(one["value"]), "interval": interval}


def _lowest(
    columns: Sequence[Mapping[tuple[str, str], dict[str, Any]]],
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the lowest score of each who has all scores; it is marked where answers behind any of them were unread."""
    everybody = [who for who in columns[0] if all(who in column for column in columns)]
    lowest = {}
    for who in everybody:
        own = [column[who] for column in columns]
        # Who answered nothing of one condition has no lowest score.
        least = min(own, key=lambda one: -1 if one["value"] is None else one["value"])
        told = next(filter(None, (least["unread"], *(one["unread"] for one in own))), "")
        lowest[who] = {**least, "unread": told}
    return lowest


def _beside(
    one: dict[str, Any] | None,
    other: Mapping[str, Any] | None,
    front: Mapping[str, Any],
    label: str,
) -> dict[str, Any] | None:
    """Return a cell of the main score with what stands beside it, smaller; others as they are."""
    if not one or one["value"] is None or not other or label != front["main_label"]:
        return one
    beside = Note("{label}: {score}", label=front["beside"].lower(), score=other["text"])
    return {**one, "beside": beside}


def _awaited(
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


# ---- the overview's chart: every suite a band, every score a mark with its interval; a template draws it ----

_LEFT, _RIGHT, _WIDTH = 8, 16, 520
_NAME, _GAP, _FOOT = 18, 10, 26
# A mark has a line of its own; of many, the lines are closer and the marks smaller.
_LINE, _LINES = 9, 72


def signs(kinds: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return how everybody's mark looks: ``shape``, the number of its ``colour``, and whether it is ``hollow``.

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
    """Return where everything is drawn, in units of the picture.

    Args:
        columns: The suites: ``title`` and ``label``.
        rows: Who is drawn: ``name``, ``look`` and ``cells``, each None or as
            :func:`with_marks` returns it.

    Returns:
        ``width``, ``height``, ``ticks`` (``x``, ``text``), ``bands`` (``name``, ``label``, ``top``, ``bottom``,
        ``mark``: the x of the best score without looking, or None) each with ``marks`` (``x``, ``y``, ``low``,
        ``high``, ``look``, ``says``), and ``scale``, the size of the marks.
        Who has no score in a suite takes no room there.
    """
    bands, top = [], 4.0
    most = max(
        (
            sum(map(_has_score, cells))
            for cells in zip(*(row["cells"] for row in rows), strict=True)
        ),
        default=0,
    )
    line_height = min(_LINE, _LINES / max(1, most))
    for place, column in enumerate(columns):
        drawn = [(row, row["cells"][place]) for row in rows if _has_score(row["cells"][place])]
        bottom = top + _NAME + line_height * len(drawn) + _GAP / 2
        baselines = [one["mark"] for _, one in drawn if one["mark"] is not None]
        bands.append(
            {
                "name": column["title"],
                "label": column["label"],
                "top": top,
                "bottom": bottom,
                "mark": _place_of(baselines[0]) if baselines else None,
                "marks": [
                    {
                        "y": top + _NAME + line_height * (line + 0.5),
                        "x": _place_of(one["value"]),
                        "low": None if one["low"] is None else _place_of(one["low"]),
                        "high": None if one["high"] is None else _place_of(one["high"]),
                        "look": row["look"],
                        "says": _said_of_mark(row["name"], one),
                    }
                    for line, (row, one) in enumerate(drawn)
                ],
            }
        )
        top = bottom + _GAP / 2
    return {
        "width": _WIDTH,
        "height": top + _FOOT,
        "bottom": top,
        "ticks": [{"x": _place_of(value), "text": f"{value}"} for value in range(0, 101, 25)],
        "bands": bands,
        "scale": round(max(0.7, line_height / _LINE), 2),
    }


def _said_of_mark(name: str, one: Mapping[str, Any]) -> str:
    return f"{name}: {one['text']} %{', ' if one['unread'] else ''}{one['unread']}"


def _has_score(one: Mapping[str, Any] | None) -> bool:
    return bool(one and one["value"] is not None)


def _place_of(percent: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * percent / 100, 1)
