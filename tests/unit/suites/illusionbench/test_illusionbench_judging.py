"""What a judge is told: the question as it was shown, the right answer in words, the raw answer; and nothing else."""

import pytest
from illusionbench_rows import ROOT, drawn, items_of

from afterimage.files.yaml import read_yaml
from afterimage.grading.judge.prompts import filled
from afterimage.suites.illusionbench.judging import fields
from afterimage.suites.illusionbench.names import PROMPT_OF


@pytest.fixture(scope="module")
def items():
    images = [shown for shown in drawn()[0] if shown.stimulus_id == "ponzo_trap"]
    asked = items_of(images, reuse_step1=False)
    return {item["question"]: item for item in asked if "presence" not in item["item_id"]}


@pytest.fixture(scope="module")
def texts():
    file = ROOT / "resources" / "prompts" / "judges.yaml"
    sets = read_yaml(file)["sets"]
    return {name: entry["text"] for name, entry in sets["paper"].items()}


def told(item, text):
    return fields(item, {"text": text})


def test_statement_and_key_are_told(items):
    asked = told(items["true_false"], "It is so.")
    assert asked.prompt == "true_or_false"
    assert asked.fields["question"] == items["true_false"]["factors"]["asked"]
    assert asked.fields["gold"] in ("True", "False")
    assert asked.fields["answer"] == "It is so."


def test_options_are_told_as_they_were_shuffled_and_the_key_with_its_text(items):
    item = items["multiple_choice"]
    asked = told(item, "II")
    texts = {option["option_id"]: option["text"] for option in item["options"]}
    assert asked.prompt == "multiple_choice"
    assert asked.fields["gold"] == f"{item['key']}. {texts[item['key']]}"
    for numeral, text in texts.items():
        assert f"{numeral}. {text}" in asked.fields["question"]
    assert "Roma number" not in asked.fields["question"]


@pytest.mark.parametrize(
    ("question", "prompt"),
    [
        ("semantic", "semantic_content"),
        ("step_by_step", "semantic_content"),
        ("illusion", "visual_illusion"),
    ],
)
def test_descriptions_are_judged_against_the_whole_golden_description(items, question, prompt):
    asked = told(items[question], "Two bars.")
    assert asked.prompt == prompt
    assert asked.fields["gold"].startswith("In this picture, ")
    assert "The reason for visual illusions is" in asked.fields["gold"]


def test_first_step_is_no_result(items):
    assert told(items["step_one"], "Yes, there is.") is None


def test_refused_descriptions_are_missing_and_not_judged(items):
    assert told(items["semantic"], "I'm sorry, but I can't assist with that.") is None
    assert told(items["true_false"], "I'm sorry, but I can't assist with that.") is not None


def test_every_prompt_is_declared_and_filled(items, texts):
    used = set()
    for item in items.values():
        asked = told(item, "{question} output 1")
        if asked is not None:
            used.add(asked.prompt)
            text = filled(texts[asked.prompt], asked.fields)
            assert "{question} output 1" in text
    assert used == set(PROMPT_OF.values())
