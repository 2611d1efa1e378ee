"""Options numbered from 0: the six rules, and what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.numbered_option import parse

FIVE = [
    ("0", "ヌメっとした"),
    ("1", "毛並みがきれい"),
    ("2", "生き生き"),
    ("3", "おめかし"),
    ("4", "密集した"),
]
TWO = FIVE[:2]
LIST = "　　".join(f"{number}: {word}" for number, word in FIVE)


def read(text, options=FIVE):
    return parse(text, options).answer


def code(text, options=FIVE):
    parsed = parse(text, options)
    assert parsed.answer is None and parsed.outcome == "unparsed"
    return parsed.reason.split(":")[0]


@pytest.mark.parametrize(
    "text",
    [
        "0",
        " 0\n",
        "０",
        "0.",
        "0。",
        "０．",
        "0)",
        "0：",
        "「0」",
        '"0"',
        "『0』。",
        "**0**",
        "(0)",
    ],
)
def test_zero_by_itself_is_an_answer_in_any_dress(text):
    parsed = parse(text, FIVE)
    assert (parsed.answer, parsed.outcome) == ("0", "exact")
    assert parsed.readings == {"strict_digit": "0"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("1: 毛並みがきれい", "1"),
        ("１：毛並みがきれい。", "1"),
        ("0: ヌメっとした", "0"),
        ("2 : 「生き生き」", "2"),
        ("3: 飾られているように見えるため", "3"),
    ],
)
def test_a_number_with_a_text_is_that_number(text, answer):
    assert read(text) == answer


@pytest.mark.parametrize("text", ["1: 生き生き", "１：生き生き。", "0: 「密集した」"])
def test_a_number_with_the_words_of_another_option_is_a_conflict(text):
    assert code(text) == "ambiguous"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("答えは0です。", "0"),
        ("解答: 2", "2"),
        ("回答：\n３", "3"),
        ("正解は「4」です", "4"),
        ("画像には3匹の猫がいます。答えは 1", "1"),
        ("答えは1。いや、よく見ると正解は2です。", "2"),
        ("0と1で迷いますが、解答は1です", "1"),
        ("The answer is 4.", "4"),
        ("Answer: 0", "0"),
    ],
)
def test_the_last_announced_number_wins(text, answer):
    assert read(text) == answer


@pytest.mark.parametrize(
    "text", ["答えは0か1です", "答えは 0 または 1", "回答: 1、2", "answer: 1 or 2"]
)
def test_an_announcement_that_leaves_a_choice_is_no_answer(text):
    assert code(text) == "ambiguous"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("1番です", "1"),
        ("選択肢の3が最も適切だと思います。", "3"),
        ("1です。理由は毛並みが整っているからで、1を選びました。", "1"),
        ("2024年1月2日の写真で、3が適切です。", "3"),
        ("10枚のうち 4", "4"),
        ("面積は0.15なので 2", "2"),
        ("5択なら 0", "0"),
        ("Option 2", "2"),
        (f"{LIST}\n→ 1", "1"),
        ("1. 毛並みがきれい", "1"),
    ],
)
def test_the_only_number_of_an_option_counts_and_other_numbers_do_not(text, answer):
    assert read(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("生き生き", "2"),
        ("毛並みがきれい。", "1"),
        ("この猫は毛並みがきれいです", "1"),
        ("1つ選ぶなら「生き生き」です", "2"),
        ("正解は「おめかし」です", "3"),
    ],
)
def test_without_a_number_the_words_of_one_option_count(text, answer):
    assert read(text) == answer


def test_the_longer_option_wins_over_one_that_it_contains():
    options = [("0", "甘い"), ("1", "とても甘い")]
    assert read("とても甘いです", options) == "1"
    assert read("甘いです", options) == "0"


def test_words_are_compared_as_normal_forms():
    options = [("0", "⾹ばしい"), ("1", "ﾌﾜﾌﾜ")]
    assert read("香ばしいです", options) == "0"
    assert read("フワフワ", options) == "1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("　\n", "empty"),
        ("5", "off_topic"),
        ("10", "off_topic"),
        ("答えは7です", "off_topic"),
        ("-1", "off_topic"),
        ("1.5", "off_topic"),
        ("2024年1月2日", "off_topic"),
        ("0と1", "ambiguous"),
        ("0から4", "ambiguous"),
        ("1: 毛並みがきれい\n2: 生き生き", "ambiguous"),
        ("毛並みがきれいで生き生きとした", "ambiguous"),
        (LIST, "ambiguous"),
        ("申し訳ありませんが、画像を確認できません。", "refused"),
        ("I'm sorry, but I cannot see the image.", "refused"),
        ("かわいい猫", "off_topic"),
    ],
)
def test_everything_else_is_unparsed_and_says_why(text, reason):
    assert code(text) == reason


def test_with_two_options_the_third_number_is_out_of_range():
    assert read("1", TWO) == "1"
    assert code("2", TWO) == "off_topic"


@pytest.mark.parametrize("text", ["1: 毛並みがきれい", "答えは1です", "毛並みがきれい", "1と2", ""])
def test_the_strict_reading_takes_a_number_and_nothing_else(text):
    assert parse(text, FIVE).readings == {"strict_digit": ""}


@given(
    st.text(
        alphabet="0123456789０１.:：。、() \n答えは解正猫毛並みがきれい生きない-年月日つ",
        max_size=40,
    )
)
def test_no_reply_is_too_strange(text):
    parsed = parse(text, FIVE)
    assert parsed.answer is None or parsed.answer in "01234"
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
    assert parsed.readings["strict_digit"] in ("", parsed.answer)
