"""Images that a study's files name: those that are there, and those that are missing."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from afterimage.contract.design import Reader, images_digest, questions_digest
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Missing
from afterimage.errors import config_path, fault


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
        ids = tuple(image.stimulus_id for image in images)
        named = reader.files(figure, settings)
        files = tuple(file for file in named if Path(file).is_file())
        there = set(files)
        absent = tuple(file for file in named if file not in there)
        return cls(ids, files, absent, images_digest(images), questions_digest(images))


# A release may lack hundreds.
_MAX_MISSING = 12


def missing_of(figures: Iterable[ReadImages]) -> Missing:
    """Return what the figures of a suite lack; a file that several name counts once."""
    read = list(figures)
    absent = dict.fromkeys(file for images in read for file in images.absent)
    there = {file for images in read for file in images.files}
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
    """Return how many images are missing, in words; "" if none is."""
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
    for suite, images in missing.items():
        if images.names:
            more = len(images.names) - _MAX_MISSING
            names = [*images.names[:_MAX_MISSING], *([f"and {more:,} more"] if more > 0 else [])]
            yield f"suites.{suite}: {counted_missing(images)}: {', '.join(names)}."
