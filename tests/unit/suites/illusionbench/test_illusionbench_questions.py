"""Items: the paper's words, shuffled options that are the same for everybody, and memory in both forms."""

from collections import Counter

import pytest
from illusionbench_rows import PROMPTS, drawn, items_of, settings, words_of

from afterimage.suites.illusionbench.names import NUMERALS
from afterimage.suites.illusionbench.questions import permutation, with_options
from afterimage.suites.illusionbench.settings import load_prompts, select

TRUE_FALSE = (
    "Given an image, check if the following description is correct, and answer \u2018True\u2019 or \u2018False\u2019. "
    "Do not explain the reason. Description: "
)
CHOICE = (
    "Given an image, a question, and some options, You have to select the correct one. Do not explain your reasoning. "
    "Answer with only the Roma number that corresponds to the correct option. Do not repeat the entire answer. Do not "
    "explain the reason. "
)
SEMANTIC = "Please provide a description of the content in this image."
ILLUSION = (
    "Is there a visual illusion in the image? If so, please explain the reason for the illusion."
)


@pytest.fixture(scope="module")
def images():
    return drawn()[0]


@pytest.fixture(scope="module")
def items(images):
    return items_of(images)


def of(items, question):
    return [item for item in items if item["question"] == question]


def test_prompts_are_the_papers_with_typographic_quotes(items):
    assert all(words_of(item).startswith(TRUE_FALSE) for item in of(items, "true_false"))
    assert all(words_of(item).startswith(CHOICE) for item in of(items, "multiple_choice"))
    assert {words_of(item) for item in of(items, "semantic")} == {SEMANTIC}
    assert {words_of(item) for item in of(items, "illusion")} == {ILLUSION}


def test_presence_in_traps_counts_as_an_illusion_and_in_plates_not(items):
    for item in of(items, "true_false"):
        if item["factors"]["about"] == "presence":
            affirms = "There is a visual" in item["factors"]["asked"]
            present = item["factors"]["category"] in ("classical", "trap")
            assert item["key"] == str(affirms == present)


def test_golden_descriptions_follow_the_papers_form(items):
    for item in of(items, "illusion"):
        with_illusion = item["factors"]["category"] in ("classical", "trap")
        sentence = "There is visual illusion" if with_illusion else "There is no visual illusion"
        assert item["key"].startswith("In this picture, ")
        assert f"{sentence} in the image." in item["key"]
        assert ("The reason for visual illusions is" in item["key"]) == with_illusion


def test_options_are_numbered_after_shuffling_and_the_key_follows(items):
    for item in of(items, "multiple_choice"):
        order = [int(index) for index in item["factors"]["permutation"].split()]
        assert sorted(order) == [0, 1, 2, 3]
        assert [option["option_id"] for option in item["options"]] == list(NUMERALS)
        lines = words_of(item).split("\n")[1:]
        assert lines == [
            f"{offered['option_id']}. {offered['text']}" for offered in item["options"]
        ]


def test_shuffled_key_names_the_same_option_in_every_order(images):
    first = images[:3]
    found = {}
    for item in items_of(first, questions=["multiple_choice"], shuffle_rounds=6):
        question = item["item_id"].split("/shuffle_")[0]
        texts = {option["option_id"]: option["text"] for option in item["options"]}
        found.setdefault(question, set()).add(texts[item["key"]])
    assert all(len(texts) == 1 for texts in found.values())


def test_order_of_options_depends_on_the_question_and_the_seed_alone(images, items):
    alone = items_of(images[5:6])
    whole = {item["item_id"]: item for item in items}
    for item in alone:
        assert item["messages"] == whole[item["item_id"]]["messages"]
    assert permutation(1, ("a", "1", "0"), 4) == permutation(1, ("a", "1", "0"), 4)
    orders = {tuple(permutation(seed, ("a", "1", "0"), 4)) for seed in range(40)}
    assert len(orders) > 10


def test_further_rounds_ask_the_same_question_in_other_orders(images):
    some = items_of(images[:1], questions=["multiple_choice"], shuffle_rounds=3)
    assert len(some) == 9
    assert Counter(item["factors"]["shuffle_round"] for item in some) == {"0": 3, "1": 3, "2": 3}
    once = items_of(images[:1], questions=["multiple_choice"])
    assert [item["item_id"] for item in once] == [
        item["item_id"] for item in some if item["factors"]["shuffle_round"] == "0"
    ]


