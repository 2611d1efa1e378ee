"""Number, articles and attributes; Chinese questions show no Latin letter, and Chinese answers are read."""

import re

import pytest
from pope_material import english, items_of, pope_texts, settings

from afterimage.grading.grade import grade
from afterimage.suites.pope.language import Chinese
from afterimage.suites.pope.names import KINDS


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("people", "person"),
        ("knives", "knife"),
        ("mice", "mouse"),
        ("buses", "bus"),
        ("sheep", "sheep"),
        ("skis", "skis"),
        ("scissors", "scissors"),
        ("toothbrushes", "toothbrush"),
        ("benches", "bench"),
        ("boxes", "box"),
        ("vases", "vase"),
        ("horses", "horse"),
        ("ties", "tie"),
        ("puppies", "puppy"),
        ("tomatoes", "tomato"),
        ("dress", "dress"),
        ("cat", "cat"),
    ],
)
def test_plurals_regular_and_irregular_have_their_singular(plural, singular):
    assert english().singular(plural) == singular


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("ball", "balls"),
        ("box", "boxes"),
        ("knife", "knives"),
        ("person", "people"),
        ("teddy bear", "teddy bears"),
        ("scissors", "scissors"),
        ("puppy", "puppies"),
        ("toy", "toys"),
        ("wine glass", "wine glasses"),
    ],
)
def test_names_have_their_plural(name, plural):
    assert english().plural(name) == plural


@pytest.mark.parametrize(
    ("phrase", "article"),
    [
        ("apple", "an"),
        ("car", "a"),
        ("umbrella", "an"),
        ("unicorn", "a"),
        ("hour glass", "an"),
        ("orange cat", "an"),
        ("blue umbrella", "a"),
    ],
)
def test_articles_follow_the_first_letter_but_for_the_exceptions(phrase, article):
    assert english().article(phrase) == article


class TestAlternatives:
    def test_an_attribute_is_exchanged_within_its_dimension_only(self):
        assert set(english().alternatives("small")) == {"large"}
        assert "large" not in english().alternatives("red")

    @pytest.mark.parametrize(
        ("value", "neighbour"),
        [("red", "orange"), ("orange", "red"), ("purple", "pink"), ("grey", "white")],
    )
    def test_near_neighbours_are_never_exchanged(self, value, neighbour):
        assert neighbour not in english().alternatives(value)

    def test_what_other_instances_hold_and_its_neighbours_are_left_out(self):
        found = english().alternatives("blue", ["red"])
        assert "red" not in found
        assert "orange" not in found
        assert "green" in found

    def test_numbers_only_grow_because_three_are_also_two(self):
        assert english().alternatives("three") == [
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
        ]
        assert english().alternatives("ten") == []
        assert english().alternatives("two", ["four"])[0] == "five"

    def test_what_has_no_dimension_has_no_alternative(self):
        assert english().alternatives("shiny") == []


class TestPhrase:
    def test_attributes_stand_before_the_name_and_the_number_first(self):
        assert english().phrase(["red", "two"], "ball") == "two red balls"
        assert english().phrase(["wooden", "small"], "table") == "small wooden table"

    def test_a_name_without_a_singular_stays_as_it_is(self):
        assert english().phrase(["two", "red"], "scissors") == "two red scissors"

    def test_a_word_that_holds_an_attribute_is_not_touched(self):
        assert english().phrase(["blue"], "colored car") == "blue colored car"


LATIN = re.compile(r"[A-Za-z]")
WORDS = Chinese(**pope_texts()["chinese"])


def asked(item):
    return item["messages"][-1]["parts"][-1]["text"]


