"""The overview, and what was not run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from afterimage.contract.front import MAX_BLIND_SCORE
from afterimage.note import Note, joined
from afterimage.report.front import GROUPS, best_baseline, groups, signs, strip_chart, with_marks

_NO_RUN = "not run"


def not_run(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return why printed numbers were not measured: each reason with their number and, where given, their suite."""
    reasons = Counter(
        (row.get("suite", ""), row["reason"]) for row in rows if row["status"] == _NO_RUN
    )
    return [
        {
            "what": Note("{suite}: {numbers}", suite=suite, numbers=_printed_numbers(count))
            if suite
            else _printed_numbers(count),
            "why": reason,
        }
        for (suite, reason), count in reasons.most_common()
    ]


def not_run_here(
    numbers: Iterable[Mapping[str, str]], papers: Mapping[str, str], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the rows of :func:`not_run` for the papers of the study's suites."""
    measured = [row for row in numbers if row["paper"] in papers]
    return not_run(
        {
            "status": row["status"].replace("_", " "),
            "reason": row["reason"],
            "suite": titles[papers[row["paper"]]],
        }
        for row in measured
    )


def _printed_numbers(count: int) -> Note:
    return Note("{n:,} printed numbers" if count > 1 else "{n:,} printed number", n=count)


# ---- overview ----

#: Name of the row with the best baseline of each suite.
BASELINE = "best without looking"
# Singular and plural.
_WHO = {
    "model": ("{n} model", "{n} models"),
    "recorded": ("{n} model recorded elsewhere", "{n} models recorded elsewhere"),
    "responder": ("{n} reference responder", "{n} reference responders"),
}


def first_screen(
    suites: Sequence[Mapping[str, Any]], fronts: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the matrix of models and suites, and its chart.

    Args:
        suites: ``suite``, ``title`` and ``href`` of each, and of a pilot ``pilot``.
        fronts: Suite to the result of :func:`front.front_rows` for its main score alone.

    Returns:
        ``columns`` (``title``, ``label``, ``measure``, ``href``), ``groups`` (``heading``, ``kind``, ``rows`` with
        ``name``, ``look`` and ``cells``), ``chart``, ``is_marked``, ``most_unread`` and ``unseeing``, warnings about
        suites with a high baseline score, as users' own images may have.
    """
    columns, shown = [], []
    for suite in suites:
        front = fronts[suite["suite"]]
        label = front["columns"][0]["label"] if front["columns"] else "no score"
        columns.append(
            {
                "title": Note("{title} (pilot)", title=suite["title"])
                if "pilot" in suite
                else suite["title"],
                "href": suite["href"],
                "label": label,
                "measure": front["measure"] if front["columns"] else "",
            }
        )
        shown.append(with_marks(front))
    rows = _rows(shown)
    drawn = [row for row in rows if row["kind"] != "baseline"]
    return {
        "columns": columns,
        "groups": groups(rows),
        "chart": strip_chart(columns, drawn),
        "is_marked": any(front["is_marked"] for front in shown),
        "most_unread": max((front["most_unread"] for front in shown), default=0),
        "unseeing": _blind_score_notes(columns, rows),
    }


def sentence(models: Mapping[str, str], suites: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about a study: its models and suites, and the numbers of questions and answers.

    Args:
        models: Name to ``model``, ``recorded`` or ``responder``.
        suites: ``title``, ``items`` and ``answers`` of each.
    """
    kinds = list(models.values())
    who = [_counted(kinds.count(kind), words) for kind, words in _WHO.items() if kind in kinds]
    titles = _listed([str(suite["title"]) for suite in suites])
    items, answers = (sum(suite[key] for suite in suites) for key in ("items", "answers"))
    return Note(
        "{who} on {suites} ({titles}): {items:,} questions, {answers:,} answers.",
        who=_listed(who),
        suites=_counted(len(suites), ("{n} suite", "{n} suites")),
        titles=titles,
        items=items,
        answers=answers,
    )


def answered_on(days: Iterable[str]) -> str:
    """Return a sentence about the days of the answers (``2026-11-22``); empty if there are none."""
    known = sorted(set(days))
    if not known:
        return ""
    first, last = (_day(day) for day in (known[0], known[-1]))
    return (
        Note("Answers of {last}.", last=last)
        if first == last
        else Note("Answers of {first} to {last}.", first=first, last=last)
    )


def missing(
    fronts: Mapping[str, Mapping[str, Any]],
    models: Iterable[str],
    unable: Mapping[str, Sequence[str]],
    titles: Mapping[str, str],
) -> list[dict[str, str]]:
    """Return the empty cells of the matrix, by reason."""
    found: dict[str, list[str]] = {}
    everybody = list(models)
    for suite, front in fronts.items():
        scored = {row["name"] for row in front["rows"]}
        if not front["columns"]:
            found.setdefault("no table of the suite has a score in percent", []).append(
                titles[suite]
            )
            continue
        for name in everybody:
            if name in unable[suite]:
                reason = "the suite provides no answers for it"
            elif name not in scored:
                reason = "none of its answers has a score yet"
            else:
                continue
            found.setdefault(reason, []).append(_model_on_suite(name, titles[suite]))
        for name in front["awaited"]:
            found.setdefault("people have not answered yet", []).append(
                _model_on_suite(name, titles[suite])
            )
    return [{"what": joined(what, ", "), "why": reason} for reason, what in found.items()]


def _model_on_suite(model: str, suite: str) -> Note:
    return Note("{model} on {suite}", model=model, suite=suite)


def empty_tables(
    tables: Mapping[str, Mapping[str, Any]], awaited: Iterable[str]
) -> list[dict[str, str]]:
    """Return the tables without a number, by reason.

    Args:
        tables: Name to a reader's table (``tables/renderers.py``); ``empty`` is the reason of one without.
        awaited: Tables that are made only after people have answered.
    """
    found: dict[str, list[str]] = {}
    for name, table in tables.items():
        if "empty" in table:
            found.setdefault(table["empty"], []).append(name)
    for name in awaited:
        found.setdefault("people have not answered its page yet", []).append(name)
    return [
        {"what": Note("Empty: {tables}", tables=", ".join(what)), "why": reason}
        for reason, what in found.items()
    ]


#: The reason for every empty part of a table that is not empty as a whole.
_NOTHING_COUNTS = "no answer of this study counts there; the table's notes say what it counts"


def empty_parts(tables: Mapping[str, Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the columns and groups of rows without a number in tables that have some elsewhere.

    Args:
        tables: As for :func:`empty_tables`; reference rows do not count.
    """
    parts = [
        Note("{table} ({parts})", table=name, parts=joined(found, ", "))
        for name, table in tables.items()
        if "empty" not in table and (found := [*_empty_columns(table), *_empty_groups(table)])
    ]
    what = Note("Empty in part: {tables}", tables=joined(parts, "; "))
    return [{"what": what, "why": _NOTHING_COUNTS}] if parts else []


def _empty_columns(table: Mapping[str, Any]) -> Iterator[str]:
    rows = [row["cells"] for row in table["rows"] if not row["is_reference"]]
    for index, column in enumerate(table["columns"]):
        if column["is_numeric"] and rows and not any(_has_number(row[index]) for row in rows):
            yield Note("column {label}", label=column["label"])


def _empty_groups(table: Mapping[str, Any]) -> Iterator[str]:
    numeric = [column["is_numeric"] for column in table["columns"]]
    filled: dict[str, bool] = {}
    heading = ""
    for row in table["rows"]:
        heading = row["group"] or heading
        if not row["is_reference"]:
            cells = [cell for cell, kind in zip(row["cells"], numeric, strict=True) if kind]
            filled[heading] = filled.get(heading, False) or any(map(_has_number, cells))
    yield from (
        Note("rows of {name}", name=name) for name, has in filled.items() if name and not has
    )


def _has_number(cell: Mapping[str, Any]) -> bool:
    return cell["sort"] is not None


def has_cost(rows: Iterable[Mapping[str, str]]) -> bool:
    """Tell whether anything in a study has a cost, or would if its price were known."""
    return any(
        float(row["cost"]) > 0 if row["cost"] else float(row["prompt_tokens"] or 0) > 0
        for row in rows
    )


def _rows(shown: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for every name, with a cell for each suite, and one row for the best baselines."""
    cells: dict[tuple[str, str], list[Any]] = {}
    for index, front in enumerate(shown):
        for row in front["rows"]:
            if row["kind"] != "baseline":
                row_cells = cells.setdefault((row["name"], row["kind"]), [None] * len(shown))
                row_cells[index] = row["cells"][0]
    best = [best_baseline(front["rows"], 0) if front["columns"] else None for front in shown]
    if any(best):
        cells[BASELINE, "baseline"] = [
            baseline and {**baseline, "mark": baseline["value"], "best": False} for baseline in best
        ]
    order = list(GROUPS)
    ordered = sorted(cells, key=lambda who: order.index(who[1]))
    looks = signs(dict(ordered))
    return [
        {"name": name, "kind": kind, "look": looks[name], "cells": cells[name, kind]}
        for name, kind in ordered
    ]


def _blind_score_notes(
    columns: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    best: Sequence[Mapping[str, Any] | None] = next(
        (row["cells"] for row in rows if row["kind"] == "baseline"), []
    )
    return [
        Note(
            "{title}: {text} % can be had without looking at the image.",
            title=column["title"],
            text=score["text"],
        )
        for column, score in zip(columns, best, strict=bool(best))
        if score and score["value"] > MAX_BLIND_SCORE
    ]


def _counted(number: int, templates: tuple[str, str]) -> Note:
    singular, plural = templates
    return Note(singular if number == 1 else plural, n=number)


def _listed(words: Sequence[str]) -> Note:
    if len(words) < 2:
        return joined(words)
    return Note("{first} and {last}", first=joined(words[:-1], ", "), last=words[-1])


def _day(day: str) -> Note:
    known = date.fromisoformat(day)
    return Note("{day} {month} {year}", day=known.day, month=f"{known:%B}", year=known.year)
