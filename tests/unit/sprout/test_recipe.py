"""The weights in the repository are those of the recipe, small enough, and what their card says of them."""

import csv
import json

import pytest

from afterimage.sprout.kinds import KINDS, truths
from afterimage.sprout.recipe import RECIPES, recipe_hash

MAX_BYTES = 8_000_000
PARSED = 0.95


@pytest.fixture(scope="module")
def folder(root):
    return root / "resources/models/sprout"


@pytest.fixture(scope="module")
def scores(folder):
    with (folder / "scores.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_the_weights_are_those_of_the_recipe(folder):
    """Fails when the recipe, its pictures or its words change: then train again (docs/sprout.md)."""
    stored = json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
    assert recipe_hash(RECIPES["sprout"]) == stored["hash"]
    assert stored["hash"] in (folder / "README.md").read_text(encoding="utf-8")


def test_a_recipe_s_hash_changes_with_its_values_and_not_from_call_to_call():
    hashes = {name: recipe_hash(recipe) for name, recipe in RECIPES.items()}
    assert len(set(hashes.values())) == len(RECIPES)
    assert recipe_hash(RECIPES["seedling"]) == hashes["seedling"]


def test_the_weights_are_small_and_the_checkpoint_is_complete(folder):
    assert (folder / "model.safetensors").stat().st_size <= MAX_BYTES
    names = {file.name for file in folder.iterdir()}
    assert {
        "config.json",
        "tokenizer.json",
        "processor_config.json",
        "chat_template.jinja",
    } <= names
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["architectures"] == ["LlavaForConditionalGeneration"]
    assert "auto_map" not in config


def test_the_scores_cover_every_kind_with_enough_drawings_and_nearly_all_answers_are_read(scores):
    assert {(row["kind"], row["truth"]) for row in scores} == {
        (kind, truth) for kind in KINDS for truth in truths(kind)
    }
    for row in scores:
        assert int(row["number"]) >= 200
        assert float(row["low"]) <= float(row["share"]) <= float(row["high"])
        assert float(row["share"]) == pytest.approx(
            int(row["right"]) / int(row["number"]), abs=1e-4
        )
    parsed = sum(int(row["parsed"]) for row in scores)
    assert parsed >= PARSED * sum(int(row["number"]) for row in scores)


def test_the_card_says_what_was_measured_and_where_a_goal_was_not_reached(folder, scores):
    card = (folder / "README.md").read_text(encoding="utf-8")
    for row in scores:
        told = f"{float(row['share']):.3f} [{float(row['low']):.2f}, {float(row['high']):.2f}]"
        (line,) = (
            line
            for line in card.splitlines()
            if line.startswith(f"| {row['kind'].replace('_', ' ')} |")
        )
        assert told in line
        goal = line.split("|")[4].strip()
        if goal != "open" and float(row["share"]) < float(goal):
            assert "not reached" in line
