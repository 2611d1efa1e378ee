"""Roman numerals: what a reply names, and what it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading import roman
from afterimage.grading.roman import CONFLICT, OTHER_NUMBERING, TYPED_L, parse

OPTIONS = [
    ("I", "They are equally long."),
    ("II", "The upper one is longer."),
    ("III", "The lower one is longer."),
    ("IV", "Only one line is shown."),
]

READ = [
    # The whole reply is a numeral, in whatever form.
    ("I", "I"),
    ("i", "I"),
    ("II.", "II"),
    ("(iii)", "III"),
    ("**IV**", "IV"),
    ("Iii", "III"),
    ("\u2162", "III"),
    ("\u2172", "III"),
    ("\uff29\uff36", "IV"),
    ("`II`", "II"),
    ("<II>", "II"),
    ("\\boxed{III}", "III"),
    ("$\\text{II}$", "II"),
    ("I)", "I"),
    ("Option II", "II"),
    ("Answer: III.", "III"),
    ("The correct answer is I.", "I"),
    ("Choice: i", "I"),
    # With text behind it, the option's own or none's.
    ("II. The upper one is longer.", "II"),
    ("I: They are equally long", "I"),
    ("II - the upper one is longer", "II"),
    ("II The upper one is longer", "II"),
    ("II. It looks so to me.", "II"),
    ("I\n\nbecause nothing differs", "I"),
    # The last answer, option or choice.
    ("I would choose option II because of the fins", "II"),
    ("It is not option II. The answer is III, I think.", "III"),
    ("Option I is right", "I"),
    ("I am torn between II and III. My answer: (iii)", "III"),
    # The one numeral that stands by itself.
    ("I think it is III", "III"),
    ("I'd say III", "III"),
    ("The Roma number is II.", "II"),
    ("The answer I think is III", "III"),
    ("The answer is I think II", "II"),
    ("the option I would choose is II", "II"),
    ("It is I.", "I"),
    ("i.e. the second one, II", "II"),
    # The option's text.
    ("The upper one is longer", "II"),
    ("Clearly the lower one is longer, since it is nearer.", "III"),
    ("C) The lower one is longer", "III"),
]


@pytest.mark.parametrize(("reply", "expected"), READ)
def test_numeral_is_read(reply, expected):
    assert parse(reply, OPTIONS).answer == expected


UNREAD = [
    "",
    "   \n",
    "...",
    "I am not sure",
    "I cannot tell.",
    "It is either II or III",
    "ill",
    "mix",
    "World",
    "VI",
    "vi",
    "V.",
    "X",
    "IIII",
    "The answer is VI",
    "V. The upper one is longer.",
    "7",
    "E",
    "iiii",
]


@pytest.mark.parametrize("reply", UNREAD)
def test_reply_that_names_no_option_is_unparsed(reply):
    parsed = parse(reply, OPTIONS)
    assert (parsed.answer, parsed.outcome) == (None, "unparsed")
    assert parsed.reason


@pytest.mark.parametrize("numeral", ["VI", "VII", "IX", "XI"])
def test_numeral_out_of_range_is_never_cut_to_a_shorter_one(numeral):
    assert parse(f"I choose {numeral}.", OPTIONS).answer is None
    assert parse(numeral, OPTIONS).answer is None


@pytest.mark.parametrize(
    "reply",
    ["II. The lower one is longer.", "II The lower one is longer", "i) Only one line is shown"],
)
def test_numeral_and_text_of_different_options_conflict(reply):
    parsed = parse(reply, OPTIONS)
    assert parsed.answer is None
    assert parsed.reason.endswith(CONFLICT)


@pytest.mark.parametrize(
    ("reply", "expected"), [("2", "II"), ("B.", "II"), ("(d)", "IV"), ("3)", "III")]
)
def test_digit_or_letter_alone_is_accepted_and_flagged(reply, expected):
    parsed = parse(reply, OPTIONS)
    assert parsed.answer == expected
    assert parsed.reason.endswith(OTHER_NUMBERING)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("l", "I"),
        ("ll", "II"),
        ("lll.", "III"),
        ("lV", "IV"),
        ("Il", "II"),
        ("ll. The upper one is longer.", "II"),
    ],
)
def test_l_typed_for_i_is_read_at_the_beginning_only_and_flagged(reply, expected):
    parsed = parse(reply, OPTIONS)
    assert parsed.answer == expected
    assert TYPED_L in parsed.reason


def test_l_inside_a_sentence_is_no_numeral():
    assert parse("We saw ll of them", OPTIONS).answer is None


@pytest.mark.parametrize("numeral", roman.NUMERALS)
@pytest.mark.parametrize(
    "form", ["{}", "{}.", "({})", "**{}**", "Option {}", "Answer: {}", "The answer is {}."]
)
def test_every_numeral_is_read_in_every_form_and_case(numeral, form):
    assert parse(form.format(numeral), OPTIONS).answer == numeral
    assert parse(form.format(numeral.lower()), OPTIONS).answer == numeral


def test_option_ids_are_those_of_the_places():
    lettered = [(f"option_{place}", text) for place, (_, text) in enumerate(OPTIONS)]
    assert parse("III", lettered).answer == "option_2"


@given(st.text(max_size=60))
def test_no_reply_raises_and_answers_are_options(reply):
    parsed = parse(reply, OPTIONS)
    assert parsed.answer in {None, *roman.NUMERALS}
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
