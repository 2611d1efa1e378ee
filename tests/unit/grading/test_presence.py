"""Five readings of one answer, side by side; the strict one decides, and knows when it does not know."""

import pytest

from afterimage.grading import presence, presence_blog
from afterimage.grading.presence import RULES, parse

#: Answer, and what official, word, exact and strict make of it ("" where a rule cannot tell).
READINGS = [
    ("No.", "no", "no", "", "no"),
    ("NO", "yes", "no", "no", "no"),
    ("**No**", "yes", "no", "", "no"),
    ("1. No", "yes", "no", "", "no"),
    ("There isn't a car.", "yes", "", "", "no"),
    ("There is not a car.", "no", "", "", "no"),
    ("Yes, it is not hidden.", "no", "yes", "", "yes"),
    ("Yes, there is a notebook.", "yes", "yes", "", "yes"),
    ("I cannot see a car.", "yes", "", "", ""),
    ("", "yes", "", "", ""),
    ("没有", "yes", "", "", "no"),
]


@pytest.mark.parametrize(("text", "official", "word", "exact", "strict"), READINGS)
def test_each_rule_reads_as_its_source_does(text, official, word, exact, strict):
    readings = parse(text).readings
    assert tuple(readings) == RULES
    found = tuple(readings[rule] for rule in ("official", "word", "exact", "strict"))
    assert found == (official, word, exact, strict)


class TestOfficial:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("Yes", "yes"),
            ("No, there is none", "no"),
            ("The answer is no", "no"),
            ("Yes. There is no doubt.", "yes"),  # only the text before the first full stop counts
            ("no,thing", "yes"),  # the comma goes and leaves one token
            ("否", "yes"),
            ("\nNo", "yes"),  # split at blanks alone, the line break stays with the word
            ("There is  no car", "no"),
        ],
    )
    def test_only_the_exact_tokens_before_the_first_full_stop_deny(self, text, reading):
        assert parse(text).readings["official"] == reading


class TestContainsLabel:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("Yes, there is a notebook.", "both"),
            ("I cannot tell", "no"),
            ("YES", "yes"),
            ("maybe", ""),
        ],
    )
    def test_letters_anywhere_count_and_both_is_right_whatever_the_key(self, text, reading):
        assert parse(text).readings["contains_label"] == reading


class TestStrict:
    @pytest.mark.parametrize(
        "text",
        [
            "yes",
            "Yes!",
            '"Yes"',
            "(A) Yes",
            "- yes",
            "<answer>Yes</answer>",
            "\\boxed{Yes}",
            "Yes.\nNo other cars are there.",
            "YES",
            "是",
            "是的。",
            "有",
            "存在",
            "是的,图中有汽车。",
            "图中有一辆汽车。",
            "答案是有",
            "The answer is yes.",
            "Answer: **Yes**",
            "First I thought the answer is no. But the answer is yes.",
            "There is a car in the image.",
            "The image contains a car.",
            "A car is clearly visible.",
            "No doubt there is a car.",
            "Is there a car? There is.",
        ],
    )
    def test_affirmations_are_yes(self, text):
        assert parse(text).answer == "yes"

    @pytest.mark.parametrize(
        "text",
        [
            "no",
            "No car is visible.",
            "a) no",
            "否",
            "不",
            "不是",
            "没有。",
            "沒有",
            "不存在",
            "图中没有汽车。",
            "答案是否",
            "回答:没有",
            "The answer to the question is: no.",
            "There are no cars.",
            "There's no car in the image.",
            "There aren't any cars.",
            "It does not contain a car.",
            "The car is not visible in the image.",
            "In this picture, no red car is present.",
            "There does not appear to be a car.",
            "The image has no cars.",
        ],
    )
    def test_denials_are_no(self, text):
        assert parse(text).answer == "no"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "   ",
            "yesterday",
            "Notebook",
            "nothing",
            "yes/no",
            "yes and no",
            "I cannot see a car.",
            "I'm sorry, I can't help with that.",
            "No idea.",
            "No image was provided.",
            "There might be a car.",
            "If there is a car, it is small.",
            "Is there a car?",
            "There is a dog but there is no cat.",
            "There is a dog. There is no cat.",
            "The image shows a street.",
            "是否存在汽车",
            "不知道",
            "不确定",
            "有没有?",
            "可能有",
            "没有足够的信息",
        ],
    )
    def test_what_says_neither_or_both_is_unparsed(self, text):
        parsed = parse(text)
        assert parsed.answer is None
        assert parsed.outcome == "unparsed"
        assert parsed.readings["strict"] == ""

    def test_a_longer_chinese_word_wins_over_the_one_in_it(self):
        assert parse("不存在").answer == "no"
        assert parse("存在").answer == "yes"

    def test_the_bare_answer_is_exact_and_a_sentence_contains_it(self):
        assert parse("**No.**").outcome == "exact"
        assert parse("No, I see none.").outcome == "contained"


class TestBlog:
    def test_the_blogs_two_rules_stand_beside_the_five(self):
        readings = presence_blog.parse("是的").readings
        assert tuple(readings) == presence_blog.RULES == (*RULES, "seed_exact", "seed_section7")

    @pytest.mark.parametrize(
        ("text", "exact", "section7"),
        [
            ("Yes", "yes", "yes"),
            ("no", "no", "no"),
            ("Yes.", "", "no"),  # why the blog's own rule is not the default
            ("是的", "", "yes"),
            ("是", "", "no"),
            ("True", "", "yes"),
            ("I cannot answer that.", "", "no"),  # a refusal is right wherever the key is no
        ],
    )
    def test_they_are_as_crude_as_the_blog_has_them(self, text, exact, section7):
        readings = presence_blog.parse(text).readings
        assert (readings["seed_exact"], readings["seed_section7"]) == (exact, section7)

    def test_the_answer_is_still_the_strict_one(self):
        assert presence_blog.parse("否").answer == presence.parse("否").answer == "no"


@pytest.mark.parametrize(
    "text", ["\x00", "\u200bNo", "\ud800", "yes" * 5000, "{}{0}%s", "<b>" * 400]
)
def test_no_reply_raises(text):
    assert set(presence_blog.parse(text).readings) == set(presence_blog.RULES)


@pytest.mark.parametrize(
    ("asked", "reply", "answer"),
    [
        ("Is the cup above the book in the image?", "The book lies above the cup.", "no"),
        ("Is the cup above the book in the image?", "Above the book there is a cup.", "yes"),
        ("Is the cup above the book in the image?", "The book is below the cup.", "yes"),
        ("Is the cat to the left of the chair?", "The chair is to the right of the cat.", "yes"),
        ("Is the cat to the left of the chair?", "The chair is to the left of the cat.", "no"),
    ],
)
def test_a_relation_can_be_told_from_the_other_side(asked, reply, answer):
    assert presence.parse_asked(reply, (), asked).answer == answer
