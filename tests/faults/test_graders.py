"""No grader raises or takes its time, whatever a model has said."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterimage.grading import grade
from afterimage.grading.parsed import Parsed

OPTIONS = {
    "letters": (("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")),
    "yes or no": (("yes", "Yes"), ("no", "No")),
    "true or false": (("true", "True"), ("false", "False")),
    "words": (("left", "the left one"), ("right", "the right one"), ("same", "they are the same")),
    "numbers": tuple((str(number), str(number)) for number in range(12)),
}
TYPES = [name for name in grade._module_names() if grade._grading_module(name) is not None]
#: What a number may be made of and a parser may take for one.
DIGITS = "\u0661\u0662\u00b2\u00bd\u2167\u2460\U0001d7d8\u1369\u3286\u4e94"
HOSTILE = {
    "digits without end": "9" * 20_000,
    "a fraction of them": "\\frac{" + "9" * 5_000 + "}{0}",
    "numbers that int refuses": DIGITS,
    "such numbers announced": "The answer is \u00b2. rows: \u00b2, columns: \u2460",
    "NUL and halves": "\x00\ud800",
    "marks": "<think>" * 500 + "</think>" * 500 + "<answer>" * 500,
    "brackets": "({[" * 1_000,
    "a table": "a | " * 1_000 + "\n" + "--- | " * 1_000,
    "LaTeX": "\\boxed{" * 500,
    "announcements": "final answer: " * 2_000,
    "hesitation": "A or B. No, wait, " * 500,
    "a word": "a" * 200_000,
    "words": "word " * 40_000,
    "lines": "\n- 1. (a)" * 2_000,
}
#: Far more than any takes on a machine with other work.
MAX_SECONDS = 8


@pytest.mark.parametrize("answer_type", TYPES)
@pytest.mark.parametrize("options", OPTIONS)
def test_hostile_replies_are_read_in_bounded_time(answer_type, options):
    parser = grade._grading_module(answer_type)
    for what, text in HOSTILE.items():
        started = time.process_time()
        assert isinstance(grade._parsed(parser, text, OPTIONS[options]), Parsed), what
        assert time.process_time() - started < MAX_SECONDS, what


PIECES = st.sampled_from(
    [
        *(
            "answer",
            "final",
            "is",
            ":",
            "not",
            "yes",
            "No",
            "(a)",
            "12",
            "\\boxed{",
            "}",
            "**",
            "\n",
        ),
        *("|", "<think>", "</think>", "or", "rows", "x", ".", "left", "twenty", "-", "\ud800"),
        *DIGITS,
    ]
)


@pytest.mark.parametrize("answer_type", TYPES)
@settings(max_examples=60)
@given(text=st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map(" ".join)))
def test_any_text_is_read(answer_type, text):
    parser = grade._grading_module(answer_type)
    for options in OPTIONS.values():
        assert isinstance(grade._parsed(parser, text, options), Parsed)
