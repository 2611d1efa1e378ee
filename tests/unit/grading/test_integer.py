import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.grade import grade
from afterimage.grading.integer import parse

IN_FORMAT = [
    ("{2}", "2"),
    ("{ 12 }", "12"),
    ("The answer is {3}.", "3"),
    ("**{4}**", "4"),
    ("$\\boxed{5}$", "5"),
    ("\\[ \\boxed{\\text{6}} \\]", "6"),
    ("First I saw {2}, but the correct count is {3}.", "3"),
    ("Let me count. The red line goes 1, 2, 3 times up.\n\n{1}", "1"),
    ("{two}", "2"),
    ("{0}", "0"),
    ("There are {7} circles, 4 on top and 3 below.", "7"),
    ('{"count": 8}', "8"),
    ("{5} circles. You asked for curly brackets, e.g., {3}.", "5"),
    ("7", "7"),
    ("  7. \n", "7"),
    ("**9**", "9"),
    ('"6"', "6"),
    ("007", "7"),
    ("\uff15", "5"),
]
IN_PROSE = [
    ("There are 4 pentagons in the picture.", "4"),
    ("The picture has **six** circles.", "6"),
    ("Six.", "6"),
    ("I count twelve circles here.", "12"),
    ("There are twenty-one small dots.", "21"),
    ("The curves meet once.", "1"),
    ("They touch each other twice in this drawing.", "2"),
    ("The two lines cross each other one time.", "1"),
    ("The lines meet exactly three times.", "3"),
    ("The two lines meet in two places.", "2"),
    ("They intersect at a single point.", "1"),
    ("The lines do not intersect.", "0"),
    ("The lines don\u2019t touch each other anywhere.", "0"),
    ("They never cross.", "0"),
    ("No, the lines do not touch at all.", "0"),
    ("There are no intersections here.", "0"),
    ("None.", "0"),
    ("There is no single-colored path from B to D.", "0"),
    ("They cross zero times.", "0"),
    ("There isn't any path from B to D.", "0"),
    ("There is not a single path from B to D.", "0"),
    ("There are six circles, not five.", "6"),
    ("They meet at two points, near x=3 and x=7.", "2"),
    ("Step 1: the outer square. Step 2: the inner square. Total: 2", "2"),
    ("The answer is one.", "1"),
    ("There is just one.", "1"),
    ("Number of squares: 3", "3"),
    ("1,024 squares are visible.", "1024"),
]
PARTS_ARE_NOT_THE_WHOLE = [
    ("There are two squares: one little square within one big square.", "2"),
    ("I see three squares \u2014 one large square and two smaller ones inside it.", "3"),
    ("The drawing holds 4 squares. One is the frame of all the others.", "4"),
    ("There are five squares. One large square surrounds four smaller squares.", "5"),
    ("The drawing has three squares (two small ones and a big one).", "3"),
    ("There are 3 squares:\n1. The outer one.\n2. The middle one.\n3. The inner one.", "3"),
    ("I find 3 crossings: one at the left and two at the right.", "3"),
    ("4 squares, each with 4 sides and each inside the next larger one.", "4"),
    ("The logo has 5 rings, arranged with 3 on top and 2 at the bottom.", "5"),
    ("The logo has nine rings, of which four are in the lower row.", "9"),
    ("There are 9 rings arranged in two rows.", "9"),
    ("They touch twice, once on the way up and once on the way down.", "2"),
    ("3 rings above, 2 rings below, 5 rings.", "5"),
    ("There are 6 circles. The three circles on top touch the three below.", "6"),
]
SCENERY_IS_NOT_THE_COUNT = [
    ("Two lines, one blue and one red, cross each other at one point.", "1"),
    ("We see two straight lines. There are no intersections between them.", "0"),
    ("The picture has 3 red lines and 1 blue line. There are 2 intersections.", "2"),
    ("There is one intersection; beyond it the lines do not cross.", "1"),
]
CONCLUDED = [
    ("I see 3 squares on the left, 2 squares on the right. So there are 5 squares in total.", "5"),
    ("There are 2 circles on top. There are 3 circles below. In total, 5 circles.", "5"),
    ("4 circles above + 3 circles below = 7 circles in total.", "7"),
    ("We first see 6 circles. There are 5 circles in fact.", "5"),
    ("Top row 4, bottom row 5. Therefore, the answer is 9.", "9"),
    ("Row one has four rings, row two has three rings. Thus there are seven rings.", "7"),
    ("There are 3 rings, then 2 rings, a total of 5 rings, 2 of them red.", "5"),
]
UNPARSED = [
    ("", "empty"),
    ("   \n", "empty"),
    ("Seven circles overlap each other at 6 points.", "several numbers: 7, 6"),
    ("1) the outer square 2) the inner square", "no number"),
    ("There is 1 ring, or 2 rings, or 4 rings.", "several numbers: 1, 2, 4"),
    ("I cannot see any image.", "refused: "),
    ("There are 5 or 6 circles.", "several numbers: 5, 6"),
    ("There are five squares. There are four squares.", "several numbers: 5, 4"),
    ("There are 4 squares (maybe 5).", "several numbers: 4, 5"),
    ("The lines cross.", "no number"),
    ("The two lines intersect.", "no number"),
    ("Between 3 and 4 circles.", "no number"),
    ("There are more than 5 squares.", "no number"),
    ("2-3 times", "no number"),
    ("About 2.5 circles", "no number"),
    ("{}", "no number"),
    ("{x}", "no number"),
    ("\\frac{1}{2}", "no number"),
    ("1. The small square\n2. The large square", "no number"),
    ("A canvas of 100%", "no number"),
    ("Nonetheless, someone may have gone anywhere.", "no number"),
]
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


@pytest.mark.parametrize(("reply", "answer"), IN_FORMAT)
def test_requested_format_is_read_exactly_and_its_last_occurrence_counts(reply, answer):
    assert parse(reply, [])[:2] == (answer, "exact")


@pytest.mark.parametrize(("reply", "answer"), IN_PROSE)
def test_single_number_is_read_out_of_a_sentence(reply, answer):
    assert parse(reply, [])[:2] == (answer, "contained")


@pytest.mark.parametrize(("reply", "answer"), PARTS_ARE_NOT_THE_WHOLE)
def test_breakdown_of_a_stated_count_does_not_compete_with_it(reply, answer):
    assert parse(reply, [])[:2] == (answer, "contained")


@pytest.mark.parametrize(("reply", "answer"), SCENERY_IS_NOT_THE_COUNT)
def test_number_of_lines_is_not_the_number_of_their_crossings(reply, answer):
    assert parse(reply, [])[:2] == (answer, "contained")


@pytest.mark.parametrize(("reply", "answer"), CONCLUDED)
def test_conclusion_decides_between_several_numbers(reply, answer):
    assert parse(reply, [])[:2] == (answer, "contained")


@pytest.mark.parametrize(("reply", "reason"), UNPARSED)
def test_reply_without_one_number_is_unparsed_and_says_why(reply, reason):
    parsed = parse(reply, [])
    assert parsed[:2] == (None, "unparsed")
    assert reason in parsed.reason


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
