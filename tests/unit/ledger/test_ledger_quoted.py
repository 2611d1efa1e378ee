"""The papers' own models as rows of tables: as printed, with counts that are known, seen by nothing else."""

import csv
import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from importlib import import_module

import pandas as pd
import pytest

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve, with_name
from afterimage.ledger.published import is_quoted, read_numbers
from afterimage.ledger.verdicts import quoted_rows
from afterimage.planning.papers import read_papers
from afterimage.showing.looks import PAPER
from afterimage.showing.tables.declaration import Table
from afterimage.showing.tables.layout import lay_out, quoted_frame
from afterimage.statistics.intervals import wilson_interval

CONFIDENCE = 0.95
SETTINGS = {"confidence": CONFIDENCE, "texture": {"dataset": {"files": {}}}}
_NUMBER = re.compile(r"\d+\.\d+")


def papers_of(root):
    found = read_papers(root / "resources" / "published")
    return {
        name: {
            "part": load_suite(paper["suite"]).paper,
            "names": paper.get("in_print", {}),
            "source": paper["source"],
        }
        for name, paper in found.items()
        if paper["suite"]
    }


@pytest.fixture(scope="module")
def papers(root):
    return papers_of(root)


@pytest.fixture(scope="module")
def numbers(root, papers):
    return read_numbers(root / "resources" / "published" / f"{name}.csv" for name in papers)


@pytest.fixture(scope="module")
def cells(papers, numbers):
    """Every printed number that a table shows, with its place."""
    return [
        (number, ref)
        for number in filter(is_quoted, numbers)
        for ref in import_module(papers[number.paper]["part"]).quoted(number)
    ]


@pytest.fixture(scope="module")
def rows_of(papers, numbers):
    return cache(lambda table: quoted_rows(numbers, papers, table, CONFIDENCE))


def declared(papers, cells, name):
    """The declaration of a table, without what looks at the study's answers."""
    paper = next(number.paper for number, ref in cells if ref.table == name)
    suite = load_suite(papers[paper]["part"].split(".")[2])
    part = next(table.part for table in suite.tables if table.name == name)
    table = resolve(with_name(part, "TABLE"))
    return replace(table, notes=(), warnings=(), findings=(), references=None, best=None)


def test_a_table_without_such_rows_lacks_them(root, papers, numbers):
    like = pd.DataFrame({"model": ["m"], "prompt": ["few_shot"], "condition": ["genuine"]})
    like = like.assign(subset="all")
    frame = quoted_frame(
        Table("t", "t", rows=()), like, quoted_rows(numbers, papers, "genuine_vqa", CONFIDENCE)
    )
    assert frame.empty and list(frame) == list(like)


def name_of(papers, number):
    shown = "people" if number.model == "human" else papers[number.paper]["names"].get(number.model)
    return f"{shown or number.model} (paper)"


def row(rows, model, **at):
    (found,) = [
        one.cells for one in rows if one.cells["model"] == model and at.items() <= one.at.items()
    ]
    return found


def test_a_share_of_a_known_count_has_it_and_its_interval(rows_of):
    found = row(rows_of("genuine_vqa"), "GPT-4o (paper)", condition="genuine")
    assert (found["both_correct"], found["both_correct_k"], found["n"]) == (75.0, 21, 28)
    low, high = wilson_interval(21, 28, CONFIDENCE)
    assert found["both_correct_low"] == pytest.approx(100 * low)
    assert found["both_correct_high"] == pytest.approx(100 * high)


def test_a_number_that_no_count_is_known_to_print_as_stands_alone(rows_of):
    people = row(rows_of("texture_classification"), "people (paper)")
    assert people == {"model": "people (paper)", "choose_5_accuracy": 78.57}
    found = row(rows_of("illusionbench_tf"), "GPT-4o (paper)")
    assert (found["real_scene"], found["classical"]) == (0.8082, 0.7653)
    assert not {"real_scene_k", "real_scene_n", "real_scene_low", "classical_n"} & set(found)
    assert (found["ishihara_k"], found["ishihara_n"]) == (40, 52)


def test_counts_are_those_of_the_reference(rows_of, cells, papers, published):
    with (published / "attainable.csv").open(encoding="utf-8", newline="") as file:
        known = {tuple(line.values())[:5]: line for line in csv.DictReader(file)}
    compared = 0
    for number, ref in cells:
        expected = known.get(number[:5])
        found = row(rows_of(ref.table), name_of(papers, number), **without_kind(ref))
        if expected is None or not ref.k or ref.k not in found:
            continue
        n = sum(found[column] for column in ref.n) * ref.times
        assert (str(found[ref.k]), str(n)) == (expected["k"], expected["denominator"]), number
        compared += 1
    assert compared > 250


def without_kind(ref):
    return {column: value for column, value in ref.rows.items() if column != "kind"}


def test_no_cell_is_printed_twice_with_different_values(cells, papers):
    seen = {}
    for number, ref in cells:
        at = (ref.table, name_of(papers, number), *ref.rows.items(), ref.value)
        assert seen.setdefault(at, number.published) == number.published, at


#: Tables that show in percent what their papers print from 0 to 1.
IN_PERCENT = ("illusionbench_tf", "illusionbench_mcq")


def prints_alike(value, shown):
    """A table may have fewer digits than a paper, and more where a paper drops zeros or prints a count's few."""
    coarser, finer = sorted((value, shown), key=lambda one: -one.as_tuple().exponent)
    return finer.quantize(coarser, ROUND_HALF_UP) == coarser


def test_readers_see_every_number_as_it_is_printed(papers, numbers, cells, rows_of):
    for name in dict.fromkeys(ref.table for _, ref in cells):
        table, rows = declared(papers, cells, name), rows_of(name)
        like = pd.DataFrame([one.at for one in rows], columns=list(table.csv_names))
        frame = quoted_frame(table, like, rows)
        assert set(frame.get("kind", [PAPER])) == {PAPER}
        assert len(frame) == len(rows)
        shown = {}
        for laid in lay_out(table, frame, frame, SETTINGS).rows:
            text = "\n".join(laid.cells)
            assert "too few" not in text and "nan" not in text.lower(), (name, laid.cells)
            shown.setdefault(laid.cells[0], set()).update(map(Decimal, _NUMBER.findall(text)))
        everything = set().union(*shown.values())
        for number, ref in cells:
            if ref.table == name:
                printed = shown.get(name_of(papers, number), everything)
                value = abs(Decimal(number.published)) * (100 if name in IN_PERCENT else 1)
                assert any(prints_alike(value, one) for one in printed), (name, number)
