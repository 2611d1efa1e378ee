"""Folders of a user's own images: the documented example, awkward names, and what reruns."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from PIL import Image
from workspace import Workspace

STUDY = {
    "models": ["chance", "other_chance", "pixels"],
    "own_models": {"other_chance": {"backend": "chance", "settings": {"seed": 5}}},
    "statistics": {"resamples": 200},
}
TABLE = "results/tables/images.csv"


def block(page, language):
    """Return the first block of a language in a page."""
    return re.search(rf"^```{language}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)[1]


def picture(path, colour):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (40, 30), colour).save(path)


def test_the_documented_example_runs_as_it_is_written(root, tmp_path):
    page = (root / "docs" / "data.md").read_text()
    work = Workspace(root, tmp_path / "work", {**STUDY, **yaml.safe_load(block(page, "yaml"))})
    (work.folder / ".venv").symlink_to(sys.prefix)
    finished = subprocess.run(
        ["bash", "-ec", block(page, "sh")],
        cwd=work.folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1200,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout
    table = pd.read_csv(work.folder / TABLE)
    is_own = (table["factor"] == "overall") & (table["kind"] == "measured")
    overall = table[is_own].set_index("model")
    # Nobody has told pixels how to measure photographs: no row is no score of 0.
    assert overall["n"].to_dict() == {"chance": 10, "other_chance": 10}
    assert overall.loc["chance", "images"] == 8
    assert set(table["factor"]) == {"overall", "answer_type", "task", "colour"}
    (pair,) = pd.read_csv(work.folder / "results/tables/images_paired.csv").to_dict("records")
    right = overall["correct_k"]
    assert pair["only_first"] - pair["only_second"] == right["chance"] - right["other_chance"]
    files = pd.read_csv(work.folder / "results/stimuli/images/measured.csv")["remark"]
    assert files[2] == "groups/four_squares.png"
    for kind in ("accuracy", "stimuli"):
        assert (work.folder / f"results/figures/images_{kind}.png").stat().st_size > 1000
    # What the page shows of the file stands in the file.
    rows = (root / "resources/examples/own_images/questions.csv").read_text().splitlines()
    assert set(block(page, "csv").splitlines()) <= set(rows)


@pytest.fixture
def two_sets(root, tmp_path):
    """One set by absolute path, one by relative; names with blanks and Japanese, one file in a subfolder."""
    far = tmp_path / "my pictures 写真"
    picture(far / "夜 1.png", "navy")
    picture(far / "sub folder/é.jpg", "gold")
    (far / "questions.csv").write_text(
        "image,question,options,answer,明るさ\n夜 1.png,何色?,青|黄,青,暗い\nsub folder/é.jpg,何色?,青|黄,黄,明るい\n",
        encoding="utf-8-sig",
    )
    work = Workspace(root, tmp_path / "work", STUDY)
    shutil.copytree(work.folder / "resources/examples/own_images", work.folder / "near")
    sets = {"near": "near", "far": str(far)}
    work.configure({**STUDY, "suites": {"images": {"sets": sets}}})
    return work, far


def test_a_change_in_one_set_reruns_what_depends_on_it(two_sets, rerun_table):
    work, far = two_sets
    work.run(TABLE)
    table = pd.read_csv(work.folder / TABLE).set_index(["set", "model", "factor", "level"])
    assert table.loc[("far", "chance", "明るさ", "暗い"), "n"] == 1
    assert work.planned(TABLE) == {}

    picture(far / "夜 1.png", "black")
    after_image = work.planned(TABLE)
    assert "Drawing the stimuli of far (images)" in after_image
    assert not any("near" in job or "020000-020399" in job for job in after_image)
    rerun_table(("a user's image changes", ", ".join(after_image), ""))

    picture(far / "夜 1.png", "navy")
    work.run(TABLE)
    asked = far / "questions.csv"
    asked.write_text(asked.read_text("utf-8-sig").replace("何色?", "色は?"))
    after_question = work.planned(TABLE)
    assert "Making the items of images, stimuli 000000-000399" in after_question
    assert not any("Drawing" in job or "020000-020399" in job for job in after_question)
    work.run(TABLE)

    # The same questions, saved otherwise.
    asked.write_bytes(asked.read_text().replace("\n", "\r\n").encode("utf-8-sig"))
    assert work.planned(TABLE) == {}


def test_files_dated_in_the_future_are_read_as_any_others_and_followed_by_content(two_sets):
    """Cameras and other machines date ahead; Snakemake fails a job with an input newer than its output."""
    work, far = two_sets
    work.run(TABLE)
    before = (work.folder / TABLE).read_bytes()
    shutil.rmtree(work.folder / "results")
    for file in [*far.rglob("*"), work.folder / "near/questions.csv"]:
        os.utime(file, (1.9e9, 1.9e9))
    finished = work.run(TABLE)
    assert "Dated in the future: 2 of the study's files" in " ".join(finished.split())
    assert (work.folder / TABLE).read_bytes() == before
    assert work.planned(TABLE) == {}
    picture(far / "夜 1.png", "red")
    os.utime(far / "夜 1.png", (1.9e9, 1.9e9))
    assert "Drawing the stimuli of far (images)" in work.planned(TABLE)
    work.run(TABLE)
    assert work.planned(TABLE) == {}


def test_a_fault_in_a_folder_ends_the_run_in_one_sentence_before_any_job(two_sets):
    work, far = two_sets
    (far / "sub folder/é.jpg").unlink()
    finished = work.snakemake(TABLE)
    assert finished.returncode != 0
    assert "questions.csv, line 3, column 'image': found 'sub folder/é.jpg'" in finished.stdout
    assert "Traceback" not in finished.stdout
    assert not (work.folder / "results").exists()
