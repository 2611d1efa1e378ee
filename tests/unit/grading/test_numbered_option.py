"""Options numbered from 0: the six rules, and what they refuse."""

from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.readers.numbered_option import parse

FIVE = [
    ("0", "ヌメっとした"),
    ("1", "毛並みがきれい"),
    ("2", "生き生き"),
    ("3", "おめかし"),
    ("4", "密集した"),
]
TWO = FIVE[:2]


def read(text, options=FIVE):
    return parse(text, options).answer


def code(text, options=FIVE):
    parsed = parse(text, options)
    assert parsed.answer is None and parsed.outcome == "unparsed"
    return parsed.code


def test_the_longer_option_wins_over_one_that_it_contains():
    options = [("0", "甘い"), ("1", "とても甘い")]
    assert read("とても甘いです", options) == "1"
    assert read("甘いです", options) == "0"


def test_words_are_compared_as_normal_forms():
    options = [("0", "⾹ばしい"), ("1", "ﾌﾜﾌﾜ")]
    assert read("香ばしいです", options) == "0"
    assert read("フワフワ", options) == "1"


def test_with_two_options_the_third_number_is_out_of_range():
    assert read("1", TWO) == "1"
    assert code("2", TWO) == "off_topic"


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
