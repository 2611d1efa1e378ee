"""Paths, of the Snakefile's folder, of results and in others' files, and atomic writing. Standard library only."""

import os
import posixpath
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from afterimage.errors import AfterimageError, fault

# The folder of the Snakefile, and paths from there: of a clone, or of what a wheel has installed (docs/running.md).
#
# Resources, rules, schemas and the registry lie below it, and the package at ``workflow/scripts/afterimage``. Standard
# library only.

#: The folder of the Snakefile.
ROOT = Path(__file__).resolve().parents[4]


def shipped(path: str) -> str:
    """Return the path of a file that comes with the workflow, given from the Snakefile's folder.

    It stays relative in that folder, so that a clone can be moved with its results.
    """
    return path if Path.cwd() == ROOT else str(ROOT / path)


def anchored(path: str | Path) -> str | Path:
    """Return a path that a study names: from the working folder or, where nothing is there, from the Snakefile's."""
    return path if Path(path).exists() or not (ROOT / path).exists() else ROOT / path


def require_folder(path: str | Path, where: str = "") -> None:
    """Make sure that a path is a folder, or that one can be created there.

    Args:
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
    nearest = next(
        parent for parent in (Path(path), *Path(path).parents) if os.path.lexists(parent)
    )
    if nearest.is_dir():
        return
    below = "" if nearest == Path(path) else f" lies below '{nearest}', which"
    what = "a link that leads nowhere" if nearest.is_symlink() else "a file"
    raise fault(where, f"'{path}'{below} is {what}; expected a folder.")


def require_writable(path: Path, otherwise: str) -> None:
    """Make a folder and make sure that files can be written into it, which containers often lack.

    Args:
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


# The kind of file, checked before it is opened: a pipe makes its reader wait for ever.
#
# Standard library only.

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
    """Return in words what is there instead of a regular file of its folder; None for a file, or for nothing.

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


# ---- The folder of a study's results (config key ``results_folder``), in paths that are named before it is known ----
#
# Snakemake puts the folder in wherever a rule's path begins with RESULTS (its *path variables*); what does not go
# through a rule's files takes with_folder.

#: What such a path begins with.
RESULTS = "<results>"
#: The folder of a study that names none.
DEFAULT_RESULTS = "results"


def with_folder(text: str, folder: str) -> str:
    """Return a path or a sentence with the folder's name put in."""
    return text.replace(RESULTS, folder)


# ---- Atomic writing: a reader finds the old file, the new file, or none; never half of one ----


@contextmanager
def atomic_path(path: str | os.PathLike[str], synced: bool = True) -> Iterator[Path]:
    """Give a temporary path in the same folder and rename it to ``path`` when the block succeeds.

    On an exception the temporary file is removed and an older ``path`` stays as it was.

    Args:
        synced: Whether to wait until the file is on the disk, so that a power cut leaves no empty one either.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(
        prefix=f".{target.name}.", suffix=target.suffix, dir=target.parent
    )
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        if synced:
            with temporary.open("rb") as written:
                os.fsync(written.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` as UTF-8 with Unix line ends, atomically."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
