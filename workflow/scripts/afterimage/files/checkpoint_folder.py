"""A folder with a checkpoint: which files it holds, the hash of their content, and that none can run code when read.

Standard library only.
"""

import hashlib
from pathlib import Path

from afterimage.errors import fault

_HASH_DIGITS = 16
_SAFE = (".safetensors", ".gguf")
#: Files that can run code when they are read.
_PICKLED = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")


def checkpoint_files(folder: Path) -> list[Path]:
    """Return the files of a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.is_file())


def read_files(folder: Path) -> list[Path]:
    """Return the files that bear on answers: all but hidden ones and what is written for people."""
    return [
        file
        for file in checkpoint_files(folder)
        if not file.name.startswith(".") and file.suffix != ".md"
    ]


def content_sha256(folder: Path) -> str:
    """Return the hash of the names and contents of a checkpoint's files: ``sha256-`` and 16 digits."""
    digest = hashlib.sha256()
    for file in read_files(folder):
        with file.open("rb") as content:
            own = hashlib.file_digest(content, "sha256").hexdigest()
        digest.update(f"{file.name}\0{own}\0".encode())
    return f"sha256-{digest.hexdigest()[:_HASH_DIGITS]}"


def require_no_pickles(folder: Path, where: str) -> None:
    """Refuse a folder whose only weights are pickled, before any of it is read.

    Args:
        folder: The checkpoint's.
        where: What the sentence begins with, such as the key that names the folder.

    Raises:
        AfterimageError: They are.
    """
    names = [file.name for file in checkpoint_files(folder)]
    pickled = [name for name in names if name.endswith(_PICKLED)]
    if pickled and not any(name.endswith(_SAFE) for name in names):
        raise fault(
            where,
            f"its weights are pickled ({pickled[0]}), which can run code when they are read; "
            "expected safetensors (save_pretrained of transformers writes them).",
        )
