"""The observer reads the question: what to measure, and which of the options says what it measured."""

from itertools import permutations, product
from pathlib import Path

import pytest
from illusion_samples import draw_illusion, drawn

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.invariants import INVARIANTS
from afterimage.suites.illusion_vqa.prompt_file import key_role, load_prompts, render
from afterimage.suites.illusions.names import ILLUSIONS, QUESTIONS, VARIANTS
from afterimage.suites.illusions.observer import (
    Measurement,
    answer,
    choose,
    feature_of_question,
    measure,
    option_meanings,
)

PROMPT_FILE = load_prompts(
    Path(__file__).parents[4] / "resources" / "prompts" / "illusion_vqa.yaml"
)
DIRECTIONAL = [("cafe_wall", "A"), ("cafe_wall", "B"), ("zoellner", "A")]
DIRECTIONAL += [("orbison", "A"), ("orbison", "B")]


def request(figure, variant, question, wording="default", order=None):
    stem, options = render(PROMPT_FILE, figure, variant, question, wording)
    texts = [text for _, text in options]
    texts = [texts[index] for index in order] if order else texts
    return PROMPT_FILE["layout"].format(
        preamble=PROMPT_FILE["preambles"][question], stem=stem, options="\n".join(texts)
    )


def text_of(figure, variant, question, option_id, wording="default"):
    return dict(render(PROMPT_FILE, figure, variant, question, wording)[1])[option_id]


def key(figure, variant, condition, wording="default"):
    form = PROMPT_FILE["figures"][figure]["wordings"][wording]
    if key_role(condition, "actual") == "neutral":
        return form["neutral"]
    return form["illusory"][variant]


@pytest.mark.parametrize("figure", ILLUSIONS)
def test_the_apparent_question_gets_the_measured_value_too(figure):
    for condition in ("genuine", "fake"):
        found = answer(drawn(figure, "B", condition), request(figure, "B", "apparent"))
        assert found == text_of(figure, "B", "apparent", key(figure, "B", condition))


@pytest.mark.parametrize("figure", ILLUSIONS)
def test_the_order_of_the_options_does_not_matter(figure):
    stem, options = render(PROMPT_FILE, figure, "A", "actual")
    feature, hues = feature_of_question(stem)
    measured = measure(drawn(figure, "A", "fake"), feature, hues)
    for order in permutations(range(len(options))):
        _, listed = headed_options(request(figure, "A", "actual", order=order))
        assert listed == [options[index][1] for index in order]
        expected = text_of(figure, "A", "actual", key(figure, "A", "fake"))
        assert choose(feature, measured, listed) == expected


@pytest.mark.parametrize(("figure", "variant"), DIRECTIONAL)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_directional_options_are_answered_with_the_direction(figure, variant, condition):
    found = answer(
        drawn(figure, variant, condition), request(figure, variant, "actual", "directional")
    )
    expected = key(figure, variant, condition, "directional")
    assert found == text_of(figure, variant, "actual", expected, "directional")


@pytest.mark.parametrize("condition", ["fake", "control_fake"])
def test_a_forced_choice_is_made_by_the_side_of_the_difference(condition):
    text = "Question: Which red circle is bigger?\nOptions:\n{}\n{}"
    options = ["The right red circle is bigger.", "The left red circle is bigger."]
    found = answer(drawn("ebbinghaus", "A", condition), text.format(*options))
    assert found == options[1]


@pytest.mark.parametrize("figure", ILLUSIONS)
def test_every_wording_of_a_question_names_its_feature_and_hues(figure):
    feature, values = INVARIANTS[figure].feature, PROMPT_FILE["figures"][figure]["values"]
    for variant, question in product(VARIANTS, QUESTIONS):
        expected = tuple(values[variant].values()) or ("red", "blue")
        for wording in PROMPT_FILE["figures"][figure]["wordings"]:
            if variant not in PROMPT_FILE["figures"][figure]["wordings"][wording]["illusory"]:
                continue
            stem, options = render(PROMPT_FILE, figure, variant, question, wording)
            assert feature_of_question(stem) == (feature, expected)
            found = option_meanings(feature, [text for _, text in options])
            assert found == dict(map(tuple, options))


def test_hues_come_in_the_order_of_the_question():
    question = "Which line is longer, the blue line or the red line?"
    assert feature_of_question(question) == ("coloured_line_length", ("blue", "red"))


def test_the_last_question_of_a_request_with_examples_is_the_one_asked():
    example = request("ebbinghaus", "A", "actual")
    last_question = request("fick", "A", "actual")
    text = f"{example}\n\nThe left red circle is bigger.\n\n{last_question}"
    question, options = headed_options(text)
    assert question == "Which line is longer, the red line or the blue line?"
    assert len(options) == 3
    assert feature_of_question(text)[0] == "coloured_line_length"


def test_instructions_below_the_options_are_not_options():
    text = request("fick", "A", "actual") + "\n\nBefore you choose, work through five steps."
    assert len(headed_options(text)[1]) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Which red circle is bigger?", "no line that starts with 'Question:'"),
        ("Question: Which red circle is bigger?", "has no options below it"),
        ("Question: Which red circle is bigger?\nOptions:\n", "has no options below it"),
        (
            "Question: Which red dog is bigger?\nOptions:\nThe left one.",
            "names no feature that can be measured",
        ),
        (
            "Question: Which mauve circle is bigger?\nOptions:\nThe left one.",
            "names no feature that can be measured",
        ),
        (
            "Question: Which red circle is bigger?\nOptions:\nThe left one.\nWho knows.",
            "the option 'Who knows.' says nothing about circle_size",
        ),
        (
            "Question: Which red circle is bigger?\nOptions:\nLeft, not right.\nSame.",
            "says left and right about",
        ),
        (
            "Question: Which red circle is bigger?\nOptions:\nThe left.\nLeft.",
            "both say left",
        ),
    ],
)
def test_a_request_that_cannot_be_answered_says_why(text, message):
    with pytest.raises(AfterimageError, match=message):
        answer(drawn("ebbinghaus", "A", "fake"), text)


def test_a_measured_direction_that_no_option_states_is_an_error():
    measured = Measurement(18.0, "px", "inward", "inward")
    options = ["Both red lines are straight.", "Both red lines are bowed outward."]
    with pytest.raises(AfterimageError, match="measured inward line_straightness"):
        choose("line_straightness", measured, options)


def test_a_difference_below_half_the_fake_is_reported_as_neutral():
    text = request("delboeuf", "A", "actual")
    below, above = (
        draw_illusion(
            "delboeuf", {"strength": 1.0, "difference": difference, "variant": "A"}
        ).pixels
        for difference in (0.45, 0.55)
    )
    assert answer(below, text) == "Both red circles are the same size."
    assert answer(above, text) == "The left red circle is bigger."