def response_to(item, text):
    return {
        **{"item_id": item["item_id"], "suite": "pope", "model": "m", "repeat": 0, "text": text},
        **{"status": "ok", "finish_reason": "stop", "reasoning": None},
    }


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    """All items of a study that asks the benchmark proper and the blog's variant in Chinese."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("chinese"))
        variants = ["pope", "pope_blog"]
        return items_of(settings(prompts=["is_there_zh"], variants=variants, suffix="single_word"))


@pytest.mark.parametrize("source", ["drawn", "coco"])
def test_every_object_and_every_attribute_has_a_chinese_name_of_its_own(source):
    names = [*pope_texts(source)["lexicon"]["categories"]]
    assert len(names) == {"drawn": 16, "coco": 80}[source]
    assert len({WORDS.names[name] for name in names}) == len(names)
    values = [value for of_kind in english().attributes.values() for value in of_kind]
    assert sorted(WORDS.attributes) == sorted(values)
    parts = (WORDS.names, WORDS.attributes, WORDS.measures)
    assert not any(LATIN.search(word) for part in parts for word in part.values())


def test_every_measure_word_belongs_to_a_name():
    assert set(WORDS.measures) <= set(WORDS.names)


@pytest.mark.parametrize(
    ("attributes", "name", "said"),
    [
        ((), "dog", "狗"),
        (("red",), "car", "红色的汽车"),
        (("red", "two"), "car", "两辆红色的汽车"),
        (("three",), "cone", "三个圆锥"),
        (("two", "small", "blue"), "scissors", "两把小的蓝色的剪刀"),
    ],
)
def test_a_number_takes_the_measure_word_of_its_name(attributes, name, said):
    assert WORDS.phrase(attributes, name, english()) == said
    found, category = WORDS.read(said)
    assert (set(found), category) == (set(attributes), name)


def test_what_is_no_name_is_not_read():
    assert WORDS.read("汽") is None
    assert WORDS.read("two cones") is None


def test_no_question_in_chinese_shows_a_latin_letter(chinese):
    assert {item["prompt"] for item in chinese} == {"is_there_zh", "blog"}
    assert [asked(item) for item in chinese if LATIN.search(asked(item))] == []
    assert all([option["text"] for option in item["options"]] == ["是", "否"] for item in chinese)


def test_chinese_answers_to_all_of_them_are_read(chinese):
    answers = {
        "yes": ("是", "是的。", "存在", "有,图中有。"),
        "no": ("否", "不是", "没有。", "不存在"),
    }
    for item in chinese[::7]:
        for answer, replies in answers.items():
            for reply in replies:
                graded = grade(response_to(item, reply), item)
                assert graded["answer"] == answer, (reply, asked(item))
                assert graded["correct"] == (answer == item["key"])


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """Items of the extended variant in both languages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("extended"))
        both = ["extended", "extended_zh"]
        return items_of(settings(variants=["pope_extended"], extended_prompts=both))


def test_all_that_is_asked_in_english_of_drawn_scenes_is_asked_in_chinese(extended):
    english_ones, chinese_ones = (
        {
            item["item_id"].removesuffix(f"/{name}"): item
            for item in extended
            if item["prompt"] == name
        }
        for name in ("extended", "extended_zh")
    )
    assert english_ones.keys() == chinese_ones.keys()
    assert {item["question"] for item in chinese_ones.values()} == set(KINDS)
    for name, item in english_ones.items():
        assert (chinese_ones[name]["key"], chinese_ones[name]["factors"]) == (
            item["key"],
            item["factors"],
        )
        assert not LATIN.search(asked(chinese_ones[name]))
    assert any("两辆汽车" in asked(item) for item in chinese_ones.values())


def test_published_rules_get_what_the_strict_one_reads_of_a_chinese_answer(chinese):
    item = next(question for question in chinese if question["prompt"] == "is_there_zh")
    readings = grade(response_to(item, "没有"), item)["readings"]
    assert {readings[rule] for rule in ("official", "exact", "word", "strict")} == {"no"}
    readings = grade(response_to(item, "抱歉,我无法回答这个问题。"), item)["readings"]
    assert (readings["official"], readings["exact"], readings["strict"]) == ("yes", "", "")
