"""A folder that is to be written into: there already, or one that can be made."""

import os
import tempfile
from pathlib import Path

from afterimage.errors import AfterimageError, fault


def require_folder(path: str | Path, where: str = "") -> None:
    """Make sure that a folder is at a path, or that nothing stands in the way of one.

    Args:
        path: The path.
        where: What the sentence begins with, such as the key that names the path.

    Raises:
        AfterimageError: A file or a broken link is there or above it, or the path begins with ``~``.
    """
    if str(path).startswith("~"):
        raise fault(
            where,
            f"found '{path}', whose '~' means no home folder here; expected the path written out.",
        )
    # What is made is made below the nearest that is there.
    nearest = next(one for one in (Path(path), *Path(path).parents) if os.path.lexists(one))
    if nearest.is_dir():
        return
    below = "" if nearest == Path(path) else f" lies below '{nearest}', which"
    what = "a link that leads nowhere" if nearest.is_symlink() else "a file"
    raise fault(where, f"'{path}'{below} is {what}; expected a folder.")


def require_writable(path: Path, otherwise: str) -> None:
    """Make a folder and make sure that files can be written into it, which containers often lack.

    Args:
        path: The folder.
        otherwise: What names another one, for the message.

    Raises:
        AfterimageError: Nothing can be written there.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise AfterimageError(
            f"{path}: cannot be written ({error.strerror}); expected a folder that can: {otherwise}."
        ) from None
