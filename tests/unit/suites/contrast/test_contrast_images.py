"""What is drawn, what is measured on it, what is asked about it, and who answers without a model."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Pillow
from threshold_answers import SETTINGS as DRAWN

from afterimage.contract.stimulus import Shown
from afterimage.errors import AfterimageError
from afterimage.files.png import encode_png
from afterimage.grading.readers import choice, yes_no
from afterimage.models.pixels import _drawn
from afterimage.suites.contrast.design import (
    BLANK,
    BLANKS,
    DESIGN,
    FREQUENCIES,
    blanks,
    figure_of,
    first_position,
)
from afterimage.suites.contrast.drawing import draw
from afterimage.suites.contrast.questions import answer as textbook
from afterimage.suites.contrast.questions import questions
from afterimage.suites.contrast.seeing import answer, measure
from afterimage.suites.contrast.suite import SUITE, Settings, asking, figures, words

SETTINGS = Settings(prompts=["where", "three", "seen"])
#: Levels and replicates that are drawn here: each side, each orientation, the weakest and the strongest.
SOME = ("k1_left_h0", "k1_right_v90", "k2_left_v0", "k5_right_h90", "k8_left_v90")


@pytest.fixture(scope="module")
def images():
    """Some images of each frequency and two blanks: figure, specification and pixels."""
    wanted = [
        (name, spec)
        for name in map(figure_of, FREQUENCIES)
        for spec in DESIGN.specs(name, DRAWN)
        if spec.stimulus_id.removeprefix(f"{name}_") in SOME
    ]
    wanted += [(BLANK, spec) for spec in list(BLANKS.specs(BLANK, DRAWN))[:2]]
    return [(name, spec, draw(**spec.parameters).pixels) for name, spec in wanted]


class TestDesign:
    def test_there_are_324_images_and_60_blanks_more_where_false_alarms_are_counted(self):
        few, many = Settings(), SETTINGS
        count = {
            name: sum(
                len((BLANKS if own.name == BLANK else DESIGN).ids(own.name, settings))
                for own in figures(settings)
            )
            for name, settings in (("few", few), ("many", many))
        }
        assert count == {"few": 324, "many": 384}
        assert blanks(replace(few, blanks=9)) == 9

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
        assert [own.place for own in figures(alone)] == [0, 320]

    def test_what_is_asked_redraws_blanks_alone(self):
        for figure in (BLANK, "f008"):
            few, many = (SUITE.drawing(figure, own) for own in (Settings(), SETTINGS))
            assert (few == many) == (figure != BLANK)

    def test_the_contact_sheet_shows_every_frequency(self):
        (sheet,) = SUITE.sheets
        shown = sheet.shown(SETTINGS)
        assert len(shown) == 5 * sheet.columns
        assert all(name in DESIGN.ids(figure, DRAWN) for figure, name in shown)


class TestDrawn:
    def test_mean_and_noise_are_the_same_with_and_without_a_pattern(self, images):
        for _, spec, pixels in images:
            if spec.factors["level"] in ("0", "1"):
                levels = pixels[..., 0].astype(float)
                assert levels.mean() == pytest.approx(128, abs=0.02), spec.stimulus_id
                # Half a level of noise, and what the weakest pattern adds to it.
                for half in (levels[:, :336], levels[:, 336:]):
                    assert 0.49 < half.std() < 0.56, spec.stimulus_id

    def test_what_lies_outside_the_fields_is_dither_alone(self, images):
        for _, _, pixels in images:
            assert pixels[:192].min() >= 126 and pixels[:192].max() <= 130
            assert pixels[:, 312:360].min() >= 126 and pixels[:, 312:360].max() <= 130
            assert (pixels == pixels[..., :1]).all()

    def test_a_blank_is_no_empty_image(self, images):
        assert _drawn(encode_png(images[-1][2])) is not None

    def test_two_images_share_no_dither(self, images):
        first, second = (pixels for name, _, pixels in images if name == BLANK)
        assert (first != second).any()


class TestMeasured:
    def test_every_image_shows_what_was_drawn(self, images):
        for _, spec, pixels in images:
            found = measure(pixels, spec.factors)
            assert found.holds, f"{spec.stimulus_id}: {found.remark}"
            assert found.columns["measured"] == pytest.approx(
                float(spec.factors["contrast"]), abs=0.1 + 0.02 * found.columns["shown"]
            )

    def test_the_wrong_side_contrast_or_orientation_is_found_out(self, images):
        _, spec, pixels = next(one for one in images if one[1].factors["level"] == "5")
        for wrong in ({"side": "left"}, {"contrast": "16"}, {"orientation": "vertical"}):
            found = measure(pixels, {**spec.factors, **wrong})
            assert not found.holds
            assert found.stops
            assert found.remark.startswith("found")
        assert not measure(pixels, {**spec.factors, "contrast": "0"}).holds

    def test_what_a_small_processor_leaves_is_measured(self, images):
        """At 224 px 128 cycles are finer than two pixels a cycle: what a bicubic filter leaves is folded to 96."""
        left = {}
        for _, spec, pixels in images:
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
def asked(images, root):
    """Every question about the drawn images, with their pixels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        chosen = asking(words(SETTINGS), SETTINGS, (), {})
    return [
        (question, pixels)
        for name, spec, pixels in images
        for question in questions(
            [Shown(spec.stimulus_id, factors=spec.factors, figure=name)],
            chosen.words,
            chosen.settings,
            [],
        )
    ]


def test_blanks_are_not_asked_for_a_side(asked):
    of_blanks = [question for question, _ in asked if question.shown.figure == BLANK]
    assert {(one.prompt, one.key) for one in of_blanks} == {("three", "none"), ("seen", "No")}
    assert len(asked) == 25 * 3 + 2 * 2


def test_pixels_is_right_about_every_question(asked):
    graders = {"yes_no": yes_no.parse, "choice": choice.parse}
    for question, pixels in asked:
        said = answer(pixels, question.turns[0].parts[1])
        read = graders[question.answer_type](said, question.options)
        assert read.answer == question.key, (question.shown.stimulus_id, question.prompt)


def test_forced_without_a_pattern_it_guesses_the_same_each_time(asked, images):
    text = next(question for question, _ in asked if question.prompt == "where").turns[0].parts[1]
    blank = images[-1][2]
    assert len({answer(blank, text) for _ in range(2)}) == 1


def test_the_textbook_never_looks(asked):
    said = {
        question.prompt: textbook({"options": question.options, "item_id": "it"}, "gated")
        for question, _ in asked
    }
    assert said == {"where": "In the left half.", "three": "In the left half.", "seen": "Yes"}


def test_what_it_cannot_answer_the_observer_says_in_a_sentence(images):
    pixels = next(pixels for _, spec, pixels in images if spec.factors["side"] == "right")
    with pytest.raises(AfterimageError, match="asks for nothing that can be measured"):
        answer(pixels, "Is there a circle?")
    text = "Question: Where is the pattern of stripes?\nOptions:\nin the left half\nnowhere"
    with pytest.raises(AfterimageError, match="no option names the right half"):
        answer(pixels, text)
