"""Paths that files of others name: none leads out of the folder in which they lie. Standard library only."""

import posixpath

from afterimage.errors import fault

_LONGEST = 1000
# File systems take so many bytes.
_LONGEST_NAME = 255


def inner_path(name: object, where: str) -> str:
    """Return a path below a folder, with slashes and without detours.

    Args:
        name: As the file names it.
        where: File and entry, for the message.

    Raises:
        AfterimageError: It is no text, empty, holds what no path can, or leads out of the folder.
    """
    path = posixpath.normpath(name) if isinstance(name, str) and name.strip() else ".."
    leaves = posixpath.isabs(path) or path in (".", "..") or path.startswith("../")
    too_long = len(path) > _LONGEST or any(
        len(part.encode(errors="replace")) > _LONGEST_NAME for part in path.split("/")
    )
    if leaves or "\\" in path or not path.isprintable() or too_long:
        raise fault(
            where,
            f"found the image {repr(name)[:200]}; expected a path that stays inside its folder.",
        )
    return path
