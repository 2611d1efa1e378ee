"""Editions of a suite: the same design drawn anew, proven from pixels; the public one as it always was."""

from hashlib import sha256

import numpy as np
import pytest

from afterimage.contract.design import edition_seed
from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.stages.measurements import measurer
from afterimage.suites.illusions.names import GRID_FIGURES
from afterimage.suites.search.suite import Settings

#: Suites that draw their images.
DRAWING = (
    *("blindtest", "contrast", "counting_bias", "hidden_digits", "illusion_strength"),
    *("illusion_vqa", "illusionbench", "pope", "search", "texture", "tunnel_vision"),
)
#: Settings other than the default ones: all illusions that there are.
ALL = {"illusions": list(GRID_FIGURES)}
SETTINGS = {"illusion_strength": ALL, "illusion_vqa": ALL}
EDITIONS = (2, 3, 4, 5, 7)
#: Maps take a second each to lay out.
EDITIONS_OF = {"subway": (2,)}
#: Every so many images are drawn, of each edition others; of figures that take longest fewer.
STEP = 61
STEPS = {"circled_letter": 307, "subway": 97, "illusion_strength": 149}
#: Factors that a question names as they are on its own image.
NAMED = {
    ("illusionbench", "colour_plates"): {"facts"},
    ("tunnel_vision", "follow"): {"start", "truth"},
    ("counting_bias", "grids"): {"cell", "usual", "truth"},
    ("pope", "nested"): {"boxes", "truth"},
    ("illusionbench", "plain_scenes"): {"facts"},
    ("pope", "scenes"): {"boxes", "truth"},
}
#: Factors that only other editions than the public one have: there they do not follow from the variant's name.
TOLD = {"illusion_vqa": {"size", "wording"}}


def designed(name, suite, figure, edition):
    own = suite.settings(edition=edition, **SETTINGS.get(name, {}))
    design = resolve(figure.design)
    return list(
        getattr(design, "DESIGN", design).specs(figure.name, suite.drawing(figure.name, own))
    )


def figures():
    for name in DRAWING:
        suite = load_suite(name)
        for figure in suite.figures(suite.settings(**SETTINGS.get(name, {}))):
            yield pytest.param(name, suite, figure, id=f"{name}-{figure.name}")


@pytest.mark.parametrize("name", DRAWING)
def test_images_of_each_figure_of_the_public_edition_are_those_kept(name, root):
    """After an intended change of a drawing, write what is found into the file, and raise the suite's version."""
    kept = (root / "tests" / "data" / "drawn_images.txt").read_text(encoding="utf-8").splitlines()
    suite = load_suite(name)
    found = []
    for figure in suite.figures(suite.settings(**SETTINGS.get(name, {}))):
        specs = designed(name, suite, figure, 1)
        digest, draw = sha256(), resolve(figure.draw)
        for spec in specs[:: -(-len(specs) // 6)]:
            digest.update(draw(**spec.parameters).pixels.tobytes())
        found.append(f"{name} {figure.name} {digest.hexdigest()[:16]}")
    assert found == [line for line in kept if line.partition(" ")[0] == name]


SALT = "5f0c8d1e2b3a49576879a8b7c6d5e4f3"


def seed_of(**own):
    return edition_seed(Settings(**own), "search")


@pytest.fixture
def salt(tmp_path):
    path = tmp_path / "salt.txt"
    path.write_text(f"{SALT}\n")
    return str(path)


def test_the_public_edition_is_drawn_with_the_seed_itself_and_others_are_not():
    assert seed_of() == Settings().seed == 20241105
    seeds = [seed_of(seed=seed, edition=edition) for seed in (1, 2) for edition in range(1, 50)]
    assert len(set(seeds)) == len(seeds)
    # Kept for good: a change would draw every edition anew.
    assert seed_of(seed=1, edition=2) == 905530203678084605


@pytest.mark.parametrize("name", DRAWING)
def test_a_suite_that_draws_says_so(name):
    """Else the study's edition passes it over, and its images stay the public ones."""
    assert load_suite(name).settings(**SETTINGS.get(name, {})).is_drawn


def test_the_private_edition_follows_from_suite_seed_and_salt(salt, tmp_path):
    own = {"edition": "private", "edition_salt": salt}
    other = tmp_path / "other.txt"
    other.write_text(SALT[::-1])
    seeds = {
        seed_of(**own),
        seed_of(**own, seed=1),
        seed_of(edition="private", edition_salt=str(other)),
        edition_seed(Settings(**own), "tunnel_vision"),
        seed_of(),
    }
    assert len(seeds) == 5
    assert seed_of(**own) == seed_of(**own)


@pytest.mark.parametrize(
    ("own", "words", "sentence"),
    [
        ({"edition": "private"}, None, "found none; edition: private expects the file"),
        ({"edition": "private"}, "secret-and-short", "found 16 characters; expected at least 32"),
        ({"edition": 2}, SALT, "with edition 2; expected edition: private with a salt"),
        (
            {"edition": "private", "edition_salt": "resources/salt.txt"},
            None,
            "which every archive of a run holds",
        ),
        ({"edition": "private", "edition_salt": "absent.txt"}, None, "'absent.txt' cannot be read"),
        ({"edition": "hidden"}, None, "hidden"),
        ({"edition": 0}, None, "0"),
    ],
)
def test_mistakes_are_one_sentence_without_the_salt(
    own, words, sentence, root, tmp_path, monkeypatch
):
    monkeypatch.chdir(root)
    settings = {"conditions": ["colour", "shape"], **own}
    if words is not None:
        path = tmp_path / "salt.txt"
        path.write_text(words)
        settings["edition_salt"] = str(path)
    with pytest.raises(AfterimageError, match=rf"suites\.search.*{sentence}") as refused:
        Plan({"models": ["chance"], "suites": {"search": settings}}, root)
    assert "\n" not in str(refused.value)
    assert words is None or words not in str(refused.value)


@pytest.mark.parametrize(("name", "suite", "figure"), list(figures()))
def test_an_edition_has_the_same_cells_and_other_images_that_show_what_was_drawn(
    name, suite, figure
):
    public = designed(name, suite, figure, 1)
    judge = measurer({"suite": name, "figure": figure.name, "measure": figure.measure})
    draw = resolve(figure.draw)
    for edition in EDITIONS_OF.get(figure.name, EDITIONS):
        fresh = designed(name, suite, figure, edition)
        for one, other in zip(public, fresh, strict=True):
            assert one.stimulus_id == other.stimulus_id
            assert one.parameters != other.parameters
            differ = {key for key in one.factors if one.factors[key] != other.factors[key]}
            assert differ <= NAMED.get((name, figure.name), set())
            assert other.factors.keys() - one.factors.keys() <= TOLD.get(name, set())
        step = min(STEPS.get(figure.name, STEPS.get(name, STEP)), len(public))
        for one, other in list(zip(public, fresh, strict=True))[edition % step :: step]:
            drawing = draw(**other.parameters)
            assert not np.array_equal(drawing.pixels, draw(**one.parameters).pixels)
            record = {
                "stimulus_id": other.stimulus_id,
                "figure": figure.name,
                "factors": {**other.factors, **drawing.factors},
            }
            judge.measure(record, drawing.pixels)
    judge.require([])
