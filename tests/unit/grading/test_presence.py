"""Five readings of one answer, side by side; the strict one decides, and knows when it does not know."""

import pytest

from afterimage.grading.readers import presence, presence_blog
from afterimage.grading.readers.presence import RULES, parse


class TestStrict:
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

    def test_the_answer_is_still_the_strict_one(self):
        assert presence_blog.parse("否").answer == presence.parse("否").answer == "no"


@pytest.mark.parametrize(
    "text", ["\x00", "\u200bNo", "\ud800", "yes" * 5000, "{}{0}%s", "<b>" * 400]
)
def test_no_reply_raises(text):
    assert set(presence_blog.parse(text).readings) == set(presence_blog.RULES)
