"""What is drawn, what is measured on it, what is asked about it, and who answers without a model."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Pillow
from seen_images import asked_about, images_of

from afterimage.files.png import encode_png
from afterimage.models.pixels import _drawn
from afterimage.suites.contrast.design import (
    BLANK,
    blanks,
    first_position,
)
from afterimage.suites.contrast.seeing import answer, measure
from afterimage.suites.contrast.suite import Settings, figures

SETTINGS = Settings(prompts=["where", "three", "seen"])


@pytest.fixture(scope="module")
def images():
    return images_of("contrast")


class TestDesign:
    def test_blanks_are_many_where_false_alarms_are_counted_or_as_many_as_said(self):
        assert (blanks(Settings()), blanks(SETTINGS)) == (4, 64)
        assert blanks(replace(Settings(), blanks=9)) == 9

    def test_more_blanks_move_nothing(self):
        assert [first_position(own.name) for own in figures(SETTINGS)] == [
            0,
            64,
            128,
            192,
            256,
            320,
        ]
        alone = replace(SETTINGS, frequencies=[128])
        assert [own.position for own in figures(alone)] == [0, 320]


class TestDrawn:
    def test_mean_and_noise_are_the_same_with_and_without_a_pattern(self, images):
        for _, spec, _, pixels in images:
            if spec.factors["level"] in ("0", "1"):
                levels = pixels[..., 0].astype(float)
                assert levels.mean() == pytest.approx(128, abs=0.02), spec.stimulus_id
                # Half a level of noise, and what the weakest pattern adds to it.
                for half in (levels[:, :336], levels[:, 336:]):
                    assert 0.49 < half.std() < 0.56, spec.stimulus_id

    def test_what_lies_outside_the_fields_is_dither_alone(self, images):
        for *_, pixels in images:
            assert pixels[:192].min() >= 126 and pixels[:192].max() <= 130
            assert pixels[:, 312:360].min() >= 126 and pixels[:, 312:360].max() <= 130
            assert (pixels == pixels[..., :1]).all()

    def test_a_blank_is_no_empty_image(self, images):
        assert _drawn(encode_png(images[0].pixels)) is not None

    def test_two_images_share_no_dither(self, images):
        first, second = (image.pixels for image in images if image.figure == BLANK)
        assert (first != second).any()


class TestMeasured:
    def test_as_much_contrast_is_measured_as_was_drawn(self, images):
        for image in images:
            found = measure(image.pixels, image.factors)
            assert found.columns["measured"] == pytest.approx(
                float(image.factors["contrast"]), abs=0.1 + 0.02 * found.columns["shown"]
            )

    def test_what_a_small_processor_leaves_is_measured(self, images):
        """At 224 px 128 cycles are finer than two pixels a cycle: what a bicubic filter leaves is folded to 96."""
        left = {}
        for _, spec, _, pixels in images:
            if spec.factors["level"] == "8":
                for side in (224, 112):
                    small = Pillow.fromarray(pixels).resize((side, side), Pillow.Resampling.BICUBIC)
                    found = measure(np.asarray(small), spec.factors).columns["measured"]
                    left.setdefault(side, []).append(found / 64)
        for shares in left.values():
            assert shares[0] == pytest.approx(1, abs=0.03)
            assert shares[-1] < shares[-2] < shares[-3]
        assert 0.2 < left[224][-1] < 0.5
        assert left[112][-1] < 0.1


@pytest.fixture(scope="module")
def asked(images):
    return asked_about("contrast", images)


def test_blanks_are_not_asked_for_a_side(asked):
    of_blanks = [question for question, _ in asked if question.shown.figure == BLANK]
    assert {(blank.prompt, blank.key) for blank in of_blanks} == {("three", "none"), ("seen", "No")}
    assert len(asked) == 25 * 3 + 2 * 2


def test_forced_without_a_pattern_it_guesses_the_same_each_time(asked, images):
    text = next(question for question, _ in asked if question.prompt == "where").turns[0].parts[1]
    blank = images[0].pixels
    assert len({answer(blank, text) for _ in range(2)}) == 1
