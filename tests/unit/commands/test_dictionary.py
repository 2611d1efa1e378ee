"""The data dictionary says what the code does, and every column is explained."""

import csv
import re

import pytest

from afterimage.commands import dictionary
from afterimage.contract.finding import load_suite, suite_names
from afterimage.files.parquet import meaning_of
from afterimage.showing.tables.meanings import OF_STUDY, SHARED, explained

SCHEMAS = [value for name, value in vars(dictionary).items() if hasattr(value, "names")]
CSV_COLUMN = re.compile(r"tables/(\w+)\.csv / (\d+) (\S+): ")


@pytest.fixture(scope="module")
def tables():
    """Suite, or the study's table, to its meanings and its tables."""
    suites = {
        name: (load_suite(name).meanings, dictionary.suite_tables(name)) for name in suite_names()
    }
    own = {table.name: (OF_STUDY[table.name], [table]) for table in dictionary.STUDY_TABLES}
    return suites | own


def test_the_document_is_what_the_code_makes():
    written = dictionary.DOCUMENT.read_text(encoding="utf-8")
    assert written == dictionary.filled(written), (
        "docs/data_dictionary.md does not say what schemas and tables do; `make schemas` writes it anew"
    )
    assert set(re.findall(r"<!-- columns: (\w+) -->", written)) == set(dictionary.BLOCKS)


def test_every_column_of_a_table_is_explained_and_nothing_else_is(tables):
    silent, used = [], set()
    for suite, (own, declared) in tables.items():
        for table in declared:
            assert table.csv_names, f"{table.name} declares no columns"
            for column in table.csv_names:
                found = explained(column, own)
                if found is None:
                    silent.append(f"{table.name}: {column}")
                else:
                    used.add((suite if found[0] in own else "", found[0]))
    assert not silent, (
        "say in the suite's field meanings, or in showing/tables/meanings.py, what these columns mean"
    )
    said = {(suite, name) for suite, (own, _) in tables.items() for name in own}
    # Tables get these columns when they are written: where people were simulated, a model has failed, or of a pilot.
    written_later = ("human_filter", "not_finished", "pilot")
    said |= {("", name) for name in SHARED if name not in written_later}
    assert said - used == set()


def test_declared_columns_are_those_of_the_written_files(root, tables):
    written, golden = {}, root / "tests" / "golden"
    for file in golden.glob("*.txt"):
        for table, _, column in sorted(CSV_COLUMN.findall(file.read_text(encoding="utf-8"))):
            written.setdefault(table, {})[column] = None
    for file in golden.glob("tables/*/*.csv"):
        with file.open(encoding="utf-8", newline="") as text:
            written.setdefault(file.stem, {}).update(dict.fromkeys(next(csv.reader(text))))
    declared = {table.name: table.csv_names for _, own in tables.values() for table in own}
    shared = set(written) & set(declared)
    assert len(shared) > 35
    for name in shared:
        assert tuple(written[name]) == declared[name], name


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.names[-1])
def test_every_column_of_a_schema_says_what_it_means(schema):
    assert not [field.name for field in schema if not meaning_of(field)]
