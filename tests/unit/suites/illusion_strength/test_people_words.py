"""What people are asked in sessions about illusions, in both languages."""

import pytest

from afterimage.contract.task import Shown
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts, form_texts
from afterimage.suites.illusion_strength import forms
from afterimage.suites.illusion_strength.questions import apparent_words, load_prompts
from afterimage.suites.illusions.names import GRID_FIGURES, VARIANTS
from afterimage.suites.thresholds import people

PROMPTS = "resources/prompts/illusion_strength.yaml"


@pytest.fixture
def listed(root, monkeypatch):
    """List tasks about made-up stimuli, whose pictures are left out."""
    texts = Texts(
        form_texts(root / "resources/forms", ["en", "ja"], "illusion_strength", "threshold")
    )
    words = apparent_words(load_prompts(root / PROMPTS), GRID_FIGURES)
    monkeypatch.setattr(people, "task", lambda record, png, *told: (record, *told))

    def listed(stimuli):
        monkeypatch.setattr(
            forms,
            "shown_stimuli",
            lambda inputs: ((record, b"") for record in stimuli),
        )
        return list(forms.tasks(Inputs(), {"figures": words, "strength": "1"}, texts))

    return listed


def stimulus(figure="fick", variant="A", strength="1", realised="0.251", guide="no"):
    factors = {"variant": variant, "strength": strength, "realised": realised, "guide": guide}
    return {"figure": figure, "factors": factors}


@pytest.mark.parametrize("figure", GRID_FIGURES)
def test_every_question_and_answer_has_its_japanese(listed, figure):
    for variant, (_, put, question, options) in zip(
        VARIANTS, listed([stimulus(figure, variant) for variant in VARIANTS]), strict=True
    ):
        assert put.first in options and put.key == put.first and len(options) == 2, variant
        for text in (question, *options.values()):
            assert set(text) == {"en", "ja"}
            assert "{" not in text["en"] + text["ja"] and not text["ja"].isascii()


def test_images_with_the_strongest_inducer_and_without_one_are_put(listed):
    stimuli = [stimulus(strength=strength) for strength in ("-1", "0", "0.5", "1")]
    put = [slot for _, slot, *_ in listed([*stimuli, stimulus(guide="yes")])]
    assert [slot.track for slot in put] == ["0", "1"]
    assert {(slot.condition, slot.cell) for slot in put} == {("fick", "0.251")}
    less = [slot for _, slot, *_ in listed([stimulus(realised=d) for d in ("-0.5", "0", "-0.0")])]
    assert [(slot.cell, slot.key) for slot in less] == [("-0.5", "blue"), ("0", ""), ("0", "")]


def test_only_figures_without_an_inducer_are_practised_with():
    about = {"cell": "0.75", "key": "red", "first": "red"}
    abouts = [
        {**about, "track": "0"},
        {**about, "track": "1"},
        {**about, "track": "0", "cell": "0.5"},
    ]
    shown = [Shown(str(number), one) for number, one in enumerate(abouts)]
    found = forms.session(shown, {})
    assert len(found.tracks) == 2
    assert [found.slots[one.id].practice for one in shown] == [True, False, False]
