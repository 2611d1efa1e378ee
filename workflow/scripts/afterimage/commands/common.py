"""What several commands share: the study that they are about, and asking before what is not easily undone."""

import argparse
from pathlib import Path
from typing import TypeAlias

from afterimage.errors import AfterimageError
from afterimage.files.paths import DEFAULT_RESULTS
from afterimage.files.yaml import read_yaml_mapping, shown

#: What commands are added to.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_FILE = "config.yaml"


def add_configfile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--configfile", default=_FILE, metavar="FILE", help="the study (default: %(default)s)"
    )


def results_of(file: str) -> Path:
    """Return the folder of a study's results.

    Raises:
        AfterimageError: The file is missing and not called ``config.yaml``, is no YAML mapping, or names no folder.
    """
    if Path(file).name == _FILE and not Path(file).is_file():
        return Path(DEFAULT_RESULTS)
    named = read_yaml_mapping(file, "--configfile").get("results_folder", DEFAULT_RESULTS)
    if not isinstance(named, str):
        raise AfterimageError(
            f"{file}: key 'results_folder': found {shown(named)}; expected a text."
        )
    return Path(named)


def agreed(question: str, is_given: bool = False) -> bool:
    """Ask, and return whether somebody has agreed; who cannot answer, since no terminal is there, has not.

    Args:
        question: Without what may be answered.
        is_given: Whether agreement was given before (``--yes``), so that nothing is asked.
    """
    if is_given:
        return True
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False
