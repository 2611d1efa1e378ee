"""Commands as a person can copy them: for the study at hand, from this folder, with the programs that are here.

One that goes into a file, which others may read, names no folder outside the one that it is run in. Standard library
only.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

#: The study that is read where none is named.
DEFAULT_STUDY = "config.yaml"
_VENV = Path(".venv", "bin")
# The folder of the Snakefile, of a clone or of what a wheel has installed.
_ROOT = Path(__file__).resolve().parents[3]


def afterimage(*words: str, study: str | Path | None = None, is_shared: bool = False) -> str:
    """Return a command line of ``afterimage``.

    Args:
        words: The words after the program's name.
        study: The study's file; None for a command that takes none.
        is_shared: Whether the command goes into a file that others may read.
    """
    return shlex.join([_program("afterimage", is_shared), *words, *configfile(study)])


def snakemake(
    *words: str,
    targets: Iterable[str] = (),
    study: str | Path | None = None,
    is_shared: bool = False,
) -> str:
    """Return a command line that runs the workflow.

    Args:
        words: Options.
        targets: The targets. They precede ``--configfile``, which takes every name after it.
        study: The study's file.
        is_shared: Whether the command goes into a file that others may read.
    """
    start = (
        [_program("snakemake", is_shared)]
        if Path("Snakefile").is_file()
        else [_program("afterimage", is_shared), "run"]
    )
    return shlex.join([*start, "--cores", "2", *targets, *words, *configfile(study)])


def install(extra: str) -> str:
    """Return a command line that installs what an optional part of this package needs, or another package.

    Args:
        extra: The name of the part, such as ``transformers``, in brackets; or a package.
    """
    is_part = extra.startswith("[")
    source = "." if Path.cwd() == _ROOT else str(_ROOT)
    if not (_ROOT / "pyproject.toml").is_file():
        source = "afterimage"
    return shlex.join([_program("pip", False), "install", f"{source}{extra}" if is_part else extra])


def naming(files: Iterable[str | Path], given: Mapping[str, object]) -> list[str]:
    """Return the options that name a study on Snakemake's command line.

    Args:
        files: What ``--configfile`` names; empty if the study is the one that is read anyway.
        given: What ``--config`` sets.
    """
    named = [os.path.relpath(file) for file in files]
    settings = [f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in given.items()]
    return [
        *(["--configfile", *named] if named else []),
        *(["--config", *settings] if settings else []),
    ]


def configfile(study: str | Path | None) -> Sequence[str]:
    """Return the option that names a study; none for the study that is read anyway."""
    return [] if study is None or str(study) == DEFAULT_STUDY else ["--configfile", str(study)]


def _program(name: str, is_shared: bool) -> str:
    """Return how a program of this environment is called from this folder, whether or not it is activated."""
    installed = Path(sys.prefix, "bin", name)
    nearby = _VENV / name
    if nearby.is_file() and installed.is_file() and nearby.samefile(installed):
        return str(nearby)
    found = shutil.which(name)
    is_found = found is not None and installed.is_file() and installed.samefile(found)
    return name if is_shared or is_found or not installed.is_file() else str(installed)
