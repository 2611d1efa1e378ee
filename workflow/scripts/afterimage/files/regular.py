"""What lies where a file is expected, looked at before it is opened: a pipe makes its reader wait for ever.

Standard library only.
"""

import os
import stat
from pathlib import Path

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
#: What a link is called that leads to a file elsewhere.
LINK_OUT = "a link out of its folder"


def oddity(path: str | os.PathLike[str]) -> str | None:
    """Return in words what lies there in place of a file of its folder's own; None for a file, or for nothing.

    Args:
        path: A link to a file in the same folder, or below it, counts as that file.
    """
    path = Path(path)
    try:
        if not stat.S_ISLNK(path.lstat().st_mode):
            return _KINDS.get(stat.S_IFMT(path.lstat().st_mode))
        kind = stat.S_IFMT(path.stat().st_mode)
    except OSError:
        # It is gone, or leads nowhere, or to itself.
        return "a link that leads nowhere" if path.is_symlink() else None
    if kind == stat.S_IFREG and not path.resolve().is_relative_to(path.parent.resolve()):
        return LINK_OUT
    return _KINDS.get(kind)
