"""Which files of a finished run go into its crate, and what each of them is."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from afterimage.commands.study_file import results_of
from afterimage.files.hub_lock import LOCK_FILE

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
        file: Where it lies.
    """

    path: str
    role: str
    about: str
    file: Path


def members(
    root: Path,
    study: str = "config.yaml",
    home: Path | None = None,
    left_out: Collection[Path] = (),
) -> list[Member]:
    """Return the files of a crate, workflow first, results last, each group in order of path.

    The journal, keys and logs are never among them.

    Args:
        root: The folder in which it was run.
        study: The file that says what was run, wherever it lies.
        home: The folder of the Snakefile; by default ``root``.
        left_out: Results of other studies in the same folder, relative to ``root``.
    """
    found = dict.fromkeys(_all_members(root, study, home or root))
    others = {path.as_posix() for path in left_out}
    return [one for one in found if one.role != RESULT or one.path not in others]


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
