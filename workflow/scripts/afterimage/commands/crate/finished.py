"""What is archived of a finished run: its files, whether they are those of a study, all of them, and its jobs."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import afterimage
from afterimage.command_line import snakemake
from afterimage.commands.common import results_of
from afterimage.commands.records import Records, stage_and_code
from afterimage.errors import AfterimageError
from afterimage.files.attempts import FAILED
from afterimage.files.hub_lock import LOCK_FILE
from afterimage.files.parquet import read_records
from afterimage.files.paths import ROOT
from afterimage.files.records import ANSWER, GRADE
from afterimage.planning.plan import Plan

#: What a file is to the run.
WORKFLOW, INPUT, RESULT = "workflow", "input", "result"

# The workflow itself: everything that a job may execute or read, whatever the study.
_WORKFLOW = (
    *("workflow/Snakefile", "workflow/rules/*.smk", "workflow/scripts/**/*.py"),
    *("workflow/schemas/**/*.yaml", "workflow/report/*.rst", "workflow/profiles/**/*.yaml"),
    *("envs/*.txt", "profiles/**/*.yaml", "pyproject.toml"),
    *("LICENSE", "README.md", "workflow/documentation.md"),
)
_INPUTS = ("config/models.yaml", "resources/**/*")
_ABOUT_LOCK = "data sets of the hub: commit, licence, and each file's size and SHA-256"
#: What is said of files of answers.
RAW_ANSWERS = "raw answers of one model, one row each"
# Below the folder of results.
_RESULTS = (
    ("all_answers.parquet", "every answer with its question, reading and verdict"),
    ("tables/*", "a table"),
    ("figures/*", "a figure"),
    ("numbers.*", "every published number beside this run's"),
    ("report/*.html", "the report"),
    ("grades/*/*.parquet", "judged answers of one model, one row each"),
    ("votes/*/*/*.parquet", "what a judge said of one model's answers"),
    ("responses/*/*.parquet", RAW_ANSWERS),
    ("human/*.csv", "people's answers and the decisions drawn from them"),
    ("stimuli/*/measured.csv", "what each image shows, measured from its pixels"),
    (
        "stimuli/*/*/stimuli.parquet",
        "what each image was drawn from, and the hash of its pixels",
    ),
)


class Member(NamedTuple):
    """A file of the crate.

    Attributes:
        path: In the crate.
        role: What it is to the run.
        about: What it holds.
    """

    path: str
    role: str
    about: str
    file: Path


def members_of_crate(
    root: Path,
    study: str = "config.yaml",
    home: Path | None = None,
    left_out: Collection[Path] = (),
) -> list[Member]:
    """Return the files of a crate, workflow first, results last, each group in order of path.

    The journal, keys and logs are never among them.

    Args:
        root: The folder in which it was run.
        study: The study's configuration file, wherever it is.
        home: The folder of the Snakefile; by default ``root``.
        left_out: Results of other studies in the same folder, relative to ``root``.
    """
    found = dict.fromkeys(_all_members(root, study, home or root))
    others = {path.as_posix() for path in left_out}
    return [member for member in found if member.role != RESULT or member.path not in others]


def _all_members(root: Path, study: str, home: Path) -> Iterator[Member]:
    for pattern in _WORKFLOW:
        yield from (Member(path, WORKFLOW, "", home / path) for path in _matching(home, pattern))
    yield _study(root, study)
    for pattern in _INPUTS:
        yield from (Member(path, INPUT, "", home / path) for path in _matching(home, pattern))
    lock = root / LOCK_FILE
    if lock.is_file():
        yield Member(LOCK_FILE, INPUT, _ABOUT_LOCK, lock)
    results = results_of(str(root / study))
    for pattern, about in _RESULTS:
        found = _matching(root, f"{results.as_posix()}/{pattern}")
        yield from (Member(path, RESULT, about, root / path) for path in found)


def _study(root: Path, study: str) -> Member:
    """Return the study's file under its path; one of another place as if it lay among the studies."""
    file = (root / study).resolve()
    if file.is_relative_to(root.resolve()):
        return Member(file.relative_to(root.resolve()).as_posix(), INPUT, "", file)
    return Member(f"studies/{file.name}", INPUT, "", file)


