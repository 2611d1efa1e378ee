"""Side files: what a suite makes beside stimuli, items and tables, in forms that others read."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.parts import resolve
from afterimage.jobs.running import Files


def write_side_files(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write one group of a suite's side files.

    Args:
        spec: ``part``, where the function is that writes them, and ``settings``, what the suite tells it.
        inputs: ``read``, the files that it reads.
        outputs: ``written``, the files to write, in the order in which planning names them.
        beside: Nothing.
    """
    write = resolve(spec["part"])
    write(spec["settings"], list(inputs["read"]), list(outputs["written"]))
