"""A study's numbers in Markdown."""

import json

import pytest

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError
from afterimage.ledger.filling import filled, read_values
from afterimage.showing.tables.cited_cells import cited_table, values_json

SQUARES = [
    {"model": "mine", "row": "squares", "n": "120", "k": "31", "accuracy": "25.8333"}
    | {"low": "18.0841", "high": "35.4655"}
]
PAIRS = [
    {"first": "mine", "second": "pixels", "difference": "-30.8333", "difference_low": "-40.1"}
    | {"difference_high": "-20.04", "p": "0.0301", "p_holm": "0.0602"}
]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "values.json"
    tables = [
        cited_table("squares", "blindtest.html", SQUARES),
        cited_table("pairs_blindtest", "", PAIRS),
    ]
    path.write_text(values_json(tables))
    return path


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("{{ val squares mine/squares accuracy }} %", "25.8 %"),
        ("{{interval squares mine/squares accuracy}}", "\\[18.1, 35.5\\]"),
        ("{{ counts squares mine/squares accuracy }}", "31/120"),
        ("{{ p pairs_blindtest mine/pixels difference }}", "*p* = 0.060"),
        (
            "{{ diff pairs_blindtest - pixels mine }}",
            "30.8 \\[20.0, 40.1\\], *p* = 0.060",
        ),
        (
            "{{ diff pairs_blindtest - mine pixels }}",
            "\u221230.8 \\[\u221240.1, \u221220.0\\], *p* = 0.060",
        ),
        ("{{< meta title >}} and {{ not closed", "{{< meta title >}} and {{ not closed"),
    ],
)
def test_a_number_stands_where_it_is_asked_for(path, asked, said):
    assert filled(asked, read_values(path)) == said


def test_a_number_links_to_its_row_where_a_page_shows_it(path):
    text = "{{ val squares mine/squares accuracy }} {{ val pairs_blindtest mine/pixels p }}"
    assert filled(text, read_values(path), "report") == (
        "[25.8](report/blindtest.html#row/squares/mine/squares) 0.030"
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("val sqares mine/squares accuracy", "unknown table 'sqares': did you mean 'squares'?"),
        (
            "val squares mine/square accuracy",
            "unknown row 'mine/square': did you mean 'mine/squares'?",
        ),
        ("val squares mine/squares acuracy", "unknown column 'acuracy': did you mean 'accuracy'?"),
        ("value squares mine/squares n", "unknown word 'value': did you mean 'val'?"),
        ("p squares mine/squares accuracy", "'accuracy' has no p value."),
        ("val squares mine/squares", "has 2 names; expected 3."),
    ],
)
def test_a_name_that_is_not_there_fails_with_its_line(path, asked, sentence):
    with pytest.raises(AfterimageError) as error:
        filled(f"one\n{{{{ {asked} }}}}", read_values(path), where="paper.md")
    assert str(error.value).startswith("paper.md:2: ")
    assert sentence in str(error.value)


def test_the_command_writes_the_manuscript_or_ends_with_one(path, tmp_path, capsys):
    text = tmp_path / "paper.md.in"
    text.write_text("We count {{ val squares mine/squares accuracy }} %.\n")
    out = tmp_path / "paper.md"
    options = ["--values", str(path), "--output", str(out)]
    assert main(["fill", str(text), *options]) == 0
    assert out.read_text() == "We count 25.8 %.\n"
    text.write_text("{{ val squares yours/squares accuracy }}")
    assert main(["fill", str(text), *options]) == 1
    assert "did you mean 'mine/squares'?" in capsys.readouterr().err
    path.write_text(json.dumps([1]))
    assert main(["fill", str(text), *options]) == 1
    assert "not the values of a run" in capsys.readouterr().err
