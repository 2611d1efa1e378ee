"""Errors that a user can mend: one clear sentence, no traceback."""

from collections.abc import Iterable
from difflib import get_close_matches


class AfterimageError(Exception):
    """What was found, where, and what was expected, in one sentence."""


def unknown_name(kind: str, name: object, valid: Iterable[str], where: str = "") -> AfterimageError:
    """Build the error for a name that is not among the valid ones, suggesting the nearest.

    Args:
        kind: What the name should have named, e.g. ``"model"``.
        name: What was found.
        valid: All names that would have been accepted.
        where: The file or key that holds the name, e.g. ``"config.yaml: models[0]"``.
    """
    names = sorted(valid)
    near = nearest(name, names)
    hint = (
        f"did you mean '{near}'?"
        if near
        else f"expected one of: {', '.join(names) or 'none exist'}."
    )
    prefix = f"{where}: " if where else ""
    return AfterimageError(f"{prefix}unknown {kind} '{name}': {hint}")


def nearest(name: object, valid: Iterable[str]) -> str | None:
    """Return the valid name that is most like a wrong one; None where none is like it."""
    near = get_close_matches(str(name), sorted(valid), n=1, cutoff=0.5)
    return near[0] if near else None
