"""Images that a user's files name and that are not there: the rest is asked about, and everybody is told."""

from collections.abc import Iterable, Iterator, Mapping

from afterimage.contract.suite import Missing
from afterimage.errors import config_path, fault
from afterimage.planning.read_images import ReadImages

# A release may lack hundreds.
_MOST_NAMED = 12


def together(figures: Iterable[ReadImages]) -> Missing:
    """Return what the figures of a suite lack; a file that several name counts once."""
    read = list(figures)
    absent = dict.fromkeys(file for one in read for file in one.absent)
    there = {file for one in read for file in one.files}
    return Missing(tuple(absent), len(absent) + len(there))


def not_all(suite: str, missing: Missing) -> Missing:
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


def require_some(suite: str, images: int) -> None:
    """Check that a suite has images to ask about.

    Raises:
        AfterimageError: It has none.
    """
    if not images:
        raise fault(
            config_path(f"suites.{suite}"),
            "its files hold no image that anything is asked about; expected at least one.",
        )


def counted(missing: Missing) -> str:
    """Return how many images are missing, in words; "" where none is."""
    number = len(missing.names)
    if not number:
        return ""
    verbs = ("is", "was") if number == 1 else ("are", "were")
    return (
        f"{number:,} of the {missing.named:,} images that its files name {verbs[0]} not there and {verbs[1]} not asked "
        "about"
    )


def named(missing: Mapping[str, Missing]) -> Iterator[str]:
    """Yield a sentence for each suite that lacks images, with their names."""
    for suite, own in missing.items():
        if own.names:
            more = len(own.names) - _MOST_NAMED
            names = [*own.names[:_MOST_NAMED], *([f"and {more:,} more"] if more > 0 else [])]
            yield f"suites.{suite}: {counted(own)}: {', '.join(names)}."
