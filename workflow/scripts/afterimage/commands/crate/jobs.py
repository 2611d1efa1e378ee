"""What Snakemake recorded about the jobs whose outputs are there."""

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_METADATA = Path(".snakemake") / "metadata"


class Job(NamedTuple):
    """One output of a job: the rule that made it, start and end in seconds since 1970."""

    output: str
    rule: str
    start: float
    end: float


def finished_jobs(root: Path) -> dict[str, Job]:
    """Return the job behind each output that still exists, by the output's path relative to ``root``.

    Outputs that Snakemake has no record of, made elsewhere or before a move, are not among them.
    """
    return {job.output: job for job in _records(root) if (root / job.output).is_file()}


def _records(root: Path) -> Iterator[Job]:
    folder = root / _METADATA
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if not path.is_file():
            continue
        # Long names are cut into folders, each part of which starts with an @ but the last.
        encoded = "".join(part.removeprefix("@") for part in path.relative_to(folder).parts)
        try:
            output = base64.b64decode(encoded, altchars=b"-_", validate=True).decode()
            record = json.loads(path.read_text(encoding="utf-8"))
            yield Job(output, record["rule"], record["starttime"], record["endtime"])
        except (binascii.Error, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError):
            # Another version's record, or one that a kill cut off, says nothing of use.
            continue
