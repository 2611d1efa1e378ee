"""What is drawn, what is measured on it, what is asked about it, and who answers without a model."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Pillow
from seen_images import asked_about, images_of

from afterimage.drawing.shapes import packed
from afterimage.grading.readers import choice
from afterimage.suites.hidden_digits.design import (
    AXES,
    DESIGN,
    DIGITS,
    PLATES,
    first_position,
    squares,
)
from afterimage.suites.hidden_digits.seeing import measure, separation
from afterimage.suites.hidden_digits.suite import SUITE, Settings, figures

SETTINGS = Settings()
DRAWN = SUITE.drawing("light", SETTINGS)


@pytest.fixture(scope="module")
def images():
    return images_of("hidden_digits")


class TestDesign:
    def test_there_are_448_images_half_of_them_blurred_of_which_64_without_a_difference(self):
        specs = [spec for axis in AXES for spec in DESIGN.specs(axis, DRAWN)]
        assert len(specs) == 448
        assert sum(spec.factors["blur"] == "blurred" for spec in specs) == 224
        assert sum(spec.factors["difference"] == "0" for spec in specs) == 64
        assert {spec.factors["difference"] for spec in specs} == {*"02", "4", "8", "16", "32", "64"}

    def test_what_is_left_out_moves_nothing(self):
        assert [first_position(axis) for axis in AXES] == [0, 224]
        both, sharp = (DESIGN.ids("light", {"blur": blur, "seed": 1}) for blur in (True, False))
        assert both[: len(sharp)] == sharp
        assert [own.position for own in figures(replace(SETTINGS, axes=["light"]))] == [224]

    def test_orders_and_ways_are_balanced_and_digits_of_a_plate_differ_in_three_squares_or_more(
        self,
    ):
        assert len(PLATES) == 8
        assert sum(plate[0] < plate[1] for plate in PLATES) == 4
        assert sum(plate.endswith("p") for plate in PLATES) == 4
        for first, second, _ in PLATES:
            differ = np.array(squares(first)) != np.array(squares(second))
            assert 3 <= differ.sum() <= 5


def test_dots_keep_clear_of_each_other_and_lie_alike_on_all_images_of_a_plate():
    source = np.random.default_rng(7)
    centres, radii = packed(lambda radius: source.uniform(0, 200, (300, 2)), (9, 5), 2)
    apart = np.hypot(*(centres[:, None] - centres).T) - radii[:, None] - radii
    assert len(radii) > 60
    assert {*radii} == {5, 9}
    assert apart[~np.eye(len(radii), dtype=bool)].min() >= 2
    specs = list(DESIGN.specs("light", DRAWN))
    assert len({str(spec.parameters["places"]) for spec in specs}) == len(PLATES)


class TestMeasured:
    def test_as_much_difference_is_measured_as_was_drawn_and_a_digit_only_where_there_is_one(
        self, images
    ):
        for image in images:
            found = measure(image.pixels, image.factors)
            assert found.stops
            shown = float(image.factors["difference"])
            assert found.value == found.columns["digit"]
            assert found.value == (image.factors["digit"] if shown else "")
            if image.factors["blur"] == "sharp":
                assert found.columns["measured"] == pytest.approx(shown, rel=0.04, abs=0.15)

    def test_neither_light_nor_covered_paper_tells_the_digit_where_there_is_no_difference(
        self, images
    ):
        for _, spec, _, pixels in images:
            if spec.factors["difference"] == "0":
                assert max(separation(pixels, digit) for digit in DIGITS) < 4

    def test_lightness_of_dots_hides_a_small_difference_of_light(self, images):
        """Within one kind dots differ by up to 12 L*, six times the least difference."""
        axis, spec, _, pixels = images[1]
        assert (axis, spec.factors["difference"]) == ("red_green", "2")
        light = pixels[(pixels.min(axis=2) < 200)].mean(axis=1)
        assert np.quantile(light, 0.95) - np.quantile(light, 0.05) > 20

    def test_small_images_are_measured_too(self, images):
        for _, spec, _, pixels in images:
            small = Pillow.fromarray(pixels).resize((224, 224), Pillow.Resampling.BICUBIC)
            if float(spec.factors["difference"]) >= 8:
                assert measure(np.asarray(small), spec.factors).value == spec.factors["digit"]


@pytest.fixture(scope="module")
def asked(images):
    return asked_about("hidden_digits", images)


@pytest.mark.parametrize(
    "said", ["{}", "The digit is {}.", "**{}**", "I see a large {} among the dots."]
)
def test_usual_answers_are_read(asked, said):
    question, _ = asked[0]
    for option in question.options:
        assert choice.parse(said.format(option.text), question.options).answer == option.option_id
    assert choice.parse("8", question.options).answer is None
