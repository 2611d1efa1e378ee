from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.grade import grade
from afterimage.grading.readers.integer import parse

WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def test_reason_names_the_rule_that_fired():
    assert parse("{2}", []).reason == "the last number in braces"
    assert parse("2", []).reason == "the reply is a number"
    assert parse("Two circles.", []).reason == "the one number in the reply, in words"
    assert "concluding sentence" in parse("1 dot and 1 ring, so 3 dots.", []).reason


def test_open_item_without_options_is_graded_by_its_answer_form():
    item = {
        "item_id": "a",
        "suite": "s",
        "stimulus_id": "a",
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "answer_type": "integer",
        "options": [],
        "key": "2",
        "factors": {},
    }
    response = {"item_id": "a", "suite": "s", "model": "m", "repeat": 0}
    assert grade(response | {"text": "They meet twice."}, item)["correct"]
    assert not grade(response | {"text": "They meet once."}, item)["correct"]
    assert grade(response | {"text": "They meet."}, item)["outcome"] == "unparsed"


def test_number_of_many_digits_is_kept_and_one_of_thousands_never_raises():
    digits = "9" * 500
    assert parse(f"{{{digits}}}", []).answer == digits
    assert parse("9" * 5000, []).outcome == "unparsed"


@given(st.text())
def test_any_reply_is_read_without_error(reply):
    parsed = parse(reply, [])
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
    assert parsed.reason


@given(st.text(alphabet="0123456789 .,:;-{}()[]\\*_#\n'\"oneabtwhrsixlqutg="))
def test_reply_of_digits_and_signs_is_read_without_error(reply):
    answer = parse(reply, []).answer
    assert answer is None or (answer.isascii() and answer.isdigit())


@given(st.text(alphabet="0123456789 .{}onetwsix, total"))
def test_answer_reads_as_itself(reply):
    answer = parse(reply, []).answer
    if answer is not None:
        assert parse(answer, [])[:2] == (answer, "exact")


@given(
    st.lists(st.integers(0, 10), min_size=2, max_size=2, unique=True),
    st.booleans(),
    st.sampled_from(["There are {} circles. There are {} circles.", "{} circles, or {} circles."]),
)
def test_two_different_numbers_without_format_or_conclusion_are_unparsed(pair, spelled, sentence):
    names = [WORDS[value] if spelled else str(value) for value in pair]
    assert parse(sentence.format(*names), []).outcome == "unparsed"


@given(st.integers(0, 99), st.sampled_from(["", "I see 3 here and 4 there. ", "Two lines. "]))
def test_braces_win_over_everything_before_them(value, before):
    assert parse(f"{before}{{{value}}}", []).answer == str(value)