def _matching(root: Path, pattern: str) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.glob(pattern)
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    )


# ---- whether these are all results of a study ----

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
    """Refuse an archive with partial answers that a reader could take for all.

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

    Returns the command-line options that tell Snakemake where its records are.

    Raises:
        AfterimageError: Something is, so that the results are another study's, or of an earlier version of this one.
    """
    backend = _backend(plan, root)
    output = snakemake_here(study, root, ["--dry-run", *backend])
    if _NOTHING in output:
        return backend
    first = _WAITING.search(output)
    if first is None:
        last = next(reversed(output.strip().splitlines()), "it said nothing")
        raise AfterimageError(
            f"{plan.results}: Snakemake cannot tell whether this run is finished: {last.strip()}"
        )
    waiting = len(_WAITING.findall(output))
    raise AfterimageError(
        f"{plan.results}: these are not the results of {study} as it stands: {waiting} of its jobs would run, first "
        f"'{first['task']}' ({_shortened(first['reason'])}); expected a finished run of it: {snakemake(study=study)}"
    )


def unrecorded(plan: Plan, jobs: Collection[object]) -> str:
    """Return a warning where Snakemake's records cannot confirm that the results are this study's; "" if they do."""
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
    """Return the options that tell Snakemake where these results' records are; if unknown, its profile decides."""
    # Another store, or an empty one, would find nothing changed.
    store = Records(root).newest_store(os.path.normpath(path) for path, _ in _wanted(plan))
    return ["--persistence-backend", store] if store else []


def snakemake_here(
    study: str, root: Path, words: Sequence[str], variables: Mapping[str, str] | None = None
) -> str:
    """Return what Snakemake says of a study, run with these options and environment variables.

    Args:
        words: Options of Snakemake's command line.
        variables: Environment variables in addition to those of this process.
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


# ---- the jobs, as Snakemake hands their records to its report plug-ins ----


class Job(NamedTuple):
    """A job of the run.

    Attributes:
        stage: Its stage (``all_stages.STAGES``).
        code: The fingerprint of its code and packages.
        inputs: The files that it read, relative to the folder of the run.
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
        backend: How Snakemake is to read its records (:func:`require_current`).

    Raises:
        AfterimageError: Snakemake cannot say.
    """
    # Beside Snakemake's records: the system's folder may not be there, or not be writable.
    working = root / ".snakemake"
    working.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix=".crate.", dir=working) as folder:
        file = Path(folder, "jobs.json")
        output = snakemake_here(
            study,
            root,
            ["--reporter", "afterimage", "--report-afterimage-path", str(file), *backend],
            {"PYTHONPATH": _with_plugin()},
        )
        if not file.is_file():
            last = next(reversed(output.strip().splitlines()), "it said nothing")
            raise AfterimageError(
                f"{plan.results}: Snakemake cannot say which jobs made these results: {last.strip()}"
            )
        return sorted(
            workflow_jobs(json.loads(file.read_text(encoding="utf-8"))), key=lambda job: job.start
        )


def workflow_jobs(records: Iterable[Mapping[str, Any]]) -> Iterator[Job]:
    """Yield the jobs of this workflow among those that the report plug-in tells of."""
    for record in records:
        if (known := stage_and_code(record["code"])) is not None:
            stage, code = known
            inputs, outputs = tuple(record["inputs"]), tuple(record["outputs"])
            yield Job(record["rule"], stage, code, inputs, outputs, record["start"], record["end"])


def _with_plugin() -> str:
    """Return the search path with the plug-in, which is next to this package, at its head."""
    others = os.environ.get("PYTHONPATH")
    return os.pathsep.join(
        [str(Path(afterimage.__file__).parents[1]), *([others] if others else [])]
    )
