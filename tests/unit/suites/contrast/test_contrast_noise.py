"""Band-pass noise in the place of gratings: as strong, within its octave, and asked for by its own name."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Pillow
from seen_images import asked_about, images_of, text_of
from threshold_answers import SETTINGS as GRATINGS

from afterimage.contract.stimulus import Shown
from afterimage.errors import AfterimageError
from afterimage.suites.contrast.design import BLANK, DESIGN
from afterimage.suites.contrast.drawing import draw
from afterimage.suites.contrast.questions import questions
from afterimage.suites.contrast.seeing import at, measure, noise
from afterimage.suites.contrast.suite import SUITE, Settings, question_inputs, words

SETTINGS = Settings(pattern="noise", prompts=["where", "three", "seen"])
DRAWN = {**SUITE.drawing(BLANK, SETTINGS)}


@pytest.fixture(scope="module")
def images():
    return images_of("contrast_noise")


def test_there_are_as_many_images_as_of_gratings_under_other_names():
    noises, gratings = (set(DESIGN.ids("f032", own)) for own in (DRAWN, GRATINGS))
    assert len(noises) == len(gratings) == 64
    assert not noises & gratings


def test_every_image_has_the_contrast_that_was_drawn_and_no_level_is_cut(images):
    for image in images:
        shown = float(image.factors["contrast"])
        found = measure(image.pixels, image.factors).columns["measured"]
        assert found == pytest.approx(shown, rel=0.02, abs=0.1)
        assert image.pixels.min() > 0
        assert image.pixels.max() < 255


def test_its_root_mean_square_is_that_of_a_grating(images):
    *_, pixels = next(one for one in images if one.spec.stimulus_id == "f032_k8_left_n3")
    grating = next(
        one for one in DESIGN.specs("f032", GRATINGS) if one.stimulus_id == "f032_k8_left_v0"
    )
    drawn = draw(**grating.parameters).pixels
    assert noise(drawn, "left") == pytest.approx(64, rel=0.01)
    assert noise(drawn, "left") == pytest.approx(at(drawn, "left", "vertical", 32), rel=0.01)
    assert noise(pixels, "left") == pytest.approx(noise(drawn, "left"), rel=0.01)
    # Inside the field, away from its soft edge.
    spread = [own[250:420, 90:250, 0].astype(float).std() for own in (pixels, drawn)]
    assert spread[0] == pytest.approx(spread[1], rel=0.05)


def test_what_a_small_processor_leaves_is_measured(images):
    left = {}
    for figure, spec, _, pixels in images:
        if spec.factors["level"] == "8":
            small = Pillow.fromarray(pixels).resize((224, 224), Pillow.Resampling.BICUBIC)
            left[figure] = measure(np.asarray(small), spec.factors).columns["measured"] / 64
    assert left["f008"] == pytest.approx(1, abs=0.03)
    assert left["f128"] < 0.6 < left["f032"]


def test_it_is_asked_for_by_its_name(images):
    for question, _ in asked_about("contrast_noise", images):
        assert "a pattern of spots" in text_of(question)


def test_texts_that_name_no_pattern_need_no_names_for_it(root, tmp_path):
    whole = (root / SETTINGS.prompt_file).read_text(encoding="utf-8")
    file = tmp_path / "prompts.yaml"
    prompts = whole[whole.index("\nprompts:") :]
    file.write_text(prompts.replace("{pattern}", "pattern of spots"), encoding="utf-8")
    settings = replace(SETTINGS, prompt_file=str(file))
    asked = question_inputs(words(settings), settings, [BLANK], {}).words
    (question,) = questions(
        [Shown("blank_00", factors={}, figure=BLANK)], asked, {"prompts": ["three"]}, []
    )
    assert "is there a pattern of spots?" in question.turns[0].parts[1]
    file.write_text(prompts, encoding="utf-8")
    with pytest.raises(AfterimageError, match="key 'patterns' is missing"):
        words(settings)
