"""A copy of the workflow that tests may run and edit."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

import yaml
from snakemake_server import snakemake_server

from afterimage.fingerprints.scripts import KEPT, Scripts

SOURCES = ("Snakefile", "config", "envs", "profiles", "resources", "workflow")

#: Small, but with everything in it: three illusions of different form, one of which the filter drops, a responder
#: that looks and one that does not, and one illusion per shard.
SMALL_STUDY = {
    "models": ["chance", "pixels"],
    "shard_size": 8,
    "suites": {
        "illusion_vqa": {"illusions": ["fick", "ebbinghaus", "ponzo"], "prompts": ["zero_shot"]}
    },
    "statistics": {"resamples": 500},
}


@cache
def _known_of_scripts(root: Path) -> bytes:
    """Return what a start keeps of the source files, so that no copy parses all of them anew."""
    with tempfile.TemporaryDirectory() as folder:
        Scripts(root / "workflow" / "scripts", Path(folder))
        return Path(folder, KEPT).read_bytes()


def said(finished: subprocess.CompletedProcess) -> str:
    """Return what a run printed as one line: long sentences are wrapped."""
    return " ".join(finished.stdout.split())


class Workspace:
    """A folder with the workflow's sources, a configuration of its own, and Snakemake to run there.

    Attributes:
        patience_seconds: How long a run may take.
    """

    patience_seconds = 1800

    def __init__(self, root: Path, folder: Path, study: Mapping = SMALL_STUDY) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        for name in SOURCES:
            source = root / name
            if source.is_dir():
                shutil.copytree(
                    source,
                    folder / name,
                    # Compiled modules serve the copy too; what is being compiled by another worker does not.
                    ignore=shutil.ignore_patterns("*.pyc.*", "*.egg-info"),
                )
            else:
                shutil.copy(source, folder / name)
        records = folder / ".snakemake" / "afterimage"
        records.mkdir(parents=True)
        (records / KEPT).write_bytes(_known_of_scripts(root))
        self.configure(study)

    @classmethod
    def copy(cls, source: Path, folder: Path) -> Self:
        """Copy a workspace's folder with its results, journal and records; what is edited here is edited here alone."""
        copied = cls.__new__(cls)
        copied.folder = Path(shutil.copytree(source, folder, symlinks=True))
        return copied

    def configure(self, study: Mapping) -> None:
        """Write config.yaml."""
        (self.folder / "config.yaml").write_text(yaml.safe_dump(dict(study), sort_keys=False))

    def snakemake(self, *arguments: str) -> subprocess.CompletedProcess:
        """Run Snakemake here; standard error is merged into standard output."""
        words = ["--cores", "2", "--nocolor", *map(str, arguments)]
        return snakemake_server().run(self.folder, words, os.environ, self.patience_seconds)

    def run(self, *arguments: str) -> str:
        """Run the workflow; it must succeed."""
        finished = self.snakemake(*arguments)
        assert finished.returncode == 0, finished.stdout
        return finished.stdout

    def planned(self, *arguments: str) -> dict[str, str]:
        """Return the jobs of a dry run: what each says that it does, and the reason that Snakemake gives."""
        finished = self.snakemake("--dry-run", *arguments)
        assert finished.returncode == 0, finished.stdout
        jobs = re.findall(r"^Job \d+: (.+)\nReason: (.+)$", finished.stdout, flags=re.MULTILINE)
        return dict(jobs)

    def edit(self, name: str, pattern: str, replacement: str) -> None:
        """Replace the first match of a regular expression in a file; it must match and change something."""
        path = self.folder / name
        before = path.read_text()
        after = re.sub(pattern, replacement, before, count=1, flags=re.MULTILINE)
        assert after != before, f"{name}: nothing matches {pattern!r}"
        path.write_text(after)
