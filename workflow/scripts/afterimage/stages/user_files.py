"""The user's files that jobs read, and which of them are dated in the future."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from afterimage.planning.plan import Plan
from afterimage.planning.recorded_answers import recorded_files, recorded_ids
from afterimage.stages.human_filter import has_human_filter, human_responses
from afterimage.stages.items import item_files
from afterimage.stages.stimuli import sources
from afterimage.stages.tables import table_files

# What clocks of a network may differ by.
_CLOCKS_APART_SECONDS = 10.0
_MAX_NAMED = 12


def users_files(plan: Plan) -> list[str]:
    """Return the user's files that jobs read, as far as they are named before anything is made."""
    files = [path for paths in plan.forms.returned.values() for path in paths]
    files += [file for form in plan.forms.names for file in plan.forms.files(*form)]
    for suite, figures in plan.figures.items():
        files += [file for figure in figures for file in sources(plan, suite, figure)]
        files += [*item_files(plan, suite), *table_files(plan, suite)]
        files += [*plan.ledger.outcome_files(suite), *plan.judging.reviews(suite)]
        files += plan.judging.scores(suite)
        files += human_responses(plan, suite) if has_human_filter(plan, suite) else []
        for model in plan.recorded:
            files += recorded_files(plan.models[model], suite)
    for suite in plan.ledger.recorded:
        files += plan.ledger.recorded_files(suite)
    return files + [file for model in plan.recorded for file in recorded_ids(plan.models[model])]


def dated_ahead(files: Iterable[str], now: float) -> dict[str, str]:
    """Return those files that are dated in the future, each with the SHA-256 of its content.

    Snakemake fails every job whose outputs are older than an input, so these cannot be inputs; what stands in them
    takes the place of their date.

    Args:
        files: Inputs that no job makes, of which any may not be there.
        now: Seconds since 1970.
    """
    ahead = [file for file in dict.fromkeys(files) if _dated(file) > now + _CLOCKS_APART_SECONDS]
    return {file: _content(file) for file in ahead}


def named_as_ahead(files: Iterable[str]) -> str:
    """Return in one sentence which files are dated in the future; "" if none is."""
    ahead = list(files)
    if not ahead:
        return ""
    named = " ".join(map(quote, ahead[:_MAX_NAMED]))
    more = f" (and {len(ahead) - _MAX_NAMED:,} more)" if len(ahead) > _MAX_NAMED else ""
    return (
        f"Dated in the future: {len(ahead):,} of the study's files; each start reads them to see whether they changed, "
        f"until they have today's date: touch {named}{more}"
    )


def _content(file: str) -> str:
    with Path(file).open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _dated(file: str) -> float:
    try:
        return Path(file).stat().st_mtime
    except (OSError, ValueError):
        return 0.0
