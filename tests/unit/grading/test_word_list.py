"""Three words parted by 、: what is valid, why not, and what people still get to judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.language.typography import normal_form
from afterimage.grading.readers.word_list import REASONS, parse, words_of


def lenient(text):
    return words_of(parse(text).readings["lenient"])


def test_an_answer_is_three_words():
    assert words_of(parse("みずみずしい、カラフル、甘い。").answer) == (
        "みずみずしい",
        "カラフル",
        "甘い",
    )


def test_a_sentence_with_two_commas_is_no_list_of_three_words():
    text = "この果物は、とてもみずみずしく、カラフルで甘そうな質感を持っているように感じられると思います"
    assert len(text) > 40
    assert parse(text).code == "sentence"


def test_the_lenient_reading_never_makes_an_answer_valid():
    assert parse("赤い, 丸い, 甘い").answer is None


def test_a_dot_inside_a_word_does_not_part_it_where_the_list_is_valid():
    assert parse("きらきら・ぴかぴか、丸い、甘い").answer == "きらきら・ぴかぴか、丸い、甘い"


@pytest.mark.parametrize(
    ("one", "other"),
    [("⾹ばしい", "香ばしい"), ("出来⽴て", "出来立て"), ("ﾌﾜﾌﾜ", "フワフワ"), (" 甘い。", "甘い")],
)
def test_spellings_of_one_word_have_one_normal_form(one, other):
    assert one != other
    assert normal_form(one) == normal_form(other) == other


def test_one_final_stop_is_removed_and_only_one():
    assert normal_form("甘い。。") == "甘い。"


def test_there_is_no_stemming():
    assert normal_form("ふわふわ") != normal_form("ふんわり")


@given(st.text(alphabet="赤い丸甘、。,・\n1. -「」ｱア申し訳 ", max_size=60))
def test_no_reply_is_too_strange(text):
    parsed = parse(text)
    if parsed.answer is None:
        assert parsed.code in REASONS
    else:
        assert len(set(words_of(parsed.answer))) == 3
        assert parsed.readings["lenient"] == parsed.answer
    assert all("、" not in word and word for word in lenient(text))
