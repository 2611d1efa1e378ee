"""Questions and options found again in the words of a request."""

import re

import pytest

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question, marked_options

ASKED = "Look.\n\nQuestion: Which line is longer?\nOptions:\nThe upper one.\n  The lower one. \n\nBe brief."
NUMERAL = re.compile(r"^\(?(iv|iii|ii|i)[.)] (.+)$", re.MULTILINE)


class TestHeadings:
    def test_the_options_stand_below_their_heading_up_to_an_empty_line(self):
        expected = ("Which line is longer?", ["The upper one.", "The lower one."])
        assert headed_options(ASKED) == expected
        assert headed_question(ASKED) == expected[0]

    def test_the_last_question_is_asked_after_examples(self):
        text = f"{ASKED}\n\nThe upper one.\n\nQuestion: Which is red?\nOptions:\nThis.\nThat."
        assert headed_options(text) == ("Which is red?", ["This.", "That."])

    @pytest.mark.parametrize("text", ["Which line is longer?", "", "A Question: in a line"])
    def test_a_request_without_a_heading_has_no_question(self, text):
        assert headed_question(text) is None
        with pytest.raises(AfterimageError, match="no line that starts with 'Question:'"):
            headed_options(text)

    @pytest.mark.parametrize("below", ["", "\nOptions:", "\nOptions:\n\nThis.", "\nThis.\nThat."])
    def test_a_question_without_options_is_named(self, below):
        with pytest.raises(AfterimageError, match=r"'Which is red\?' has no options below it"):
            headed_options("Options:\nOld.\nQuestion: Which is red?" + below)


class TestMarks:
    def test_each_option_comes_with_its_mark_and_the_question_is_the_line_before(self):
        text = "Look.\nWhich is red?\n(i) This one\n(ii) That one\n\nAnswer with a numeral."
        expected = ("Which is red?", [("i", "This one"), ("ii", "That one")])
        assert marked_options(text, NUMERAL) == expected

    def test_options_may_stand_alone_and_a_question_too(self):
        assert marked_options("i. This\nii. That", NUMERAL) == ("", [("i", "This"), ("ii", "That")])
        assert marked_options("What is this?", NUMERAL) == ("What is this?", [])
