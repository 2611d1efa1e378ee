"""The transcription of the papers' printed numbers."""

import csv
from collections import Counter
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest

from afterimage.contract.paper import SOURCE, Number
from afterimage.errors import AfterimageError
from afterimage.ledger.published import read_numbers

#: Whose numbers were all read in their source.
PAPERS = ("illusion_vqa", "pope", "texture", "illusionbench_plus", "blindtest")

LATER = ("vi_probe", "repope", "vlms_biased")

#: Of the authors' official sets.
OFFICIAL = ("pope_2023", "llava_1_5", "hallusionbench", "illusionvqa")


@pytest.fixture(scope="module")
def numbers(root):
    return read_numbers(root / "resources" / "published" / f"{paper}.csv" for paper in PAPERS)


@pytest.fixture(scope="module")
def later(root):
    return read_numbers(root / "resources" / "published" / f"{paper}.csv" for paper in LATER)


@pytest.fixture(scope="module")
def official(root):
    return read_numbers(root / "resources" / "published" / f"{paper}.csv" for paper in OFFICIAL)


def test_every_count_prints_as_the_value_that_it_stands_for(numbers, later, official):
    counted = [number for number in [*numbers, *later, *official] if number.attainable_k]
    assert len(counted) > 1180
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
    with pytest.raises(AfterimageError, match="'texture/table1/gpt-4o/all/accuracy' occurs twice"):
        read_numbers([path])


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "texture.csv"
    path.write_text("table,model\n")
    with pytest.raises(AfterimageError, match=r"found the columns table, model; expected table"):
        read_numbers([path])


def test_the_transcription_has_every_number_of_the_reference_digit_by_digit(numbers, published):
    with (published / "published_numbers.csv").open(newline="", encoding="utf-8") as file:
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


def test_the_later_papers_stand_there_digit_by_digit(later, published):
    reference = {}
    for paper in LATER:
        with (published / f"frontier_{paper}.csv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                told = (row["value"], row["unit"], row["denominator"])
                reference[tuple(row[part] for part in Number._fields[:5])] = told
    found = {number[:5]: (number.published, number.unit, number.denominator) for number in later}
    assert found == reference


def _rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_what_the_authors_of_the_official_sets_print_stands_there_digit_by_digit(
    official, reference
):
    found = {paper: [] for paper in OFFICIAL}
    for number in official:
        found[number.paper].append(number)
    columns = ("accuracy_pct", "precision_pct", "recall_pct", "f1_pct", "yes_pct")
    table3 = [
        row[name] for row in _rows(reference / "pope/published_table3.csv") for name in columns
    ]
    assert [number.published for number in found["pope_2023"]] == table3
    (odd,) = [number for number in found["pope_2023"] if number.misprint]
    assert odd.name == "pope_2023/table3/minigpt-4/popular/f1"
    printed = [row["published_f1_pct"] for row in _rows(reference / "pope/expected.csv")]
    assert [number.published for number in found["llava_1_5"]] == printed
    for paper in ("hallusionbench", "illusionvqa"):
        rows = [row for row in _rows(reference / f"{paper}/expected.csv") if row["published_pct"]]
        assert [number.published for number in found[paper]] == [
            row["published_pct"] for row in rows
        ]
        counts = [row.get("n") or row["recomputed_n"] for row in rows]
        assert [number.denominator for number in found[paper]] == counts


def test_what_the_authors_recorded_answers_do_not_give_is_said(official):
    said = {
        number.name.partition("/")[2]: number.misprint for number in official if number.misprint
    }
    assert len(said) == 6
    assert all(sentence.endswith(".") for sentence in said.values())
    people = [number for number in official if number.model == "human"]
    assert len(people) == 13
    assert {number.subset: number.published for number in people}["total"] == "91.03"
