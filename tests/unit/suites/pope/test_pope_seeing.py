"""The observer sees what was drawn, from pixels alone; what a scene does not show stops the workflow."""

import io
import json
from collections import Counter

import numpy as np
import pytest
from PIL import Image
from pope_material import drawn, nested_scenes, scenes, settings, suite_of

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import CANNOT_TELL, resolve
from afterimage.drawing.photograph import draw as draw_photograph
from afterimage.errors import AfterimageError
from afterimage.stages.measurements import measurer
from afterimage.suites.pope.scene import (
    CLASSES,
    COLOURS,
    PAPERS,
    Placed,
    Scene,
    draw_scene,
    silhouette,
)
from afterimage.suites.pope.seeing import (
    answer,
    colour_name,
    inventory,
    look,
    pictures,
)

OTHER_SEED = 7


def truth(scene):
    counts = Counter((placed.name, placed.colour) for placed in scene.objects)
    return "; ".join(f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items()))


def resized(pixels, side):
    return np.asarray(Image.fromarray(pixels).resize((side, side), Image.Resampling.BICUBIC))


def noisy(pixels):
    noise = np.random.default_rng(0).normal(0, 5, pixels.shape)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def through_jpeg(pixels):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=80)
    return np.asarray(Image.open(buffer).convert("RGB"))


def placed(name, colour="blue", left=60.0, top=60.0, width=90.0):
    return Placed(name, colour, (left, top, width, width / silhouette(name).aspect))


def shown(*objects, paper="grey"):
    return draw_scene(Scene("x.png", paper, objects))


class TestLooking:
    @pytest.mark.parametrize("seed", [20230526, OTHER_SEED])
    def test_every_scene_is_seen_as_it_was_drawn(self, seed):
        for scene in (*scenes(30, seed), *nested_scenes(10, seed)):
            seen = look(draw_scene(scene))
            assert inventory(seen) == truth(scene)
            for placed in scene.objects:
                nearest = min(
                    max(abs(a - b) for a, b in zip(other.bbox, placed.bbox, strict=True))
                    for other in seen
                    if other.name == placed.name
                )
                assert nearest <= 3

    @pytest.mark.parametrize(
        "disturb",
        [
            lambda pixels: resized(pixels, 224),
            lambda pixels: resized(pixels, 512),
            noisy,
            through_jpeg,
            lambda pixels: np.roll(pixels, (3, -3), axis=(0, 1)),
        ],
        ids=["smaller", "larger", "noise", "jpeg", "moved"],
    )
    def test_resizing_noise_and_compression_do_not_deceive_it(self, disturb):
        for scene in (*scenes(8, OTHER_SEED), *nested_scenes(3, OTHER_SEED)):
            assert inventory(look(disturb(draw_scene(scene)))) == truth(scene)

    @pytest.mark.parametrize("paper", PAPERS)
    @pytest.mark.parametrize("colour", COLOURS)
    def test_every_colour_is_named_on_every_paper(self, colour, paper):
        (seen,) = look(shown(placed("car", colour), paper=paper))
        assert (seen.name, seen.colour) == ("car", colour)

    @pytest.mark.parametrize("name", CLASSES)
    def test_a_class_is_known_at_any_size_place_and_stretch(self, name):
        draw = np.random.default_rng(3)
        for _ in range(3):
            left, top, width = draw.uniform(20, 120), draw.uniform(20, 120), draw.uniform(80, 200)
            height = width / silhouette(name).aspect * draw.uniform(0.85, 1.15)
            stretched = Placed(name, "red", (left, top, width, min(height, 230)))
            assert inventory(look(shown(stretched))) == f"1 red {name}"

    def test_it_has_a_picture_of_every_class_and_these_are_unlike(self):
        known = pictures()
        assert set(known) == set(CLASSES)
        for name, picture in known.items():
            for other, another in known.items():
                if name != other:
                    assert (picture & another).sum() / (picture | another).sum() < 0.85

    def test_what_is_no_class_is_not_taken_for_one(self):
        pixels = shown(placed("ball"))
        pixels[250:300, 40:340] = (30, 30, 30)
        with pytest.raises(
            AfterimageError, match=r"found something at \(40, 250\) that is no class"
        ):
            look(pixels)

    def test_an_empty_image_or_a_photograph_is_refused_in_one_sentence(self):
        with pytest.raises(AfterimageError, match=r"looked for objects .* found none"):
            look(shown())
        with pytest.raises(AfterimageError):
            look(np.random.default_rng(0).integers(0, 256, (200, 200, 3), dtype=np.uint8))
        with pytest.raises(AfterimageError, match=r"expected|needs at least 128 px"):
            look(np.zeros((64, 64, 3), np.uint8))
        with pytest.raises(AfterimageError, match="must be a uint8 array"):
            look(np.zeros((200, 200), np.uint8))


@pytest.mark.parametrize(
    ("levels", "name"),
    [
        ((200, 30, 40), "red"),
        ((240, 140, 20), "other"),
        ((184, 184, 184), "other"),
        ((250, 250, 250), "white"),
        ((20, 20, 20), "black"),
        ((120, 70, 35), "brown"),
        ((130, 55, 160), "purple"),
    ],
)
def test_colours_are_named_by_hue_saturation_and_value(levels, name):
    assert colour_name(np.array(levels)) == name


@pytest.fixture(scope="module")
def image():
    """A star in a box, two cups and glasses."""
    return shown(
        Placed("box", "red", (20, 20, 200, 200)),
        Placed("star", "yellow", (50, 116, 84, 80)),
        placed("cup", "blue", 260, 30),
        placed("cup", "blue", 260, 180),
        placed("glasses", "black", 20, 300, 120),
    )


