"""The texture suite as a whole: drawn materials without any file, people's answers as they come in, a user's folder."""

import csv

import numpy as np
from PIL import Image
from texture_samples import natural_accepted, write_csv, write_folder

from afterimage.files.parquet import read_records
from afterimage.files.records import GRADE
from afterimage.suites.texture import columns

TABLES = ("results/tables/texture_classification.csv", "results/tables/texture_generation.csv")
FIGURE_5 = "results/figures/texture_unnatural.png"
STUDY = {
    "models": ["chance", "pixels"],
    "suites": {"texture": {}},
    "statistics": {"resamples": 200},
}


def rows_of(workspace, path):
    with (workspace.folder / path).open(encoding="utf-8") as file:
        return {row["model"]: row for row in csv.DictReader(file)}


def test_drawn_materials_need_nobody_and_peoples_judgements_remake_the_tables_alone(workspace):
    workspace.configure(STUDY)
    workspace.run(*TABLES)
    chosen, written = (rows_of(workspace, path) for path in TABLES)
    assert chosen["pixels"]["choose_2_k"] == chosen["pixels"]["choose_5_k"] == "41"
    assert chosen["Human"]["choose_5_accuracy"] == ""
    assert (written["pixels"]["agreement"], written["pixels"]["yes_no_state"]) == (
        "100.0000",
        "awaited",
    )

    words = {"item_id": "matte_tile_warm:o1/describe/texture_gen_fig3", "model": "pixels"}
    write_csv(
        workspace.folder / "judgements.csv",
        columns.JUDGEMENTS,
        [{**words, "word": "マットな", "annotator_id": "a", "yes": 1}],
    )
    workspace.configure({**STUDY, "suites": {"texture": {"judgements": "judgements.csv"}}})
    assert set(workspace.planned(*TABLES)) == {
        "Making the table texture_classification",
        "Making the table texture_generation",
    }
    workspace.run(TABLES[1])
    assert rows_of(workspace, TABLES[1])["pixels"]["yes_no_state"] == "incomplete"

    write_csv(workspace.folder / "judgements.csv", columns.JUDGEMENTS, judged_by_three(workspace))
    workspace.run(FIGURE_5)
    drawn = np.asarray(Image.open(workspace.folder / FIGURE_5).convert("RGB")).reshape(-1, 3)
    # The sign of a rejected word, in its colour: the page is not the one that says that there is nothing.
    assert (drawn == (0xD5, 0x5E, 0x00)).all(axis=1).any()


def judged_by_three(workspace):
    """Return three people's judgements of every word: those about one object are all unnatural."""
    answers = [
        row
        for model in STUDY["models"]
        for row in read_records(workspace.folder / f"results/grades/texture/{model}.parquet", GRADE)
        if row["question"] == "describe"
    ]
    return [
        {
            "item_id": row["item_id"],
            "model": row["model"],
            "word": word,
            "annotator_id": name,
            "yes": int(not row["item_id"].startswith("matte_tile_warm")),
        }
        for row in answers
        for word in set(row["readings"]["lenient"].split("、"))
        for name in "abc"
    ]


def test_a_users_folder_gives_the_tables_and_a_bad_row_stops_before_any_job(workspace):
    folder = workspace.folder / "mine"
    write_folder(folder, 6, votes=natural_accepted)
    for number in range(6):
        Image.new("RGB", (40, 30), (40 * number, 0, 0)).save(folder / f"im{number:02d}.jpg")
    workspace.configure({**STUDY, "models": ["chance"], "suites": {"texture": {"data": "mine"}}})
    workspace.run(TABLES[0])
    assert rows_of(workspace, TABLES[0])["chance"]["choose_5_n"] == "6"

    with (folder / "votes.csv").open("a", encoding="utf-8") as file:
        file.write("im00:o,甘い,a9,2,human,,\n")
    finished = workspace.snakemake("--dry-run", TABLES[0])
    assert finished.returncode != 0
    assert "mine/votes.csv: line 152: column 'vote' is '2'; expected 1 or 0" in finished.stdout
    assert "Traceback" not in finished.stdout
