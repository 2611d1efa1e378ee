"""The numbers as LaTeX macros and as lines of text."""

import re

import pytest

from afterimage.errors import AfterimageError
from afterimage.ledger.entries import COLUMNS
from afterimage.ledger.published import in_words, macro_name, macros, read_numbers

NAME = "blindtest/task1/gpt-4o/average/accuracy"


def entry(name=NAME, **fields):
    parts = dict(zip(("paper", "table", "model", "subset", "metric"), name.split("/"), strict=True))
    return dict.fromkeys(COLUMNS, "") | parts | {"published": "48.67", "unit": "percent"} | fields


def test_a_macros_name_has_letters_only_and_spells_out_digits_and_points():
    assert macro_name(NAME) == "numBlindtestTaskOneGptFourOAverageAccuracy"
    assert "ThreePointFive" in macro_name("blindtest/task1/claude-3.5-sonnet/average/accuracy")


def test_no_two_published_numbers_share_a_macro(root):
    numbers = read_numbers((root / "resources" / "published").glob("*.csv"))
    text = macros(entry(number.name, published=number.published) for number in numbers)
    names = re.findall(r"\\newcommand\{\\([^}]*)\}", text)
    assert len(names) == len(set(names)) == 3 * len(numbers)
    assert all(re.fullmatch("[A-Za-z]+", name) for name in names)


def test_two_numbers_with_one_name_are_refused_by_name():
    twin = entry("blindtest/task1/gpt_4o/average/accuracy")
    with pytest.raises(AfterimageError, match="'blindtest/task1/gpt-4o/average/accuracy' and"):
        macros([entry(), twin])


def test_a_macro_has_as_many_decimals_as_the_printed_number_and_rounds_half_up():
    text = macros([entry(value="45.1250", low="-1.0000", high="50.5555")])
    assert r"\numBlindtestTaskOneGptFourOAverageAccuracy}{45.13}" in text
    assert r"AverageAccuracyInterval}{{[}$-$1.00, 50.56{]}}" in text
    assert r"AverageAccuracyPublished}{48.67}" in text


def test_a_number_that_is_not_there_is_not_a_number_in_the_manuscript():
    assert r"\numBlindtestTaskOneGptFourOAverageAccuracy}{n/a}" in macros([entry()])


def test_a_line_of_text_has_value_counts_interval_and_source():
    found = {"value": "45.0000", "k": "45", "n": "100", "low": "35.6145", "high": "54.7554"}
    found |= {"verdict": "cannot_tell", "difference": "-3.6700"}
    found |= {"difference_low": "-15.0000", "difference_high": "7.5000"}
    line = in_words(entry(**found, status="measured", source_file="a.csv"))
    assert line.startswith("45.0000 (45/100) [35.6145, 54.7554] percent; measured: ")
    assert line.endswith(
        "published 48.67, cannot tell: difference -3.6700 [-15.0000, 7.5000]; from a.csv\n"
    )


def test_a_line_about_a_number_that_was_not_run_says_why():
    line = in_words(entry(status="not_run", reason="the study leaves it out"))
    assert line == f"not_run: {NAME}: the study leaves it out; published 48.67 percent\n"
