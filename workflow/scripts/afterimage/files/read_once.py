"""Readers whose results are kept for as long as the file stays as it is: planning asks for them again and again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import TypeAlias, TypeVar, TypeVarTuple

_More = TypeVarTuple("_More")
_Content = TypeVar("_Content")
#: A file's size in bytes and its time in ns.
State: TypeAlias = tuple[int, int]


def state_of(path: str | Path) -> State | None:
    """Return what changes with a file's content; None if there is no file."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def once_per_state(
    most: int | None,
) -> Callable[[Callable[[str, *_More], _Content]], Callable[[str | Path, *_More], _Content]]:
    """Decorate a function that reads the file whose path comes first; what it raises is not kept.

    Args:
        most: How many results are kept, the latest used; None for all.
    """

    def decorate(
        read: Callable[[str, *_More], _Content],
    ) -> Callable[[str | Path, *_More], _Content]:
        @lru_cache(maxsize=most)
        def kept(path: str, state: State | None, *more: *_More) -> _Content:
            return read(path, *more)

        @wraps(read)
        def reader(path: str | Path, *more: *_More) -> _Content:
            return kept(str(path), state_of(path), *more)

        return reader

    return decorate
