"""Copies of the drawn materials: the paper's numbers of questions, and nothing else changed."""

from collections import Counter

import numpy as np
import pytest
from texture_samples import items, settings, study_suite, write_folder

from afterimage.contract.finding import load_suite
from afterimage.errors import AfterimageError
from afterimage.suites.texture import seeing
from afterimage.suites.texture.dataset import dataset_source, load_dataset
from afterimage.suites.texture.drawing import draw
from afterimage.suites.texture.materials import MAX_COPIES, all_images, images_of, material

SEED = 20250310


def of_question(asked, question):
    return {item["item_id"]: item for item in asked if item["question"] == question}


@pytest.fixture(scope="module")
def asked():
    return {scale: items(scale=scale) for scale in (1, 2, 9)}


def test_nine_copies_have_the_papers_numbers(asked):
    counts = Counter(item["question"] for item in asked[9])
    assert counts == {"choose_2": 335, "choose_5": 335, "describe": 107}
    assert Counter(item["question"] for item in asked[1]) == {
        "choose_2": 41,
        "choose_5": 41,
        "describe": 41,
    }


@pytest.mark.parametrize("question", ["choose_2", "choose_5"])
@pytest.mark.parametrize("larger", [2, 9])
def test_a_larger_scale_changes_no_question(asked, question, larger):
    before, after = (of_question(asked[scale], question) for scale in (1, larger))
    assert before == {name: after[name] for name in before}


def test_the_same_images_stand_before_the_copies():
    first, more = list(all_images()), list(all_images(9))
    assert more[: len(first)] == first
    assert len(more) == len({image.image_id for image in more}) == 363
    suite = study_suite(settings(scale=9))
    positions = [load_suite("texture").figure_named(name).position for name in suite.figures]
    assert positions == [0, 40, *range(43, 363, 40)]


def test_right_places_are_balanced_and_no_wrong_word_may_fit(asked):
    shown = {image.image_id: material(image.material) for image in all_images(9)}
    for question, size in (("choose_2", 2), ("choose_5", 5)):
        questions = of_question(asked[9], question).values()
        counts = Counter(item["key"] for item in questions)
        assert max(counts.values()) - min(counts.values()) <= 1 and len(counts) == size
        for item in questions:
            known = shown[item["stimulus_id"]]
            words = {option["option_id"]: option["text"] for option in item["options"]}
            assert words.pop(item["key"]) in known.gold
            assert not {*known.gold, *known.compatible} & set(words.values())


def test_every_copy_has_a_size_of_its_own_above_the_limit_of_the_area():
    sizes = {}
    for copy in ("materials", *(f"materials_{n}" for n in range(2, MAX_COPIES + 1))):
        for image in images_of(copy):
            sizes.setdefault(image.layout.shape, {}).setdefault(copy, set()).add(image.layout)
            assert image.layout.area_fraction > 0.15
    for of_shape in sizes.values():
        layouts = [layout for layouts_of_shape in of_shape.values() for layout in layouts_of_shape]
        assert len(set(layouts)) == len(layouts) == MAX_COPIES


@pytest.mark.parametrize("copy", [2, 5, 9, MAX_COPIES])
def test_copies_show_what_their_words_say_and_are_no_doubles(copy):
    seen = {draw(image.image_id, SEED).pixels.tobytes() for image in images_of("materials")}
    for image in images_of(f"materials_{copy}"):
        pixels = draw(image.image_id, SEED).pixels
        share = f"{image.layout.area_fraction:.6f}"
        found = seeing.measure(pixels, {"material": image.material, "area_fraction": share})
        assert found.holds, (image.image_id, found.remark)
        assert pixels.flags["C_CONTIGUOUS"] and pixels.tobytes() not in seen
        seen.add(pixels.tobytes())


def test_every_other_copy_is_lit_from_the_right():
    left, right = (draw(f"matte_sphere_cool{copy}", SEED).pixels for copy in ("_3", "_2"))
    half = left.shape[1] // 2
    for pixels, brighter in ((left, 0), (right, 1)):
        means = [np.mean(part) for part in (pixels[:, :half], pixels[:, half:])]
        assert means[brighter] > means[1 - brighter]


def test_votes_of_copies_are_made_up_like_those_of_the_first():
    dataset = load_dataset(dataset_source(settings(scale=2), {}))
    assert (len(dataset.pairs), dataset.too_small) == (81, 2)


def test_photographs_have_no_copies(tmp_path):
    folder = write_folder(tmp_path / "d", 3)
    with pytest.raises(AfterimageError, match="scale: found 2 beside 'data'; expected 1"):
        load_suite("texture").words(settings(data=folder, scale=2))


def test_a_figure_that_there_is_not_is_refused():
    with pytest.raises(AfterimageError, match="materials_34"):
        load_suite("texture").figure_named("materials_34")
