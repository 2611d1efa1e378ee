"""The blog's functions under its names: mended, and run as docs/pope.md shows them."""

import json
import re

import pytest
from pope_material import ROOT

from afterimage.suites.pope import blog


class Says:
    """A model that gives one reply to everything."""

    def __init__(self, reply):
        self.reply = reply

    def answer_question(self, image, question):
        return self.reply


@pytest.fixture
def coco(tmp_path):
    path = tmp_path / "instances.json"
    made = {
        "images": [{"id": 7, "file_name": "7.jpg"}],
        "categories": [{"id": 1, "name": "dog"}, {"id": 2, "name": "cat"}],
        "annotations": [{"image_id": 7, "category_id": 1}],
    }
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def test_the_blogs_own_description_gives_its_car_and_no_word_besides():
    description = "A red car parked on the street."
    assert blog.extract_objects_from_description(description) == ["car"]
    assert blog.extract_objects_with_attributes(description) == {"car": ["red"]}
    found = blog.generate_pope_c_question(description)
    assert found == {"question": "图像中是否存在 汽车?", "answer": "yes"}


@pytest.mark.parametrize("seed", range(10))
def test_a_exchanges_the_attribute(seed):
    found = blog.generate_pope_a_question("A red car parked on the street.", seed=seed)
    assert re.fullmatch(r"图像中是否存在 .+色的汽车\?", found["question"])
    assert "红" not in found["question"]
    assert found["answer"] == "no"


def test_a_different_attribute_is_of_the_same_kind_and_not_easily_confused():
    colours = {blog.generate_different_attribute("red", seed=seed) for seed in range(100)}
    assert {"blue", "green"} <= colours
    assert not colours & {"red", "orange", "large", "two"}
    numbers = {blog.generate_different_attribute("two", seed=seed) for seed in range(100)}
    assert {"three", "ten"} <= numbers
    assert "one" not in numbers
    assert blog.generate_different_attribute("unheard") is None


@pytest.mark.parametrize("seed", range(10))
def test_r_asks_only_for_what_is_not_in_the_image(coco, seed):
    assert blog.get_all_objects_from_coco(coco) == ["dog", "cat"]
    found = blog.generate_pope_r_question(coco, 7, seed=seed)
    assert found == {"question": "图像中是否存在 猫?", "answer": "no"}


def test_what_gives_no_question_gives_none():
    assert blog.generate_pope_c_question("Nothing known.") is None
    assert blog.generate_pope_a_question("A car.") is None


@pytest.mark.parametrize(
    ("reply", "c", "r", "a"),
    [("Yes, it is.", 1, 0, 0), ("没有。", 0, 1, 1), ("Hard to say.", 0, 0, 0)],
)
def test_all_three_are_evaluated_with_one_evaluator(coco, reply, c, r, a):
    described = [(None, "A red car."), (None, "Nothing known.")]
    model = Says(reply)
    assert blog.evaluate_pope(model, described, blog.generate_pope_c_question) == c
    assert blog.evaluate_pope(model, [(None, (coco, 7))], blog.generate_pope_r_question) == r
    assert blog.evaluate_pope(model, described, blog.generate_pope_a_question) == a
    assert blog.evaluate_pope(model, described[1:], blog.generate_pope_c_question) is None


def test_the_example_of_the_docs_runs_and_prints_what_they_say(capsys):
    text = (ROOT / "docs" / "pope.md").read_text(encoding="utf-8")
    code, printed = re.search(r"```python\n(.*?)```\n+```text\n(.*?)```", text, re.DOTALL).groups()
    exec(compile(code, "docs/pope.md", "exec"), {})
    assert capsys.readouterr().out == printed
