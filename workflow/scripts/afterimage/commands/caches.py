"""Where programs that the workflow runs keep what they may lose: at home or, where that cannot be, in the study."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

#: Below the folder in which a study runs, where Snakemake keeps what is its own.
STUDY_CACHE = Path(".snakemake") / "cache"


def caches_in_study(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that lead caches into the study's folder; none where the home folder takes them.

    A container often runs as somebody without a home folder, or with one that cannot be written. Snakemake then ends
    before it has read anything.

    Args:
        environment: The process's variables.
    """
    home = Path(environment.get("HOME") or "~")
    wanted = {
        "XDG_CACHE_HOME": Path(environment.get("XDG_CACHE_HOME") or home / ".cache"),
        "MPLCONFIGDIR": Path(environment.get("MPLCONFIGDIR") or home / ".config"),
    }
    inside = {"XDG_CACHE_HOME": STUDY_CACHE, "MPLCONFIGDIR": STUDY_CACHE / "matplotlib"}
    return {
        name: str(inside[name].resolve()) for name, path in wanted.items() if not _takes_files(path)
    }


def _takes_files(folder: Path) -> bool:
    """Tell whether a file can be made in a folder, or in the nearest that is there above one that can be made."""
    try:
        nearest = next(one for one in (folder, *folder.parents) if one.exists())
        with tempfile.TemporaryFile(dir=nearest):
            return nearest.is_dir() and (nearest == folder or os.access(nearest, os.W_OK))
    except (OSError, RuntimeError, StopIteration):
        return False
