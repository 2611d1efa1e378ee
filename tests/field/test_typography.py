"""Typography and units are levelled on both sides of a comparison; they decide nothing.

Public report: UKGovernmentBEIS/inspect_ai#1716, answers that a scorer missed since they were written with other signs.
"""

import pytest

from afterimage.grading.grade import read_text
from afterimage.grading.language.typography import levelled, levelled_number

#: Pairs that say the same.
SAME = [
    ("1,200", "1200"),
    ("1 200", "1200"),
    ("1\u202f200", "1200"),
    ("1\u00a0200 px", "1,200px"),
    ("1’200", "1200"),
    ("1'234'567", "1,234,567"),
    ("−5", "-5"),
    ("－5", "-5"),
    ("–5", "-5"),
    ("5–7", "5-7"),
    ("5—7", "5‑7"),
    ("3 cm", "3cm"),
    ("40 px", "40px"),
    ("10 %", "10%"),
    ("5 °C", "5°C"),
    ("１２", "12"),
    ("١٢", "12"),
    ("१२", "12"),
    ("1.0", "1"),
    ("3.50", "3.5"),
    ("3,5", "3.5"),
    ("2×3", "2x3"),
    ("½", "1/2"),
    ("x‑ray", "x-ray"),
    ("twenty–one", "twenty-one"),
    ("+7", "7"),
    # A dotted capital, composed, decomposed, and made small by a program.
    ("İki", "iki"),
    ("I\u0307ki", "iki"),
    ("i\u0307ki", "iki"),
]
#: Pairs that do not.
OTHER = [
    ("-5", "5"),
    ("1.5", "15"),
    ("1,200", "1.2"),
    ("12", "1 2"),
    ("3 m", "3 cm"),
    ("5-7", "57"),
    ("1.05", "1.5"),
    ("0.5", "5"),
    ("100", "10"),
    ("10", "1"),
    ("ılık", "ilik"),
    ("Iki", "ıki"),
]


def read(answer_type, options, text):
    item = {
        "answer_type": answer_type,
        "options": [{"option_id": name, "text": option} for name, option in options],
        "messages": [],
    }
    return read_text(text, item).answer


@pytest.mark.parametrize("answer_type", ["choice", "lettered_choice", "short_text"])
@pytest.mark.parametrize(("first", "second"), SAME)
def test_what_is_written_otherwise_is_the_same_answer(answer_type, first, second):
    for option, reply in ((first, second), (second, first), (first, f"**{second}**")):
        assert read(answer_type, [("a", option), ("b", "something else")], reply) == "a"


# Under letters a bare number may be an option's place.
@pytest.mark.parametrize("answer_type", ["choice", "short_text"])
@pytest.mark.parametrize(("first", "second"), OTHER)
def test_another_number_is_another_answer(answer_type, first, second):
    for option, reply in ((first, second), (second, first)):
        assert read(answer_type, [("a", option), ("b", "something else")], reply) != "a"
        assert read(answer_type, [("a", option), ("b", reply)], reply) == "b"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("1,200", "1200"),
        ("1\u202f200", "1200"),
        ("１２", "12"),
        ("١٢", "12"),
        ("3.0", "3"),
        ("There are 12 px between them, so 3.0 discs.", None),
        ("−5", None),
        ("-5", None),
    ],
)
def test_a_count_is_read_whatever_its_digits_and_never_without_its_sign(reply, expected):
    found = read("integer", [], reply)
    assert found == expected if expected else found not in ("5", "12")


@pytest.mark.parametrize(
    "text", ["", "left", "The circles touch – just.", "a - b", "3.14", "v2", "1,2 and 3"]
)
def test_what_holds_no_such_sign_stays(text):
    assert levelled(text) == levelled_number(text) == text
