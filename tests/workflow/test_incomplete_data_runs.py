"""A whole run of a study with holes: people leave out one suite, a release lacks a picture, and all else is made."""

import pytest
from release_samples import write_hallusionbench
from workspace import Workspace, said

from afterimage.files.attempts import NOT_FINISHED
from afterimage.files.csv_rows import read_rows, write_csv
from afterimage.suites.illusion_vqa.images import stimulus_ids
from afterimage.suites.illusions.names import QUESTIONS

GONE = "hallusion_bench/VD/0_0.png"


@pytest.fixture
def work(root, tmp_path):
    """People see nothing of what the one illusion is meant to show; one picture of the release is not there."""
    write_hallusionbench(tmp_path / "data")
    (tmp_path / "data" / GONE).unlink()
    answers = [
        {"participant_id": "p1", "image_id": name, "question": question, "option_id": "same"}
        for name in stimulus_ids("fick")
        for question in QUESTIONS
    ]
    write_csv(tmp_path / "answers.csv", answers, list(answers[0]))
    suites = {
        "illusion_vqa": {
            "illusions": ["fick"],
            "human_filter": {"responses": str(tmp_path / "answers.csv")},
        },
        "hallusionbench": {"folder": str(tmp_path / "data")},
    }
    return Workspace(root, tmp_path / "work", {"models": ["chance"], "suites": suites})


def test_what_is_left_is_made_and_the_rest_is_said(work):
    finished = work.snakemake()
    assert finished.returncode == 0, finished.stdout
    output = said(finished)
    assert "suites.hallusionbench: 1 of the 3 images that its files name is not there" in output
    why = "nothing asked: people's answers, or the paper's, leave out everything that it shows"
    assert f"Without numbers: chance on illusion_vqa, {why}." in output
    results = work.folder / "results"
    (empty,) = read_rows(results / "tables" / "genuine_vqa.csv")
    assert (empty["model"], empty[NOT_FINISHED]) == ("chance", why)
    sound = read_rows(results / "tables" / "hallusionbench.csv")
    assert any(row["model"] == "chance" and row["value"] for row in sound)
    assert NOT_FINISHED not in sound[0]
    assert "1 of the 3 images" in (results / "tables" / "hallusionbench.md").read_text()
    for page in ("index", "illusion_vqa", "hallusionbench"):
        assert (results / "report" / f"{page}.html").is_file()
    assert read_rows(results / "tables" / "cost.csv")
