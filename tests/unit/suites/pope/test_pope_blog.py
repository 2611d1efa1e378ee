"""The blog's C, R and A, and its functions under its names: their faults do not come back."""

import json
import re

import numpy as np
import pytest
from pope_material import ROOT, english

from afterimage.suites.pope import blog
from afterimage.suites.pope.blog import Probe, Rules
from afterimage.suites.pope.record import ImageRecord, Instance, Mention

VOCABULARY = ("ball", "car", "cup", "tree")
RULES = Rules(english())


def mention(category, *attributes):
    return ("1", Mention(category, 0, 1, category, category, attributes, "lexicon"))


def record(*mentions, instances=(), entries=()):
    return ImageRecord(
        "1", "1.png", tuple(entries), tuple(instances), (("1", "..."),), tuple(mentions)
    )


def draws(strategy, of, rules=RULES, count=40):
    return [
        blog.probe(strategy, of, VOCABULARY, np.random.default_rng(seed), rules)
        for seed in range(count)
    ]


class TestC:
    def test_objects_of_the_description_are_drawn_and_the_key_is_yes(self):
        found = draws("C", record(mention("ball"), mention("car", "red"), mention("ball", "blue")))
        assert {probe.name for probe in found} == {"ball", "car"}
        assert {probe.label for probe in found} == {"yes"}
        assert {probe.attributes for probe in found} == {()}

    def test_a_description_without_objects_gives_no_question_and_a_reason(self):
        assert set(draws("C", record())) == {blog.NO_OBJECT}


class TestR:
    def test_objects_that_are_there_are_left_out_by_whatever_they_are_known(self):
        there = record(mention("ball"), instances=[Instance("car")], entries=["cup"])
        assert {probe.name for probe in draws("R", there)} == {"tree"}

    def test_the_blogs_own_way_may_ask_for_them_and_marks_the_wrong_keys(self):
        found = draws("R", record(mention("ball")), Rules(english(), r_exclude_present=False), 200)
        assert {probe.name for probe in found} == set(VOCABULARY)
        assert {probe.name for probe in found if probe.gold_conflict} == {"ball"}
        assert {probe.label for probe in found} == {"no"}

    def test_an_image_with_everything_in_it_gives_no_question(self):
        assert set(draws("R", record(entries=VOCABULARY))) == {blog.NO_ABSENT}


class TestA:
    def test_one_attribute_is_exchanged_within_its_dimension_and_the_key_is_no(self):
        found = draws("A", record(mention("ball", "two", "red")), count=200)
        assert {probe.label for probe in found} == {"no"}
        for probe in found:
            (changed,) = set(probe.attributes) - set(probe.original)
            (old,) = set(probe.original) - set(probe.attributes)
            assert english().dimension_of(changed) == english().dimension_of(old)
        assert len({probe.attributes for probe in found}) > 8

    def test_the_new_attribute_is_held_by_no_instance_of_the_object(self):
        balls = [Instance("ball", {"colour": name}) for name in ("red", "blue", "green", "white")]
        others = [Instance("car", {"colour": "black"})]
        found = draws("A", record(mention("ball", "red"), instances=[*balls, *others]), count=200)
        attributes = {probe.attributes[0] for probe in found}
        assert not attributes & {"red", "blue", "green", "white"}
        assert "black" in attributes

    def test_without_annotations_what_any_caption_says_of_the_object_is_left_out(self):
        found = draws("A", record(mention("ball", "red"), mention("ball", "blue")), count=200)
        assert not {probe.attributes[0] for probe in found} & {"red", "blue"}

    def test_no_smaller_number_is_asked_for_because_it_would_be_true(self):
        several = [Instance("ball")] * 4
        found = draws("A", record(mention("ball", "two"), instances=several), count=100)
        assert {probe.attributes[0] for probe in found} == {
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
        }

    def test_an_object_without_attributes_gives_no_question_and_never_an_unchanged_one(self):
        assert set(draws("A", record(mention("car")))) == {blog.NO_ATTRIBUTE}

    def test_an_attribute_that_nothing_can_be_exchanged_for_gives_a_reason(self):
        assert set(draws("A", record(mention("car", "shiny")))) == {blog.NO_ALTERNATIVE}
        assert set(draws("A", record(mention("car", "open"), mention("car", "closed")))) == {
            blog.NO_ALTERNATIVE
        }

    def test_only_objects_with_attributes_are_drawn(self):
        found = draws("A", record(mention("car"), mention("ball", "red")))
        assert {probe.name for probe in found} == {"ball"}


@pytest.mark.parametrize("strategy", ["C", "R", "A"])
def test_all_three_take_the_same_arguments_and_draw_alike_from_equal_generators(strategy):
    of = record(mention("ball", "red"), entries=["ball"])
    first, second = draws(strategy, of, count=1) + draws(strategy, of, count=1)
    assert isinstance(first, Probe)
    assert first == second


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
