"""Images that a user's files name and that are not there: the rest is asked about, and everybody is told."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from afterimage.contract.suite import Missing
from afterimage.errors import AfterimageError

if TYPE_CHECKING:
    from afterimage.planning.suites import StudySuite

# A release may lack hundreds.
_MOST_NAMED = 12


def require_some(suite: str, missing: Missing) -> None:
    """Check that not all images of a suite are missing.

    Raises:
        AfterimageError: They are.
    """
    if missing.names and len(missing.names) == missing.named:
        raise AfterimageError(
            f"config: suites.{suite}: none of the {missing.named:,} images that its files name is there, the first is "
            f"'{missing.names[0]}'; expected them where the files say (docs/{suite}.md)."
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


def missing_of(studied: Mapping[str, "StudySuite"]) -> dict[str, Missing]:
    """Return what each suite lacks, looked at thoroughly.

    Raises:
        AfterimageError: A suite has none of its images.
    """
    found = {}
    for name, own in studied.items():
        found[name] = own.missing_thoroughly()
        require_some(name, found[name])
    return found
