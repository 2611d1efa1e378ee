"""What lies outside the results: answers that were paid for, what people did, and files of the user's."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from afterimage.errors import config_key, fault
from afterimage.files.paths import require_folder

# What clocks of a network may differ by.
_CLOCKS_APART_SECONDS = 10.0
_MOST_NAMED = 12


def outside_results(folder: str, results: str, key: str) -> str:
    """Return a folder of the study that lies outside its results.

    Raises:
        AfterimageError: It lies below them, one of both cannot be a folder, or the results are around the working
            folder, naming the key that asks for it.
    """
    for name, path in ((key, folder), ("results_folder", results)):
        require_folder(path, config_key(name))
    if _is_below(".", results):
        raise fault(
            config_key("results_folder"),
            f"found '{results}', in which this folder lies; expected a folder for the "
            "results alone, since they may be removed at any time.",
        )
    if _is_below(folder, results):
        raise fault(
            config_key(key),
            f"found '{folder}', which is below {results}; expected a folder outside of it, "
            "since results may be removed at any time.",
        )
    return folder


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
    """Return in one sentence which files are dated in the future; "" where none is."""
    ahead = list(files)
    if not ahead:
        return ""
    named = " ".join(map(quote, ahead[:_MOST_NAMED]))
    more = f" (and {len(ahead) - _MOST_NAMED:,} more)" if len(ahead) > _MOST_NAMED else ""
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


def _is_below(folder: str, results: str) -> bool:
    inside = Path(os.path.realpath(folder))
    return Path(os.path.realpath(results)) in (inside, *inside.parents)
