"""The jobs behind a run, as Snakemake hands their records to its report plug-ins, from files and databases alike."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import afterimage
from afterimage.commands.crate.finished import snakemake_here
from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan

# Every job of this workflow has such a parameter, and no other's (``stages.code_of``).
_CODE = re.compile(r"code of (?P<stage>\w+) (?P<code>[0-9a-f]+)")


class Job(NamedTuple):
    """A job of the run.

    Attributes:
        rule: Its rule.
        stage: Its stage (``stages.STAGES``).
        code: The fingerprint of its code and packages.
        inputs: The files that it read, relative to the folder of the run.
        outputs: The files that it wrote.
        start: When it began, in seconds since 1970.
        end: When the last output was written.
    """

    rule: str
    stage: str
    code: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    start: float
    end: float


def recorded_jobs(plan: Plan, study: str, root: Path, backend: Sequence[str] = ()) -> list[Job]:
    """Return the jobs of a finished run that Snakemake has records of, in the order in which they began.

    Args:
        plan: Of the study.
        study: Its file.
        root: The folder in which it was run.
        backend: How Snakemake is to read its records (``finished.require_current``).

    Raises:
        AfterimageError: Snakemake cannot say.
    """
    # Beside Snakemake's records: the system's folder may not be there, or not be writable.
    beside = root / ".snakemake"
    beside.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix=".crate.", dir=beside) as folder:
        file = Path(folder, "jobs.json")
        said = snakemake_here(
            study,
            root,
            ["--reporter", "afterimage", "--report-afterimage-path", str(file), *backend],
            {"PYTHONPATH": _with_plugin()},
        )
        if not file.is_file():
            last = next(reversed(said.strip().splitlines()), "it said nothing")
            raise AfterimageError(
                f"{plan.results}: Snakemake cannot say which jobs made these results: {last.strip()}"
            )
        return sorted(
            own_jobs(json.loads(file.read_text(encoding="utf-8"))), key=lambda job: job.start
        )


def own_jobs(told: Iterable[Mapping[str, Any]]) -> Iterator[Job]:
    """Yield the jobs of this workflow among those that the report plug-in tells of."""
    for one in told:
        if (known := _CODE.fullmatch(one["code"])) is not None:
            files = tuple(one["inputs"]), tuple(one["outputs"])
            yield Job(one["rule"], *known.group("stage", "code"), *files, one["start"], one["end"])


def _with_plugin() -> str:
    """Return the search path with the plug-in, which lies beside this package, at its head."""
    others = os.environ.get("PYTHONPATH")
    return os.pathsep.join(
        [str(Path(afterimage.__file__).parents[1]), *([others] if others else [])]
    )
