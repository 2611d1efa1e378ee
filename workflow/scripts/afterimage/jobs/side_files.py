"""Side files: what a suite makes beside stimuli, items and tables, in forms that others read."""

import os
from collections.abc import Mapping, Sequence

from afterimage.contract.parts import resolve


def write_side_files(
    spec: Mapping,
    inputs: Sequence[str | os.PathLike],
    outputs: Sequence[str | os.PathLike],
) -> None:
    """Write one group of a suite's side files.

    Args:
        spec: ``part``, where the function is that writes them, and ``settings``, what the suite tells it.
        inputs: The files that it reads.
        outputs: The files to write, in the order in which planning names them.
    """
    write = resolve(spec["part"])
    write(spec["settings"], [str(path) for path in inputs], [str(path) for path in outputs])
