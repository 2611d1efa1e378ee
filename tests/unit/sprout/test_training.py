"""Training in miniature: the same weights twice, a checkpoint that transformers loads, and refusals in one sentence."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from tiny_checkpoints import require_transformers

from afterimage.errors import AfterimageError
from afterimage.sprout.kinds import COMPARED, NAMED, draw
from afterimage.sprout.picture import COLOURS, FIRST, NEITHER, SECOND, mirrored
from afterimage.sprout.recipe import RECIPES, Phase, recipe_hash
from afterimage.sprout.words import AS_THE_SUITE, ask
from afterimage.stages import sprout as job

SEEDLING = RECIPES["seedling"]


@pytest.fixture(scope="module")
def trained():
    require_transformers()
    from afterimage.sprout.training import train

    return train(SEEDLING, threads=1)


@pytest.mark.torch
def test_training_changes_the_eye_and_the_language_and_leaves_the_form_of_the_library(trained):
    import torch

    from afterimage.sprout.network import new_model

    torch.manual_seed(SEEDLING.seed)
    before = new_model(SEEDLING.network, trained.tokenizer).state_dict()
    after = trained.model.state_dict()
    assert before.keys() == after.keys()
    for part in ("vision_tower", "multi_modal_projector", "language_model"):
        names = [name for name in before if part in name and before[name].dim() > 1]
        assert names
        assert any(not torch.equal(before[name], after[name]) for name in names), part


@pytest.mark.torch
def test_the_recipe_for_a_gpu_can_be_followed_and_makes_some_thirty_million_parameters():
    require_transformers()
    from afterimage.sprout.training import train

    short = Phase(steps=1, batch=8, rate=1e-3)
    pictures = replace(RECIPES["sapling"].pictures, number=24)
    recipe = replace(RECIPES["sapling"], pictures=pictures, eye=short, language=short)
    model = train(recipe, threads=1).model
    assert 25e6 < sum(one.numel() for one in model.parameters()) < 35e6


@pytest.mark.torch
def test_a_recipe_for_a_gpu_is_refused_where_there_is_none(monkeypatch, tmp_path):
    require_transformers()
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    outputs = {"weights": str(tmp_path / "sapling" / "model.safetensors")}
    with pytest.raises(AfterimageError, match=r"training sapling needs a GPU; torch .* finds none"):
        job.train_sprout({"recipe": "sapling"}, {}, outputs, {"threads": 1})


@pytest.mark.torch
def test_mirrored_batches_are_mirrored_pictures():
    require_transformers()
    import torch

    from afterimage.sprout.phases import mirrored_at_random, pooled

    pictures = [
        draw(kind, np.random.default_rng(3), 28, (0.6, 2.5)) for kind in SEEDLING.pictures.shares
    ]
    generator = torch.Generator().manual_seed(1)
    batch = mirrored_at_random(pooled(pictures), generator)
    for row, picture in enumerate(pictures):
        twins = [
            picture,
            mirrored(picture, 0),
            mirrored(picture, 1),
            mirrored(mirrored(picture, 0), 1),
        ]
        seen = batch.pixels[row].numpy()
        twin = next(one for one in twins if np.array_equal(one.pixels, seen))
        assert twin.category == int(batch.categories[row])
        assert twin.difference == pytest.approx(float(batch.differences[row]))
        np.testing.assert_allclose(twin.places, batch.places[row].numpy(), atol=1e-6)
        assert pooled([twin]).colours.tolist() == [int(batch.colours[row])]


@pytest.mark.torch
def test_the_eye_is_taught_the_colour_of_the_target_that_has_more_where_colours_tell_targets_apart():
    require_transformers()
    from afterimage.sprout.phases import NO_COLOUR, pooled

    draws = [draw("lengths_oblique", np.random.default_rng(seed), 28, (1, 1)) for seed in range(8)]
    more = {FIRST: "first", SECOND: "second"}
    expected = [
        list(COLOURS).index(picture.words[more[picture.category]])
        if picture.category in more
        else NO_COLOUR
        for picture in draws
    ]
    assert {FIRST, SECOND, NEITHER} <= {picture.category for picture in draws}
    assert pooled(draws).colours.tolist() == expected
    greys = [draw("lightness", np.random.default_rng(seed), 28, (1, 1)) for seed in range(8)]
    assert set(pooled(greys).colours.tolist()) == {NO_COLOUR}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder that the job writes."""
    require_transformers()
    folder = tmp_path_factory.mktemp("models") / "seedling"
    folder.mkdir()
    outputs = {"weights": str(folder / "model.safetensors")}
    job.train_sprout({"recipe": "seedling"}, {}, outputs, {"threads": 2})
    return folder


@pytest.mark.torch
def test_two_trainings_from_one_seed_give_the_same_weights(trained, written):
    """One of them by the job, whose pictures are drawn by other processes."""
    import torch
    from transformers import AutoModelForImageTextToText

    loaded = AutoModelForImageTextToText.from_pretrained(written, dtype=torch.float16).state_dict()
    ours = trained.model.state_dict()
    assert ours.keys() == loaded.keys()
    assert all(torch.equal(values.half(), loaded[name]) for name, values in ours.items())
    curves = (written / "curves.csv").read_text(encoding="utf-8")
    for curve in trained.curves:
        for step, loss, _ in curve.rows:
            assert f"{curve.phase},{step},{loss:.4f}," in curves


@pytest.mark.torch
def test_the_job_writes_a_checkpoint_with_its_card_curves_and_scores(written):
    names = {file.name for file in written.iterdir()}
    assert {
        "model.safetensors",
        "README.md",
        "recipe.json",
        "scores.csv",
        "curves.csv",
        "curves.png",
    } <= names
    assert recipe_hash(SEEDLING) in (written / "README.md").read_text(encoding="utf-8")
    scored = (written / "scores.csv").read_text().splitlines()
    assert len(scored) == 1 + 2 * len(COMPARED) + len(NAMED)
    assert not [name for name in names if name.startswith("tmp")]


@pytest.mark.torch
def test_the_checkpoint_in_the_repository_answers_in_the_words_of_the_options(root):
    require_transformers()
    import torch
    from transformers import AutoModelForImageTextToText, AutoProcessor

    from afterimage.sprout.evaluating import answers

    folder = root / "resources/models/sprout"
    model = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32)
    kinds = [kind for kind in SEEDLING.pictures.shares for _ in range(4)]
    pictures = [
        draw(kind, np.random.default_rng(n), 112, (1.0, 1.0)) for n, kind in enumerate(kinds)
    ]
    questions = [
        ask(np.random.default_rng(n), picture, AS_THE_SUITE) for n, picture in enumerate(pictures)
    ]
    said = answers(model, AutoProcessor.from_pretrained(folder), pictures, questions)
    named = [reply in question.options for reply, question in zip(said, questions, strict=True)]
    right = [reply == question.answer for reply, question in zip(said, questions, strict=True)]
    assert np.mean(named) >= 0.95
    assert np.mean(right) >= 0.8


def test_without_torch_the_job_says_so_in_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(job, "find_spec", lambda name: None)
    with pytest.raises(AfterimageError) as caught:
        job.train_sprout(
            {"recipe": "seedling"}, {}, {"weights": str(tmp_path / "x")}, {"threads": 1}
        )
    assert str(caught.value).startswith("training sprout needs torch and transformers; run `")
    assert "pip install" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_recipe_that_is_not_there_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(job, "find_spec", lambda name: sys)
    with pytest.raises(AfterimageError, match="recipe 'oak'"):
        job.train_sprout({"recipe": "oak"}, {}, {"weights": str(tmp_path / "x")}, {"threads": 1})
