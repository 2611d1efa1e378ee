"""Observed runs: every function of the package that a job enters has to be behind the job's fingerprint."""

import ast
import json
import os
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from afterimage.fingerprints.codes import Kept
from afterimage.fingerprints.reach import ALWAYS, Node, Reach
from afterimage.fingerprints.reads import bound_names
from afterimage.fingerprints.scripts import Scripts

OBSERVER = Path(__file__).parent / "observer"


@contextmanager
def observed(folder: Path) -> Iterator[None]:
    """Observe the jobs of all runs within; what was seen lies in the folder."""
    folder.mkdir()
    paths = [str(OBSERVER), *filter(None, [os.environ.get("PYTHONPATH")])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFTERIMAGE_OBSERVED", str(folder))
        patch.setenv("PYTHONPATH", os.pathsep.join(paths))
        yield


class Observed(NamedTuple):
    """What was seen of the jobs of a run.

    Attributes:
        kinds: Kind of job to how many of them were seen.
        uncovered: A sentence for each function that a job entered and that its fingerprint does not cover.
    """

    kinds: Counter[str]
    uncovered: list[str]


def seen(folder: Path, study: Path) -> Observed:
    """Compare what jobs entered with what is kept of their fingerprints.

    Args:
        folder: Where the jobs were noted.
        study: The folder in which they ran.
    """
    kept = Kept(study / ".snakemake" / "afterimage")
    statements = Statements(study / "workflow" / "scripts")
    kinds: Counter[str] = Counter()
    uncovered = set()
    for file in sorted(folder.glob("*.json")):
        noted = json.loads(file.read_text(encoding="utf-8"))
        kinds[noted["code"].split()[2]] += 1
        covered = kept.meanings(noted["code"]).keys()
        job = f"{noted['rule']} {noted['wildcards']}"
        for name, line, function in noted["entered"]:
            if not statements.are_covered(name, line, covered):
                uncovered.add(f"{job}: {name}, line {line}: {function}")
        for name, line, function, importing, calling in noted["imported"]:
            # What defines something that the job does not reach is no part of it, nor is what that calls.
            counts = statements.are_covered(importing, calling, covered)
            if counts and not statements.are_covered(name, line, covered):
                uncovered.add(
                    f"{job}: {name}, line {line}: {function}, which {importing}, line {calling} calls"
                )
    return Observed(kinds, sorted(uncovered))


class Statements:
    """The top-level statements of the scripts, by line."""

    def __init__(self, scripts: Path) -> None:
        self._scripts = scripts
        self._reach = Reach(Scripts(scripts))
        self._files: dict[str, dict[int, str]] = {}

    def are_covered(self, file: str, line: int, covered: Container[Node]) -> bool:
        """Tell whether the definition that a line belongs to is covered."""
        if file not in self._files:
            self._files[file] = dict(_keys(self._scripts / file))
        key = self._files[file][line]
        alone = key not in self._always(file)
        return Node(file, key if alone else ALWAYS) in covered

    def _always(self, file: str) -> set[str]:
        return {definition.names for definition in self._reach.always(file)}


def _keys(path: Path) -> Iterator[tuple[int, str]]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        decorators = getattr(statement, "decorator_list", ())
        first = min(node.lineno for node in (statement, *decorators))
        key = ",".join(sorted(bound_names(statement)))
        yield from ((line, key) for line in range(first, statement.end_lineno + 1))
