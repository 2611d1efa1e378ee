"""Which files of a finished run go into its crate, and what each of them is."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

#: What a file is to the run.
WORKFLOW, INPUT, RESULT = "workflow", "input", "result"

# The workflow itself: everything that a job may execute or read, whatever the study.
_WORKFLOW = (
    *("workflow/rules/*.smk", "workflow/scripts/**/*.py", "workflow/schemas/**/*.yaml"),
    *("workflow/report/*.rst", "envs/*", "profiles/**/*.yaml", "pyproject.toml"),
    *("LICENSE", "README.md"),
)
_INPUTS = ("config/models.yaml", "resources/**/*")
_RESULTS = (
    ("results/all_answers.parquet", "every answer with its question, reading and verdict"),
    ("results/tables/*", "a table"),
    ("results/figures/*", "a figure"),
    ("results/numbers.*", "every published number beside this run's"),
    ("results/report/*.html", "the report"),
    ("results/grades/*/*.parquet", "judged answers of one model, one row each"),
    ("results/votes/*/*/*.parquet", "what a judge said of one model's answers"),
    ("results/responses/*/*.parquet", "raw answers of one model, one row each"),
    ("results/human/*.csv", "people's answers and the decisions drawn from them"),
    ("results/stimuli/*/measured.csv", "what each image shows, measured from its pixels"),
    (
        "results/stimuli/*/*/stimuli.parquet",
        "what each image was drawn from, and the hash of its pixels",
    ),
)


class Member(NamedTuple):
    """A file of the crate.

    Attributes:
        path: In the crate, as in the checkout.
        role: What it is to the run.
        about: What it holds.
        file: Where it lies, if not in the checkout.
    """

    path: str
    role: str
    about: str
    file: str = ""


def members(root: Path, study: str = "config.yaml") -> list[Member]:
    """Return the files of a crate, workflow first, results last, each group in order of path.

    The journal, keys and logs are never among them.

    Args:
        root: The checkout that was run.
        study: The file that says what was run, wherever it lies.
    """
    return list(dict.fromkeys(_all_members(root, study)))


def _all_members(root: Path, study: str) -> Iterator[Member]:
    for pattern in _WORKFLOW:
        yield from (Member(path, WORKFLOW, "") for path in _matching(root, pattern))
    yield _study(root, study)
    for pattern in _INPUTS:
        yield from (Member(path, INPUT, "") for path in _matching(root, pattern))
    for pattern, about in _RESULTS:
        yield from (Member(path, RESULT, about) for path in _matching(root, pattern))


def _study(root: Path, study: str) -> Member:
    """Return the study's file under its path; one of another place as if it lay among the studies."""
    file = (root / study).resolve()
    if file.is_relative_to(root.resolve()):
        return Member(file.relative_to(root.resolve()).as_posix(), INPUT, "")
    return Member(f"studies/{file.name}", INPUT, "", str(file))


def _matching(root: Path, pattern: str) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.glob(pattern)
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    )
