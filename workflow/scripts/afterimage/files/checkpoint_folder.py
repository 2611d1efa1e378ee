"""A folder with a checkpoint or an adapter: its files, the hash of their content, and that none runs code when read.

Standard library only.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from afterimage.errors import fault

_HASH_DIGITS = 16
_SAFE = (".safetensors", ".gguf")
#: Files that can run code when they are read.
_PICKLED = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")
ADAPTER_CONFIG, ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"


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


def adapter_files(folder: Path) -> list[Path]:
    """Return the files of an adapter that are read; a training folder also holds others."""
    return [folder / ADAPTER_CONFIG, folder / ADAPTER_WEIGHTS]


def content_sha256(folder: Path) -> str:
    """Return the hash of the names and contents of a checkpoint's files: ``sha256-`` and 16 digits."""
    return files_sha256(read_files(folder))


def files_sha256(files: Iterable[Path]) -> str:
    """Return the hash of the names and contents of files: ``sha256-`` and 16 digits."""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as content:
            digest_of_file = hashlib.file_digest(content, "sha256").hexdigest()
        digest.update(f"{file.name}\0{digest_of_file}\0".encode())
    return f"sha256-{digest.hexdigest()[:_HASH_DIGITS]}"


def require_no_pickles(folder: Path, where: str) -> None:
    """Refuse a folder whose only weights are pickled, before any of it is read.

    Args:
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


def require_adapter(folder: Path, where: str) -> None:
    """Refuse a folder without an adapter that can be read safely, before any of it is read.

    Args:
        where: What the sentence begins with, such as the key that names the folder.

    Raises:
        AfterimageError: Its configuration or its weights are missing, or the weights are pickled.
    """
    if (folder / ADAPTER_CONFIG).is_file() and (folder / ADAPTER_WEIGHTS).is_file():
        return
    if (pickled := folder / "adapter_model.bin").is_file():
        raise fault(
            where,
            f"its weights are pickled ({pickled.name}), which can run code when they are read; "
            f"expected {ADAPTER_WEIGHTS} (save_pretrained of peft writes it).",
        )
    missing = [file.name for file in adapter_files(folder) if not file.is_file()]
    raise fault(
        where,
        f"folder '{folder}' holds no {' and '.join(missing)}; "
        "expected an adapter as save_pretrained of peft writes it.",
    )
