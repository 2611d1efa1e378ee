"""What came of a run, in at most 20 lines: made, scores, missing, where to read on."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snakemake_logger_plugin_afterimage.run import Run
from snakemake_logger_plugin_afterimage.words import MOST_CHARACTERS, duration

_MOST_MODELS = 9
_MOST_MISSING = 4
_NONE = "-"


def summary(run: Run, seconds: float) -> list[str]:
    """Return the lines.

    Args:
        run: The run, ended.
        seconds: How long it took.
    """
    return [
        _made(run, seconds),
        *_scores(run.study, run.unmade),
        *_missing(run),
        *_address(run),
    ]


def _made(run: Run, seconds: float) -> str:
    if not run.total:
        return "Nothing to be done: all is made."
    if run.is_unfinished and run.done == run.total:
        return f"Not finished: {run.total} jobs ran in {duration(seconds)}; answers are missing, for the reason above."
    if run.is_stopped:
        return f"Stopped by Ctrl-C: {run.done} of {run.total} jobs done in {duration(seconds)}."
    if run.done == run.total:
        return f"All {run.total} jobs done in {duration(seconds)}."
    return f"{run.done} of {run.total} jobs done in {duration(seconds)}; {len(run.failed)} failed."


def _missing(run: Run) -> list[str]:
    if not run.total or run.done >= run.total:
        return []
    if run.is_stopped:
        return [
            f"Missing: {run.total - run.done} jobs. What was answered is in the journal; the same command makes only "
            "what is missing."
        ]
    named = list(run.failed.values())
    lines = [f"Missing: {task}: failed, for the reason above." for task in named[:_MOST_MISSING]]
    if len(named) > _MOST_MISSING:
        lines.append(f"Missing: {len(named) - _MOST_MISSING} more that failed.")
    if waiting := run.total - run.done - len(named):
        why = "they need what failed" if named else "the run was stopped"
        lines.append(
            f"Missing: {waiting} jobs did not run: {why}. A rerun makes only what is missing."
        )
    return lines


def _address(run: Run) -> list[str]:
    """Name the report where this run made it or found it up to date: another that lies there may show another study."""
    is_current = run.has_made_report or (run.reports and run.done == run.total)
    page = Path(run.study.get("results", "results"), "report", "index.html").absolute()
    return [f"The report: file://{page}"] if is_current and page.is_file() else []


# ---- models x suites ----


def _scores(study: Mapping[str, Any], unmade: set[str]) -> list[str]:
    """Lay out each model's main score on each suite, as wide and long as there is room."""
    models = list(study.get("models", ()))
    columns = {
        suite: cells
        for suite, score in study.get("scores", {}).items()
        if suite not in unmade and any(cells := [_cell(study, score, model) for model in models])
    }
    if not columns:
        return []
    shown = models[:_MOST_MODELS]
    lines = [" " * max(map(len, ["", *shown]))]
    lines += [model.ljust(len(lines[0])) for model in shown]
    left_out = []
    for suite, cells in columns.items():
        texts = [suite, *((cell or _NONE) for cell in cells[: len(shown)])]
        width = max(map(len, texts)) + 2
        if len(lines[0]) + width > MOST_CHARACTERS:
            left_out.append(suite)
            continue
        lines = [line + text.rjust(width) for line, text in zip(lines, texts, strict=True)]
    if len(models) > len(shown):
        lines.append(f"... and {len(models) - len(shown)} more models, in the report")
    if left_out:
        lines.append(f"... and, in the report, {', '.join(left_out)}")
    meanings = "; ".join(f"{suite}: {study['scores'][suite]['what']}" for suite in columns)
    return [*lines, f"({meanings})"[:MOST_CHARACTERS]]


def _cell(study: Mapping[str, Any], score: Mapping[str, Any], model: str) -> str:
    """Return a model's score in percent with its interval, out of the table's CSV; empty where it has none."""
    path = Path(study.get("results", "results"), "tables", f"{score['table']}.csv")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError):
        return ""
    wanted = {"model": model, **score["where"]}
    for row in rows:
        if all(row.get(column) == text for column, text in wanted.items()) and row[score["value"]]:
            value, low, high = (
                _percent(row, score[name], score) for name in ("value", "low", "high")
            )
            return f"{value} [{low}, {high}]" if low and high else value
    return ""


def _percent(row: Mapping[str, str], column: str, score: Mapping[str, Any]) -> str:
    cell = row.get(column)
    return f"{100 * float(cell) / score['top']:.1f}" if cell else ""
