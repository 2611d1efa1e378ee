"""The workflow's own model in whole runs: trained by a rule, and asked like any other."""

import json

import pandas as pd
import pytest
from tiny_checkpoints import require_transformers
from workspace import SMALL_STUDY, Workspace

TRAINED = "results/models/seedling/model.safetensors"
CONTROLS = "results/tables/control_vqa.csv"
KNOWN = "results/tables/knowledge.csv"
CHOSEN = ("--config", "models=[sprout]")
PROBED = {
    "illusion_vqa": {
        "illusions": ["ebbinghaus"],
        "prompts": ["zero_shot"],
        "probes": {"text_only": True, "blank": True},
    }
}

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def finished(drawn_study, tmp_path_factory):
    require_transformers()
    study = Workspace.copy(drawn_study, tmp_path_factory.mktemp("sprout") / "study")
    study.configure({**SMALL_STUDY, "suites": PROBED})
    study.run(TRAINED, CONTROLS, KNOWN, *CHOSEN)
    return study


def test_a_rule_trains_a_checkpoint_with_its_card_and_does_so_once(finished):
    folder = (finished.folder / TRAINED).parent
    told = json.loads((folder / "recipe.json").read_text())
    assert told["hash"] in (folder / "README.md").read_text()
    assert not [job for job in finished.planned(TRAINED, *CHOSEN) if "training" in job]


def test_other_words_train_again(finished, tmp_path):
    study = Workspace.copy(finished.folder, tmp_path / "study")
    study.edit("resources/prompts/sprout.yaml", "larger", "greater")
    assert "Drawing, training and evaluating seedling" in study.planned(TRAINED, *CHOSEN)


def test_it_tells_the_sizes_of_two_discs_where_no_inducer_stands(finished):
    table = pd.read_csv(finished.folder / CONTROLS)
    own = table[(table["model"] == "sprout") & (table["subset"] == "all")]
    assert set(own["condition"]) == {"control_genuine", "control_fake"}
    assert own["both_correct_k"].sum() == own["n"].sum() > 0


def test_without_the_image_it_has_a_row_of_what_its_training_questions_taught_it(finished):
    table = pd.read_csv(finished.folder / KNOWN)
    assert "sprout" in set(table["model"])
