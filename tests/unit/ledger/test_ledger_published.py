"""The transcription of the papers' printed numbers."""

import csv
import os
from collections import Counter
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from afterimage.contract.paper import SOURCE, Number
from afterimage.errors import AfterimageError
from afterimage.ledger.published import read_numbers

#: Whose numbers were all read in their source.
PAPERS = ("illusion_vqa", "pope", "texture", "illusionbench_plus", "blindtest")

LATER = ("vi_probe", "repope", "vlms_biased")


@pytest.fixture(scope="module")
def numbers(root):
    return read_numbers(root / "resources" / "published" / f"{paper}.csv" for paper in PAPERS)


@pytest.fixture(scope="module")
def later(root):
    return read_numbers(root / "resources" / "published" / f"{paper}.csv" for paper in LATER)


def test_every_count_prints_as_the_value_that_it_stands_for(numbers, later):
    counted = [number for number in [*numbers, *later] if number.attainable_k]
    assert len(counted) > 1000
    for number in counted:
        scale = 100 if number.unit == "percent" else 1
        exact = Decimal(number.attainable_k) * scale / Decimal(number.denominator)
        unit = Decimal(1).scaleb(Decimal(number.published).as_tuple().exponent)
        rules = (ROUND_HALF_UP, ROUND_HALF_EVEN)
        if number.attainable == "truncated":
            rules = (ROUND_DOWN,)
        printed = {exact.quantize(unit, rule) for rule in rules}
        assert Decimal(number.published) in printed, number.name


def test_every_number_that_no_count_gives_is_said_to_be_a_misprint(numbers):
    impossible = [number for number in numbers if number.attainable == "not_attainable"]
    assert len(impossible) == 54
    assert all(number.misprint.endswith(".") for number in impossible)


def test_the_four_classes_of_an_illusion_table_sum_to_one_hundred(numbers):
    sums = Counter()
    for number in numbers:
        if number.paper == "illusion_vqa" and number.is_result:
            sums[number[1:4]] += Decimal(number.published)
    assert len(sums) == 13
    assert all(abs(total - 100) <= Decimal("0.2") for total in sums.values())


def test_a_number_that_stands_twice_is_refused(tmp_path):
    row = "table1,gpt-4o,all,accuracy,50,percent,2,1,exact,\n"
    path = tmp_path / "texture.csv"
    path.write_text(",".join(Number._fields[1:11]) + "\n" + row + row)
    with pytest.raises(AfterimageError, match="'texture/table1/gpt-4o/all/accuracy' stands there"):
        read_numbers([path])


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "texture.csv"
    path.write_text("table,model\n")
    with pytest.raises(AfterimageError, match=r"found the columns table, model; expected table"):
        read_numbers([path])


def test_the_transcription_has_every_number_of_the_reference_digit_by_digit(numbers):
    if "AFTERIMAGE_REFERENCE" not in os.environ:
        pytest.skip(
            "the environment variable AFTERIMAGE_REFERENCE is not set; expected the folder that holds "
            "published/published_numbers.csv"
        )
    path = Path(os.environ["AFTERIMAGE_REFERENCE"]) / "published" / "published_numbers.csv"
    with path.open(newline="", encoding="utf-8") as file:
        reference = {
            tuple(row[part] for part in Number._fields[:5]): (row["value"], row["unit"])
            for row in csv.DictReader(file)
        }
    assert {number[:5]: (number.published, number.unit) for number in numbers} == reference


def test_of_numbers_seen_elsewhere_it_is_said_where(numbers, later):
    assert {number.seen for number in numbers} == {SOURCE}
    found = Counter((number.paper, number.seen) for number in later)
    assert found == {
        ("vi_probe", "source"): 13,
        ("vi_probe", "second_hand"): 60,
        ("repope", "source"): 20,
        ("repope", "read_off_plot"): 134,
        ("vlms_biased", "source"): 246,
    }
    assert all(number.note for number in later if number.seen != SOURCE)


def test_what_was_seen_nowhere_known_is_refused(tmp_path):
    path = tmp_path / "texture.csv"
    row = "table1,gpt-4o,all,accuracy,50,percent,2,1,exact,,heard,\n"
    path.write_text(",".join(Number._fields[1:]) + "\n" + row)
    with pytest.raises(AfterimageError, match="line 2: 'seen' is 'heard'; expected source, second"):
        read_numbers([path])


def test_the_later_papers_stand_there_digit_by_digit(later):
    if "AFTERIMAGE_REFERENCE" not in os.environ:
        pytest.skip("the environment variable AFTERIMAGE_REFERENCE is not set")
    reference = {}
    for paper in LATER:
        path = Path(os.environ["AFTERIMAGE_REFERENCE"]) / "published" / f"frontier_{paper}.csv"
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                told = (row["value"], row["unit"], row["denominator"])
                reference[tuple(row[part] for part in Number._fields[:5])] = told
    found = {number[:5]: (number.published, number.unit, number.denominator) for number in later}
    assert found == reference