class TestAnswering:
    @pytest.mark.parametrize(
        ("question", "said"),
        [
            ("Is there a box in the image?", "Yes"),
            ("Is there an umbrella in the image?", "No"),
            ("Is there a glasses in the image?", "Yes"),
            ("Are there any glasses in the image?", "Yes"),
            ("Does the image contain a star?", "Yes"),
            ("Have you noticed a ladder in the image?", "No"),
            ("Can you see a cup in the image?", "Yes"),
            (
                "Is there a cup in the image?\nAnswer the question using a single word or phrase.",
                "Yes",
            ),
            ("Is there a blue cup in the image?", "Yes"),
            ("Is there a red cup in the image?", "No"),
            ("Are there any pink glasses in the image?", "No"),
            ("Are there exactly two cups in the image?", "Yes"),
            ("Are there exactly three cups in the image?", "No"),
            ("图像中是否存在 cup?", "是"),
            ("图像中是否存在 two blue cups?", "是"),
            ("图像中是否存在 three blue cups?", "否"),
            ("图像中是否存在 green box?", "否"),
            ("Is the star inside the box in the image?", "Yes"),
            ("Are the glasses inside the box in the image?", "No"),
            ("Is the box above the glasses in the image?", "Yes"),
            ("Are the glasses above the box in the image?", "No"),
            ("Is the box larger than the star in the image?", "Yes"),
            ("Is the star larger than the box in the image?", "No"),
            # Which of the two cups is meant is not said; a person and red things are beyond it.
            ("Is the cup to the left of the box in the image?", CANNOT_TELL),
            ("Is there a person in the image?", CANNOT_TELL),
            ("Is there a shiny cup in the image?", CANNOT_TELL),
            ("What is this?", CANNOT_TELL),
        ],
    )
    def test_questions_in_all_wordings_are_answered_from_what_is_seen(self, image, question, said):
        assert answer(image, question) == said

    def test_of_a_photograph_it_says_that_it_cannot_tell(self):
        noise = np.random.default_rng(1).integers(0, 256, (200, 300, 3), dtype=np.uint8)
        assert answer(noise, "Is there a car in the image?") == CANNOT_TELL


SUITE = load_suite("pope")


@pytest.fixture(scope="module")
def stimuli():
    """The drawn figures' stimuli with their pixels."""
    return drawn(settings())


def measured(figure, *images):
    """Rows of ``measured.csv`` for triples of id, factors and pixels; raises as the drawing job does."""
    figure_of = (
        suite_of(settings()).figures.get(figure) or SUITE.figures(settings(source=figure))[0]
    )
    measuring = measurer({"suite": "pope", "figure": figure, "measure": figure_of.measure})
    rows = [
        row
        for name, factors, pixels in images
        for row in measuring.measure(
            {"stimulus_id": name, "figure": figure, "factors": factors}, pixels
        )
    ]
    try:
        measuring.require(rows)
    except AfterimageError as error:
        return rows, str(error)
    return rows, ""


class TestViolations:
    def rows(self, stimuli, times=1, pixels=None, **changes):
        spec, pixels_drawn = stimuli["scenes"][0]
        stimulus = ("first", spec.factors | changes, pixels_drawn if pixels is None else pixels)
        return measured("scenes", *[stimulus] * times)

    def test_a_wrong_key_stops_and_names_what_is_seen(self, stimuli):
        _, fault = self.rows(stimuli, truth="9 red ball")
        assert fault.startswith("first.png: found ")
        assert fault.endswith(", expected 9 red ball.")

    def test_an_object_in_another_place_is_named(self, stimuli):
        boxes = json.loads(stimuli["scenes"][0][0].factors["boxes"])
        boxes[0][1] += 9
        (row,), fault = self.rows(stimuli, boxes=json.dumps(boxes))
        assert row["holds"] is False
        assert f"found the {boxes[0][0]} at" in row["remark"]
        assert row["remark"] in fault

    def test_an_image_of_something_else_is_a_violation_and_not_a_crash(self, stimuli):
        (row,), fault = self.rows(stimuli, pixels=np.full((384, 384, 3), 200, np.uint8))
        assert (row["holds"], row["value"]) == (False, "")
        assert fault

    def test_all_violations_are_counted(self, stimuli):
        assert "2 more images differ" in self.rows(stimuli, times=3, truth="x")[1]


def test_a_photograph_holds_and_a_missing_one_is_named():
    images = (
        ("a", {"image": "present"}, np.zeros((10, 20, 3), np.uint8)),
        ("b", {"image": "missing"}, draw_photograph(None).pixels),
    )
    (there, gone), fault = measured("coco", *images)
    assert (there["value"], there["holds"]) == ("photograph", True)
    assert (gone["value"], gone["holds"]) == ("image_missing", True)
    assert fault == ""


def test_unknown_figures_and_photographs_cannot_be_measured_by_hand():
    with pytest.raises(AfterimageError, match=r"unknown figure 'scene'.*'scenes'"):
        SUITE.figure_named("scene")
    with pytest.raises(AfterimageError, match="holds photographs"):
        SUITE.figure_named("coco")


def test_an_image_measures_alike_by_hand(stimuli):
    spec, pixels = stimuli["nested"][0]
    by_hand = resolve(SUITE.figure_named("nested").measure)(pixels, {})
    assert by_hand.value == spec.factors["truth"]


@pytest.mark.parametrize("figure", ["scenes", "nested"])
def test_every_scene_measures_what_its_annotations_say(stimuli, figure):
    for spec, pixels in stimuli[figure]:
        (row,), fault = measured(figure, (spec.stimulus_id, spec.factors, pixels))
        assert row["value"] == row["expected"] == spec.factors["truth"]
        assert row["holds"] is True
        assert row["remark"] == fault == ""
