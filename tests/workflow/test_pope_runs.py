"""Whole runs of the suite pope: drawn scenes through COCO's reader, and question files whose images are missing."""

import json

import pandas as pd
import pytest
from workspace import Workspace

DRAWN = {
    "models": ["chance", "pixels"],
    "suites": {"pope": {"scenes": 12, "nested_scenes": 2}},
    "statistics": {"resamples": 200},
}
TABLES = [f"results/tables/{name}.csv" for name in ("pope", "pope_blog", "pope_extended")]
SIDE_FILES = (
    "results/stimuli/pope/annotations/instances.json",
    "results/questions/pope/popular.json",
)


@pytest.fixture(scope="module")
def drawn(root, tmp_path_factory):
    """A finished small study of drawn scenes."""
    workspace = Workspace(root, tmp_path_factory.mktemp("pope") / "study", DRAWN)
    workspace.run(*TABLES, *SIDE_FILES, "results/stimuli/pope/measured.csv")
    return workspace


def test_the_observer_answers_every_variant_of_the_drawn_scenes(drawn):
    for path in TABLES:
        frame = pd.read_csv(drawn.folder / path)
        own = frame[(frame["model"] == "pixels") & frame["accuracy"].notna()]
        assert len(own) >= 4
        assert (own["accuracy"] == 100).all(), path
    measured = pd.read_csv(drawn.folder / "results/stimuli/pope/measured.csv")
    assert len(measured) == 14
    assert measured["holds"].all()


def test_the_questions_that_were_asked_lie_there_in_the_official_form(drawn):
    text = (drawn.folder / "results/questions/pope/popular.json").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    table = pd.read_csv(drawn.folder / "results/tables/pope.csv")
    asked = table[(table["strategy"] == "popular") & (table["model"] == "pixels")]
    assert len(rows) == asked["n_questions"].item() == asked["n"].item()
    assert set(rows[0]) == {"question_id", "image", "text", "label"}
    instances = json.loads((drawn.folder / SIDE_FILES[0]).read_text())
    assert {image["file_name"] for image in instances["images"]} == {row["image"] for row in rows}


def test_a_rule_of_reading_remakes_its_table_and_nothing_else(drawn):
    changed = {
        **DRAWN,
        "suites": {"pope": {**DRAWN["suites"]["pope"], "blog": {"answer_rule": "exact"}}},
    }
    drawn.configure(changed)
    try:
        assert set(drawn.planned(*TABLES)) == {"Making the table pope_blog"}
    finally:
        drawn.configure(DRAWN)
    assert drawn.planned(*TABLES) == {}


def test_another_prompt_redraws_nothing(drawn):
    drawn.configure(
        {**DRAWN, "suites": {"pope": {**DRAWN["suites"]["pope"], "prompts": ["can_you_see"]}}}
    )
    try:
        planned = drawn.planned(*TABLES)
    finally:
        drawn.configure(DRAWN)
    assert any(job.startswith("Making the items of pope") for job in planned)
    assert not any(job.startswith(("Drawing", "Measuring")) for job in planned)


@pytest.fixture
def released(root, tmp_path):
    """A study of a question file about two images, of which none is there yet."""
    workspace = Workspace(root, tmp_path / "study")
    rows = [
        {
            "question_id": 2 * number + index + 1,
            "image": f"{name}.jpg",
            "text": f"Is there a {what} in the imange?",
            "label": label,
        }
        for number, name in enumerate(("first", "second"))
        for index, (what, label) in enumerate((("cat", "yes"), ("dog", "no")))
    ]
    (workspace.folder / "coco_pope_popular.json").write_text("\n".join(map(json.dumps, rows)))
    (workspace.folder / "images").mkdir()
    pope = {
        "source": "questions",
        "questions": {"popular": "coco_pope_popular.json"},
        "image_folder": "images",
    }
    workspace.configure({**DRAWN, "suites": {"pope": pope}})
    return workspace


def test_questions_about_absent_images_are_counted_and_the_others_asked(released):
    from PIL import Image

    refused = released.snakemake(TABLES[0])
    assert refused.returncode != 0
    assert "none of the 2 images that its files name is there" in refused.stdout
    # An image that arrives is found, asked about, and the other one still counted.
    Image.new("RGB", (80, 60), "white").save(released.folder / "images" / "second.jpg")
    released.run(TABLES[0])
    frame = pd.read_csv(released.folder / TABLES[0])
    row = frame[frame["model"] == "chance"].to_dict(orient="records")[0]
    assert (row["n"], row["n_questions"], row["image_missing"]) == (2, 4, 2)
    # The ideal observer of drawn scenes says that it cannot tell, and no job fails of it.
    assert frame[frame["model"] == "pixels"]["unparsed_k"].item() == 2
    text = (released.folder / "results/tables/pope.md").read_text()
    assert (
        "2 of 4 questions were not asked, because their image is not there (image_missing)" in text
    )
    assert "popular: 4 questions, unknown version, SHA-256" in text
