"""The paper's prompt and its two variants, asked side by side."""

import pandas as pd
import pytest
from workspace import SMALL_STUDY, Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM

PROMPTS = ["zero_shot", "few_shot", "metacognitive"]


@pytest.fixture(scope="module")
def study(root, tmp_path_factory):
    """Four illusions, so that three can give examples to the fourth; one is excluded by the filter."""
    suite = {
        "illusions": ["fick", "ebbinghaus", "munker", "ponzo"],
        "prompts": PROMPTS,
        "few_shot_examples": 2,
    }
    models = ["chance", "textbook_cued", "pixels"]
    study = Workspace(
        root,
        tmp_path_factory.mktemp("prompts") / "study",
        {**SMALL_STUDY, "models": models, "shard_size": 120, "suites": {"illusion_vqa": suite}},
    )
    tables = [f"results/tables/fake_vqa.{kind}" for kind in ("csv", "md")]
    study.run(*tables, "results/figures/illusion_vqa.png")
    return study


def test_every_prompt_has_rows_of_its_own_and_the_observer_reads_them_all(study):
    table = pd.read_csv(study.folder / "results/tables/fake_vqa.csv")
    cells = table[table["subset"] == "all"].set_index(["model", "prompt"])
    assert list(cells.loc["pixels"].index) == PROMPTS
    assert (cells.loc["pixels"]["both_correct_k"] == 6).all()
    assert (cells.loc["textbook_cued"]["apparent_only_k"] == 6).all()
    assert (table.loc[table["kind"] == "measured", "unparsed_k"] == 0).all()


def test_examples_come_from_other_illusions_that_people_confirmed(study):
    items = list(
        read_records(study.folder / "results/items/illusion_vqa/000000-000119.parquet", ITEM)
    )
    assert len(items) == 3 * 8 * 2 * len(PROMPTS)
    own = {
        item["images"][-1]["pixels_sha256"]: item["figure"]
        for item in items
        if item["prompt"] == "zero_shot"
    }
    for item in (item for item in items if item["prompt"] == "few_shot"):
        roles = [message["role"] for message in item["messages"]]
        assert roles == ["user", "assistant", "user", "assistant", "user"]
        examples = {own[image["pixels_sha256"]] for image in item["images"][:-1]}
        assert len(examples) == 2
        assert item["figure"] not in examples
        assert "ponzo" not in examples


def test_the_chart_and_the_readers_tables_tell_the_prompts_apart(study):
    markdown = (study.folder / "results/tables/fake_vqa.md").read_text()
    assert all(prompt in markdown for prompt in PROMPTS)
    assert (study.folder / "results/figures/illusion_vqa.png").stat().st_size > 20_000