@pytest.mark.parametrize(
    ("style", "line"),
    [
        ("upper_period", "II. b"),
        ("upper_parenthesis", "II) b"),
        ("lower_period", "ii. b"),
        ("lower_parenthesis", "ii) b"),
    ],
)
def test_style_of_numerals_is_a_setting(style, line):
    words = select(load_prompts(PROMPTS), settings(numeral_style=style), [])
    text = with_options("Which?", ["a", "b", "c", "d"], words["layout"], words["numerals"])
    assert text.split("\n")[0] == "Which?"
    assert text.split("\n")[2] == line


def test_braces_in_an_annotation_are_literal():
    assert with_options(
        "Which {x}?", ["{a}", "b", "c", "d"], "{question}\n{options}", "{upper}. {option}"
    ) == ("Which {x}?\nI. {a}\nII. b\nIII. c\nIV. d")


def test_memory_is_one_message_by_default(items):
    step = next(item for item in of(items, "step_by_step"))
    (message,) = step["messages"]
    kinds = [part["type"] for part in message["parts"]]
    assert kinds == ["image", "text", "answer", "text"]
    _, first, answer, second = message["parts"]
    assert (first["text"], second["text"]) == (f"{ILLUSION}\n", f"\n{SEMANTIC}")
    assert answer["text"] == f"{step['stimulus_id']}/illusion/illusion"
    assert answer["text"] in {item["item_id"] for item in items}


def test_memory_can_be_real_turns(images):
    steps = of(items_of(images[:1], memory_mode="chat"), "step_by_step")
    (step,) = steps
    assert [message["role"] for message in step["messages"]] == ["user", "assistant", "user"]
    first, memory, second = step["messages"]
    assert [part["type"] for part in first["parts"]] == ["image", "text"]
    assert [part["type"] for part in memory["parts"]] == ["answer"]
    assert second["parts"][-1]["text"] == SEMANTIC


def test_first_step_can_be_asked_anew(images):
    items = items_of(images[:1], reuse_step1=False)
    (step_one,) = of(items, "step_one")
    (step,) = of(items, "step_by_step")
    answers = [part["text"] for part in step["messages"][0]["parts"] if part["type"] == "answer"]
    assert answers == [step_one["item_id"]]
    (illusion,) = of(items, "illusion")
    # Requests of the same content share one answer, so this one must be another request.
    assert step_one["messages"] != illusion["messages"]
    assert words_of(step_one).strip() == words_of(illusion)


def test_first_step_is_asked_where_the_illusion_is_not_described(images):
    items = items_of(images[:1], questions=["step_by_step"])
    assert [item["question"] for item in items] == ["step_one", "step_by_step"]


class TestPromptFile:
    def test_wording_of_one_figure_changes_no_other_figures_words(self, tmp_path):
        text = PROMPTS.read_text(encoding="utf-8")
        path = tmp_path / "prompts.yaml"
        path.write_text(text.replace('"Their hue."', '"Their hues."'), encoding="utf-8")
        before, after = (load_prompts(file) for file in (PROMPTS, path))
        changed = settings()
        assert select(before, changed, ["geometric"]) == select(after, changed, ["geometric"])
        assert select(before, changed, ["colour_plates"]) != select(
            after, changed, ["colour_plates"]
        )


def test_every_image_has_at_least_two_statements_three_choices_and_one_description(items):
    counts = Counter((item["stimulus_id"], item["question"]) for item in items)
    images = {item["stimulus_id"] for item in items}
    for image in images:
        assert counts[image, "true_false"] >= 2
        assert counts[image, "multiple_choice"] == 3
        assert counts[image, "semantic"] == counts[image, "illusion"] == 1


def test_more_statements_are_false_than_true_as_in_the_paper(items):
    keys = Counter(item["key"] for item in of(items, "true_false"))
    assert 0.55 <= keys["False"] / keys.total() <= 0.6


def test_presence_is_affirmed_as_often_as_denied(items):
    presence = [item for item in of(items, "true_false") if item["factors"]["about"] == "presence"]
    assert Counter(item["key"] for item in presence) == {"True": 12, "False": 12}


def test_guesses_are_made_among_four_descriptions_of_which_one_is_right(items):
    for item in of(items, "semantic"):
        texts = [option["text"] for option in item["options"]]
        assert len(set(texts)) == 4
        assert texts.count(item["key"]) == 1
