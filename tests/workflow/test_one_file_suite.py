"""The suite in one file that docs/extending.md shows, taken from there and run to its table, page and gallery."""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from workspace import Workspace

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "extending.md"
MAX_LINES = 45
STUDY = {"models": ["chance", "pixels", "textbook_cued"], "suites": {"dots": {"most": 4}}}


def example() -> str:
    """Return the code block that defines a suite."""
    blocks = re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    (suite,) = [block for block in blocks if "SUITE = Suite(" in block]
    return suite


@pytest.fixture
def dots(root, tmp_path):
    work = Workspace(root, tmp_path / "work", STUDY)
    path = work.folder / "workflow/scripts/afterimage/suites/dots.py"
    path.write_text(example())
    return work


def test_the_example_is_short():
    assert len(example().splitlines()) <= MAX_LINES


def test_it_runs_to_its_table_its_page_and_its_gallery(dots):
    dots.run(
        "results/tables/dots.csv", "results/report/dots.html", "results/figures/dots_stimuli.png"
    )
    table = pd.read_csv(dots.folder / "results/tables/dots.csv").set_index("model")
    assert table.loc["pixels", ["n", "correct_k", "unparsed_k"]].tolist() == [4, 4, 0]
    # Nobody has told the textbook anything: no row is no score of 0.
    assert "textbook_cued" not in table.index
    page = (dots.folder / "results/report/dots.html").read_text(encoding="utf-8")
    assert "<h1>Dots</h1>" in page
    assert "How many dots are there?" in page
    assert '"total_items":4' in page.replace(" ", "")
    assert "Dots: accuracy" in (dots.folder / "results/tables/dots.md").read_text()

    # In one file every edit makes the suite again, and a comment none.
    path = "workflow/scripts/afterimage/suites/dots.py"
    dots.edit(path, r"^import numpy", "# A remark.\nimport numpy")
    assert dots.planned("results/tables/dots.csv") == {}
    dots.edit(path, r"\+ 15, 50", "+ 14, 50")
    planned = dots.planned("results/tables/dots.csv")
    assert "Drawing the stimuli of dots (dots)" in planned
    assert "Making the table dots" in planned


@pytest.mark.parametrize(
    ("pattern", "replacement", "sentence"),
    [
        ("observer=look", "observr=look", "suite 'dots': no field 'observr'; nearest: observer."),
        (
            "def look\\(pixels, asked\\)",
            "def look(pixels)",
            "suite 'dots': observer takes 1 argument; expected pixels and text.",
        ),
        ('"Dots",', '"",', "suite 'dots' has no title; expected one line."),
    ],
)
def test_what_is_wrong_with_it_is_one_sentence(dots, pattern, replacement, sentence):
    dots.edit("workflow/scripts/afterimage/suites/dots.py", pattern, replacement)
    finished = dots.snakemake("--dry-run", "results/tables/dots.csv")
    assert finished.returncode != 0
    assert sentence in finished.stdout
    assert "Traceback" not in finished.stdout


def test_a_drawing_that_shows_something_else_stops_before_anybody_is_asked(dots):
    path = "workflow/scripts/afterimage/suites/dots.py"
    dots.edit(path, r"choice\(16, count,", "choice(16, max(count - 1, 1),")
    finished = dots.snakemake("results/tables/dots.csv")
    assert finished.returncode != 0
    assert "dots_2.png: found 1, expected 2 (2 more images differ from theirs)." in finished.stdout
    assert not (dots.folder / "results/responses").exists()


def test_a_setting_out_of_bounds_is_named(dots):
    dots.configure({**STUDY, "suites": {"dots": {"most": 99}}})
    finished = dots.snakemake("--dry-run", "results/tables/dots.csv")
    assert "config: suites.dots: key 'most': found 99; expected at most 16." in finished.stdout


# ---- the same of another package ----

ENTRY = "[afterimage.suites]\ndots = {module}\n"


@pytest.fixture
def installed(root, tmp_path, monkeypatch):
    """A study of the suite, which is no file of the workflow: an installed package brings it."""
    packages = tmp_path / "packages"
    (packages / "benchmarks_of_ours").mkdir(parents=True)
    (packages / "benchmarks_of_ours/__init__.py").write_text("")
    (packages / "benchmarks_of_ours/dots.py").write_text(example())
    about = packages / "benchmarks_of_ours-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: benchmarks-of-ours\nVersion: 1\n")
    (about / "entry_points.txt").write_text(ENTRY.format(module="benchmarks_of_ours.dots"))
    monkeypatch.setenv("PYTHONPATH", str(packages), prepend=":")
    work = Workspace(root, tmp_path / "work", STUDY)

    def snakemake(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *arguments],
            cwd=work.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    monkeypatch.setattr(work, "snakemake", snakemake)
    work.packages = packages
    return work


def test_an_installed_package_may_bring_a_suite(installed):
    installed.run("results/tables/dots.csv", "results/report/dots.html")
    table = pd.read_csv(installed.folder / "results/tables/dots.csv").set_index("model")
    assert table.loc["pixels", ["n", "correct_k"]].tolist() == [4, 4]

    # Its code counts as the workflow's own does.
    path = installed.packages / "benchmarks_of_ours/dots.py"
    text = path.read_text()
    path.write_text(text.replace("import numpy", "# A remark.\nimport numpy", 1))
    assert installed.planned("results/tables/dots.csv") == {}
    path.write_text(text.replace("+ 15, 50", "+ 14, 50", 1))
    assert "Drawing the stimuli of dots (dots)" in installed.planned("results/tables/dots.csv")

    (installed.packages / "benchmarks_of_ours-1.0.dist-info/entry_points.txt").write_text(
        ENTRY.format(module="benchmarks_of_ours.dotz")
    )
    finished = installed.snakemake("--dry-run", "results/tables/dots.csv")
    assert finished.returncode != 0
    assert (
        "package 'benchmarks-of-ours', entry point 'dots' of afterimage.suites: found no module "
        "'benchmarks_of_ours.dotz'" in finished.stdout
    )
    assert "Traceback" not in finished.stdout
