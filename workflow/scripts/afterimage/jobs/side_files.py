"""Side files: what a suite makes beside stimuli, items and tables, in forms that others read."""

import os
from collections.abc import Mapping, Sequence
from importlib import import_module


def write_side_files(
    suite: str,
    writer: str,
    settings: Mapping,
    inputs: Sequence[str | os.PathLike],
    outputs: Sequence[str | os.PathLike],
) -> None:
    """Write one group of a suite's side files.

    Args:
        suite: The suite's name.
        writer: The module of its ``side_files/`` that writes them.
        settings: What the suite's planning gives this writer.
        inputs: The files that it reads.
        outputs: The files to write, in the order in which planning names them.
    """
    module = import_module(f"afterimage.suites.{suite}.side_files.{writer}")
    module.write(settings, [str(path) for path in inputs], [str(path) for path in outputs])
