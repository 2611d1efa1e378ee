"""The announcement of a run for its display, as plain values, and sentences about its end."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from afterimage.contract.model import by_others, load_backend
from afterimage.files.attempts import (
    NOT_FINISHED,
    NOTHING_ANSWERED,
    NOTHING_ASKED,
    last_attempt,
    most_common,
    others_noted,
)
from afterimage.files.csv_rows import read_rows
from afterimage.planning.plan import Plan
from afterimage.planning.prices import price_of
from afterimage.stages.report import front_of


def announcement(plan: Plan) -> dict[str, Any]:
    """Return what the display needs to know of a study while it runs.

    The Snakefile sends it through Snakemake's log to the logger plug-in, if that is installed.

    Returns:
        ``results``, the folder; ``suites`` and ``models``, in order; ``owners``, the suite of each suite, table and
        figure; ``responders``, models that answer immediately; ``prices`` of the others: ``per_million`` tokens of each
        kind, as :func:`price_of` returns them, or None, and their ``currency``; ``scores``: each suite's main score as
        :meth:`contract.front.Front.as_values` returns it, and ``what`` it measures.
    """
    return {
        "results": plan.results,
        "suites": list(plan.suites),
        "models": list(plan.models),
        "owners": {
            **{suite: suite for suite in plan.suites},
            **plan.tables,
            **plan.charts,
            **plan.sheets,
            **plan.pages,
        },
        "responders": list(plan.responders),
        "prices": {
            name: {"per_million": price_of(entry), "currency": entry.currency}
            for name, entry in plan.models_and_judge.items()
            if name not in plan.responders and not load_backend(entry.backend).reference
        },
        "scores": {suite: _main_score(plan, suite) for suite in plan.suites},
    }


def _main_score(plan: Plan, suite: str) -> dict[str, Any]:
    front = front_of(plan, suite)
    values = front.as_values(main_only=True)
    second_label = f" ({front.beside.lower()})" if front.beside else ""
    return {**values, "what": f"{front.measure}, {front.main_label}{second_label}"}


# ---- at its end ----

# A study may have hundreds of pairs of model and suite.
_MAX_NAMED = 12

#: Path of a file of answers to its model and suite.
Answers = Mapping[str, tuple[str, str]]


def missing_answers(answers: Answers, are_stored: bool = False) -> str:
    """Return which models have not answered everything, and how to continue; "" if nothing is missing.

    Args:
        answers: The files that the study needs.
        are_stored: Whether they are on remote storage, so that only their notes are local.
    """
    reasons: dict[tuple[str, str], list[str]] = {}
    for path, whose in answers.items():
        attempt = last_attempt(path)
        if attempt.failed and (are_stored or Path(path).is_file()):
            reasons.setdefault(whose, []).extend([attempt.reason] * attempt.failed)
    listed = _listed(
        f"{model} on {suite}: {len(failed):,} without answer ({most_common(failed)})"
        for (model, suite), failed in reasons.items()
    )
    return listed and (
        f"not finished: {listed}. Tables and report show the other models and say so; what was answered is kept. The "
        "same command asks only what is missing (docs/reliability.md)."
    )


def other_models(answers: Answers) -> str:
    """Return which answers came from other models, according to the servers; "" if none did.

    Args:
        answers: The files that the study needs.
    """
    counts: dict[str, Counter[str]] = {}
    for path, (model, _) in answers.items():
        counts.setdefault(model, Counter()).update(others_noted(path))
    return by_others(counts)


def missing_files(answers: Answers) -> str:
    """Return which models' answers have no file because a job was ended or stopped; "" if all have one.

    Args:
        answers: The files that the study needs.
    """
    absent = dict.fromkeys(whose for path, whose in answers.items() if not Path(path).is_file())
    listed = _listed(f"{model} on {suite}" for model, suite in absent)
    return listed and (
        f"No file of answers yet of: {listed}. Its job was ended, stopped with an error or never started; the tables "
        "and pages that need it wait, and older ones are of an earlier run. What was answered is in the journal; the "
        "same command goes on."
    )


def without_numbers(tables: Mapping[str, str]) -> str:
    """Return which suites asked nothing and which models answered nothing, according to their tables; "" if none.

    Args:
        tables: CSV files, which may be missing, to their suites.
    """
    models: dict[tuple[str, str], dict[str, None]] = {}
    for path, suite in tables.items():
        for row in read_rows(path) if Path(path).is_file() else ():
            state = row.get(NOT_FINISHED, "")
            if state.startswith((NOTHING_ASKED, NOTHING_ANSWERED)):
                models.setdefault((suite, state), {})[row["model"]] = None
    listed = _listed(
        f"{', '.join(who)} on {suite}, {what}" for (suite, what), who in models.items()
    )
    return listed and f"Without numbers: {listed}."


def _listed(parts: Iterable[str]) -> str:
    """Return the first parts in one line, and the number of further ones."""
    named = list(parts)
    more = len(named) - _MAX_NAMED
    return "; ".join([*named[:_MAX_NAMED], *([f"and {more} more"] if more > 0 else [])])
