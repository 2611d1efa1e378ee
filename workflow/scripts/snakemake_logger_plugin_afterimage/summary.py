"""What came of a run, in at most 20 lines: made, scores, missing, where to read on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snakemake_logger_plugin_afterimage.run import Run
from snakemake_logger_plugin_afterimage.scores import main_score
from snakemake_logger_plugin_afterimage.words import MAX_CHARACTERS, duration

_MAX_MODELS = 9
_MAX_MISSING = 4
_MAX_UNREAD = 3
_NONE = "-"
# Behind a score, where more of the answers than a few could not be read.
_MARK = "!"


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
    lines = [f"Missing: {task}: failed, for the reason above." for task in named[:_MAX_MISSING]]
    if len(named) > _MAX_MISSING:
        lines.append(f"Missing: {len(named) - _MAX_MISSING} more that failed.")
    if waiting := run.total - run.done - len(named):
        # With nothing failed, Snakemake left them out (-R with --until) or was stopped from outside.
        why = ": they need what failed" if named else ""
        lines.append(
            f"Missing: {waiting} jobs did not run{why}. A rerun makes only what is missing."
        )
    return lines


def _address(run: Run) -> list[str]:
    """Name the report where this run made it or found it up to date: another that lies there may show another study."""
    is_current = run.has_made_report or (run.reports and run.done == run.total)
    page = Path(run.study.get("results", "results"), "report", "index.html").absolute()
    return [f"The report: file://{page}"] if is_current and page.is_file() else []


# ---- models x suites ----


def _scores(study: Mapping[str, Any], unmade: set[str]) -> list[str]:
    """Lay out each model's main score on each suite as far as there is room, and say whose answers were unread."""
    models = list(study.get("models", ()))
    results = study.get("results", "results")
    columns = {}
    for suite, front in study.get("scores", {}).items():
        cells = [main_score(results, front, model) for model in models]
        if suite not in unmade and any(map(any, cells)):
            columns[suite] = cells
    if not columns:
        return []
    shown = models[:_MAX_MODELS]
    lines = [" " * max(map(len, ["", *shown]))]
    lines += [model.ljust(len(lines[0])) for model in shown]
    left_out = []
    for suite, cells in columns.items():
        shown_cells = cells[: len(shown)]
        blank = " " if any(doubt for _, doubt in shown_cells) else ""
        texts = [
            suite + blank,
            *(f"{score or _NONE}{_MARK if doubt else blank}" for score, doubt in shown_cells),
        ]
        width = max(map(len, texts)) + 2
        if len(lines[0]) + width > MAX_CHARACTERS:
            left_out.append(suite)
            continue
        lines = [line + text.rjust(width) for line, text in zip(lines, texts, strict=True)]
    lines = [line.rstrip() for line in lines]
    if len(models) > len(shown):
        lines.append(f"... and {len(models) - len(shown)} more models, in the report")
    if left_out:
        lines.append(f"... and, in the report, {', '.join(left_out)}")
    meanings = "; ".join(f"{suite}: {study['scores'][suite]['what']}" for suite in columns)
    return [*lines, f"({meanings})"[:MAX_CHARACTERS], *_unread(models, columns)]


def _unread(models: list[str], columns: Mapping[str, list[tuple[str, str]]]) -> list[str]:
    """Say whose answers could not be read, or are missing, in a line for each of the first models."""
    lines = []
    for index, model in enumerate(models):
        doubts = [
            f"{cells[index][1]} ({suite})" for suite, cells in columns.items() if cells[index][1]
        ]
        if doubts:
            lines.append(f"{_MARK} {model}: {', '.join(doubts)}"[:MAX_CHARACTERS])
    more = len(lines) - _MAX_UNREAD
    return (
        lines
        if more <= 0
        else [*lines[:_MAX_UNREAD], f"{_MARK} ... and {more} more models, in the report"]
    )
