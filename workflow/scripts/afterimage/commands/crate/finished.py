"""Whether the results that lie here are those of a study, all of them: what is archived is what was run."""

import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from afterimage.command_line import snakemake
from afterimage.commands.crate.contents import Member
from afterimage.commands.records import Records
from afterimage.errors import AfterimageError
from afterimage.files.attempts import FAILED
from afterimage.files.parquet import read_records
from afterimage.files.paths import ROOT
from afterimage.files.records import ANSWER, GRADE
from afterimage.planning.plan import Plan

_NOTHING = "Nothing to be done"
_WAITING = re.compile(r"^Job \d+: (?P<task>.+)\nReason: (?P<reason>.+)$", re.MULTILINE)
_LONGEST_REASON = 160
_BLOCK = 4096


def require_made(plan: Plan, study: str) -> None:
    """Check that there are answers, tables and pages of every suite and model of a study.

    Raises:
        AfterimageError: Something is absent, or all answers are of other suites or models.
    """
    for path, what in _wanted(plan):
        if not path.is_file():
            raise AfterimageError(
                f"{path}: not there, so that {what} would be missing; expected a finished run of {study}: "
                f"{snakemake(study=study)}"
            )
    answers = Path(plan.results, "all_answers.parquet")
    pairs = {
        (row["suite"], row["model"])
        for row in read_records(answers, ANSWER, ("suite", "model"), batch_size=_BLOCK)
    }
    for suite, model in sorted(pairs):
        if suite not in plan.suites or model not in plan.models:
            raise AfterimageError(
                f"{answers}: holds answers of '{model}' to '{suite}', which {study} does not name; expected the "
                f"results of this study: {snakemake(study=study)}"
            )


def require_answered(contents: Iterable[Member]) -> None:
    """Refuse an archive of which a reader could take partial answers for all.

    Raises:
        AfterimageError: A model has requests without an answer.
    """
    for member in contents:
        path = Path(member.path)
        if path.match("grades/*/*.parquet"):
            for grade in read_records(member.file, GRADE, ("outcome",), batch_size=_BLOCK):
                if grade["outcome"] == FAILED:
                    raise AfterimageError(
                        f"{path}: model '{path.stem}' is not finished with {path.parent.name}; expected a finished "
                        "run: the same command as before asks what is missing (docs/reliability.md)."
                    )


def require_current(plan: Plan, study: str, root: Path) -> list[str]:
    """Check with Snakemake that nothing of a study is left to be made, or would be made otherwise.

    Returns how Snakemake is to be told where its records are: options of its command line.

    Args:
        plan: Of the study.
        study: Its file.
        root: The folder in which it was run.

    Raises:
        AfterimageError: Something is, so that the results are another study's, or of an earlier version of this one.
    """
    backend = _backend(plan, root)
    said = snakemake_here(study, root, ["--dry-run", *backend])
    if _NOTHING in said:
        return backend
    first = _WAITING.search(said)
    if first is None:
        last = next(reversed(said.strip().splitlines()), "it said nothing")
        raise AfterimageError(
            f"{plan.results}: Snakemake cannot tell whether this run is finished: {last.strip()}"
        )
    waiting = len(_WAITING.findall(said))
    raise AfterimageError(
        f"{plan.results}: these are not the results of {study} as it stands: {waiting} of its jobs would run, first "
        f"'{first['task']}' ({_shortened(first['reason'])}); expected a finished run of it: {snakemake(study=study)}"
    )


def unrecorded(plan: Plan, jobs: Collection[object]) -> str:
    """Return a warning where Snakemake's records cannot confirm that the results are this study's; "" where they do."""
    if jobs:
        return ""
    return (
        f"{plan.results}: Snakemake has no record of these results in this folder (moved, unpacked, or recorded in a "
        "database elsewhere); only their names, suites and models say that they are this study's, their times are the "
        "files' dates, and the archive tells of no jobs."
    )


def _wanted(plan: Plan) -> Iterator[tuple[Path, str]]:
    results = Path(plan.results)
    for suite in plan.suites:
        for model in plan.models:
            what = f"model '{model}' on suite '{suite}'"
            for kind in ("responses", "grades"):
                yield results / kind / suite / f"{model}.parquet", what
        yield results / "report" / f"{suite}.html", f"suite '{suite}'"
    for table, suite in plan.tables.items():
        yield results / "tables" / f"{table}.csv", f"table '{table}' of suite '{suite}'"
    yield results / "all_answers.parquet", "the file of all answers"
    yield results / "report" / "index.html", "the report"


def _backend(plan: Plan, root: Path) -> list[str]:
    """Return how Snakemake is told where the records of these results are; where nothing is known, its profile says."""
    # Another store, or an empty one, would find nothing changed.
    store = Records(root).newest_store(os.path.normpath(path) for path, _ in _wanted(plan))
    return ["--persistence-backend", store] if store else []


def snakemake_here(
    study: str, root: Path, words: Sequence[str], variables: Mapping[str, str] | None = None
) -> str:
    """Return what Snakemake says of a study, run with these options and environment variables.

    Args:
        study: Its file.
        root: The folder in which it was run.
        words: Options of Snakemake's command line.
        variables: Environment variables beside those of this process.
    """
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--nocolor", "--cores", "1", *words, "--configfile", study]
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **(variables or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return done.stdout


def _shortened(reason: str) -> str:
    """Return a reason of Snakemake's without the values that it lists."""
    first = reason.partition(": Union of ")[0]
    return first if len(first) <= _LONGEST_REASON else f"{first[:_LONGEST_REASON]}..."
