"""Folders and files that no job makes: what lies outside the results, is dated in the future, or is not there."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from afterimage.contract.design import Reader, images_digest, questions_digest
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Missing
from afterimage.errors import config_key, config_path, fault
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


# ---- images that a Reader names, there and not ----


class ReadImages(NamedTuple):
    """What a Reader tells about the images of a figure: ids, files that are there and that are not, and hashes."""

    ids: tuple[str, ...]
    files: tuple[str, ...]
    absent: tuple[str, ...]
    images_sha256: str
    questions_sha256: str

    @classmethod
    def of(cls, reader: Reader, figure: str, settings: Json) -> "ReadImages":
        """Read and sum up the images of a figure."""
        images = reader.shown(figure, settings)
        ids = tuple(one.stimulus_id for one in images)
        named = reader.files(figure, settings)
        files = tuple(file for file in named if Path(file).is_file())
        there = set(files)
        absent = tuple(file for file in named if file not in there)
        return cls(ids, files, absent, images_digest(images), questions_digest(images))


# A release may lack hundreds.
_MOST_MISSING = 12


def missing_of(figures: Iterable[ReadImages]) -> Missing:
    """Return what the figures of a suite lack; a file that several name counts once."""
    read = list(figures)
    absent = dict.fromkeys(file for one in read for file in one.absent)
    there = {file for one in read for file in one.files}
    return Missing(tuple(absent), len(absent) + len(there))


def not_all_missing(suite: str, missing: Missing) -> Missing:
    """Return what a suite lacks.

    Raises:
        AfterimageError: That is all.
    """
    if missing.names and len(missing.names) == missing.named:
        raise fault(
            config_path(f"suites.{suite}"),
            f"none of the {missing.named:,} images that its files name is there, the first is "
            f"'{missing.names[0]}'; expected them where the files say (docs/{suite}.md).",
        )
    return missing


def require_images(suite: str, images: int) -> None:
    """Check that a suite has images to ask about.

    Raises:
        AfterimageError: It has none.
    """
    if not images:
        raise fault(
            config_path(f"suites.{suite}"),
            "its files hold no image that anything is asked about; expected at least one.",
        )


def counted_missing(missing: Missing) -> str:
    """Return how many images are missing, in words; "" where none is."""
    number = len(missing.names)
    if not number:
        return ""
    verbs = ("is", "was") if number == 1 else ("are", "were")
    return (
        f"{number:,} of the {missing.named:,} images that its files name {verbs[0]} not there and {verbs[1]} not asked "
        "about"
    )


def named_as_missing(missing: Mapping[str, Missing]) -> Iterator[str]:
    """Yield a sentence for each suite that lacks images, with their names."""
    for suite, own in missing.items():
        if own.names:
            more = len(own.names) - _MOST_MISSING
            names = [*own.names[:_MOST_MISSING], *([f"and {more:,} more"] if more > 0 else [])]
            yield f"suites.{suite}: {counted_missing(own)}: {', '.join(names)}."
