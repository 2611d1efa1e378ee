"""Documents through LaTeX."""

import shutil
import subprocess
from pathlib import Path

import pytest


def compiled(document: Path) -> str:
    """Compile a document in its folder and return LaTeX's log; the test is skipped where there is no LaTeX."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", document.name],
        cwd=document.parent,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    log = document.with_suffix(".log").read_text(errors="replace")
    assert finished.returncode == 0, log
    return log
