"""Snakemake's report: one page with every table, the chart and the contact sheet, captioned and in categories."""

import shutil
import subprocess
import tempfile

import pytest
from workspace import Workspace

TABLES = ("genuine_vqa", "fake_vqa", "control_vqa", "illusion_vqa_tests")


@pytest.fixture(scope="module")
def report(finished_study, tmp_path_factory):
    study = Workspace.copy(finished_study, tmp_path_factory.mktemp("report") / "study")
    study.run("--report", "report.html")
    return study.folder / "report.html"


def test_the_report_holds_every_result_with_its_caption(report):
    page = report.read_text(encoding="utf-8")
    for name in (*TABLES, "illusion_vqa", "illusion_stimuli"):
        assert f"results/tables/{name}.html" in page or f"results/figures/{name}.png" in page, name
    # One phrase from each caption.
    for phrase in (
        "the two targets are the same and appear different",
        "the difference that the inducer feigns is",
        "the same targets without the inducer",
        "p values from flipping the signs of illusions",
        "The pattern over the four panels",
        "All stimuli at a quarter of their size",
    ):
        assert phrase.replace("\n", " ") in " ".join(page.replace("\\n", " ").split()), phrase


def test_the_first_page_says_who_is_asked_what_and_who_of_them_is_no_model(report):
    page = " ".join(report.read_text(encoding="utf-8").replace("\\n", " ").split())
    assert (
        "This study asks <strong>chance, pixels</strong> about <strong>illusion_vqa</strong>"
        in page
    )
    assert "measures the pixels." in page
    # Of those that are not in the study it says nothing.
    assert "gives the textbook" not in page


def test_the_report_opens_in_a_browser_from_a_file(report):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with tempfile.TemporaryDirectory() as profile:
        finished = subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                f"--user-data-dir={profile}",
                "--virtual-time-budget=5000",
                "--dump-dom",
                report.as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    # What the page's own program has built: the categories in the menu, and the introduction.
    for word in ("Tables", "Figures", "Stimuli", "yardsticks"):
        assert f">{word}<" in finished.stdout or (
            word == "yardsticks" and word in finished.stdout
        ), word
