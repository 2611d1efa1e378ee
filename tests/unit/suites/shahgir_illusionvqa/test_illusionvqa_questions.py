"""What is asked: examples of a question's own subset, numbered on in the order of their labels, with their answers."""

import pytest
import yaml

from afterimage.contract.stimulus import Shown
from afterimage.suites.shahgir_illusionvqa.dataset import EXAMPLES, FEW_SHOT, SUBSETS, Question
from afterimage.suites.shahgir_illusionvqa.questions import questions


def image(figure, number):
    """Return an image with one question, of which the second option is right."""
    asked = Question(number, f"{number}.jpg", f"{figure} {number}?", ("No.", "Yes."), 1, "c", None)
    return Shown(f"{figure}_{number:04d}", questions=(asked,), figure=figure)


@pytest.fixture
def asked(root):
    """What is shown and said about an image of each subset, with a prompt."""
    words = yaml.safe_load((root / "resources/prompts/shahgir_illusionvqa.yaml").read_text())
    shown = [image(subset, 7) for subset in SUBSETS]
    examples = [image(f"{subset}{EXAMPLES}", number) for subset in SUBSETS for number in (1, 0)]

    def of(prompt):
        found = questions(shown, words, {"prompts": [prompt]}, [*shown, *examples])
        return {one.factors["subset"]: one.turns[0].parts[1:] for one in found}

    return of


def names(parts):
    return [part.stimulus_id for part in parts if isinstance(part, Shown)]


@pytest.mark.parametrize("prompt", FEW_SHOT)
def test_examples_are_those_of_the_questions_own_subset_in_the_order_of_their_labels(asked, prompt):
    assert {subset: names(parts) for subset, parts in asked(prompt).items()} == {
        subset: [f"{subset}{EXAMPLES}_0000", f"{subset}{EXAMPLES}_0001", f"{subset}_0007"]
        for subset in SUBSETS
    }


def test_examples_are_numbered_on_and_answered_and_the_question_comes_last(asked):
    said = [part for part in asked("four_shot")["comprehension"] if isinstance(part, str)]
    assert said == [
        *("Image 1: comprehension_examples 0?\na. No.\nb. Yes.", "Answer 1: b"),
        *("Image 2: comprehension_examples 1?\na. No.\nb. Yes.", "Answer 2: b"),
        "Now you try it!",
        *("Image 3: comprehension 7?\na. No.\nb. Yes.", "Answer 3: "),
    ]


def test_without_examples_the_image_stands_alone(asked):
    question = "Image 1: soft_localization 7?\na. No.\nb. Yes."
    before, shown, after = asked("zero_shot")["soft_localization"]
    assert (before, shown.stimulus_id, after) == (question, "soft_localization_0007", "Answer 1: ")
