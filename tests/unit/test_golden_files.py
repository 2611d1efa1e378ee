"""Golden results: small tables are kept as text, large ones as digests, and what differs is shown as lines."""

import golden_digests
import pytest
from golden_files import MAX_LINES, difference, keep, kept, table_file

HEADER = "model,k,low\n"


def table(rows):
    return HEADER + "".join(f"model {row},{row},0.{row}\n" for row in range(rows))


@pytest.fixture
def results(tmp_path):
    def write(tables):
        for name, text in tables.items():
            path = tmp_path / "results" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return tmp_path / "results"

    return write


@pytest.mark.parametrize(
    ("text", "is_small"),
    [
        (table(golden_digests.MAX_ROWS), True),
        (table(golden_digests.MAX_ROWS + 1), False),
        (HEADER + "x" * golden_digests.MAX_BYTES + ",1,0\n", False),
        (HEADER, True),
    ],
)
def test_a_table_is_kept_as_text_or_as_digests(results, text, is_small):
    found = results({"tables/one.csv": text, "tables/one.md": "| |\n"})
    lines = list(golden_digests._described(found))
    assert lines[-1].startswith("tables/one.md: sha256 ")
    if is_small:
        assert golden_digests.tables(found) == {"tables/one.csv": text}
        assert len(lines) == 1
    else:
        assert golden_digests.tables(found) == {}
        assert [line.split(": ")[0] for line in lines[:-1]] == [
            "tables/one.csv",
            *(
                f"tables/one.csv / {index:02d} {name}"
                for index, name in enumerate(HEADER.strip().split(","))
            ),
        ]


def test_of_the_ledger_what_the_study_found_is_kept_as_text(results):
    rows = [f"paper,{row},{row if row in (7, 8) else ''}\n" for row in range(1000)]
    header = "paper,published,value\n"
    found = results({golden_digests.LEDGER: header + "".join(rows)})
    assert golden_digests.tables(found) == {golden_digests.LEDGER: header + rows[7] + rows[8]}
    first, *_ = before = list(golden_digests._described(found))
    assert first.startswith("numbers.csv: sha256 ") and first.endswith(", 998 rows")
    # Nothing is kept twice, and nothing not at all.
    for row, changes in ((7, False), (9, True)):
        changed = [*rows[:row], rows[row].replace("paper", "other"), *rows[row + 1 :]]
        found = results({golden_digests.LEDGER: header + "".join(changed)})
        assert (list(golden_digests._described(found)) != before) is changes


def test_what_is_kept_is_read_back_byte_by_byte_and_the_rest_is_removed(tmp_path):
    measured = "stimuli/pope/measured.csv"
    assert table_file("pope", "tables/pope.csv") == "tables/pope/pope.csv"
    assert table_file("pope", measured) == f"tables/pope/{measured}"
    files = {
        "pope.txt": "line\n",
        "tables/pope/pope.csv": 'a\r\n"two\nlines"',
        f"tables/pope/{measured}": "a,ä\n",
    }
    other = {"search.txt": "", "tables/search/search.csv": "a\n"}
    keep("pope", files, tmp_path)
    keep("search", other, tmp_path)
    assert kept("pope", tmp_path) == files
    del files[f"tables/pope/{measured}"]
    keep("pope", files, tmp_path)
    assert kept("pope", tmp_path) == files
    assert kept("search", tmp_path) == other


def test_a_changed_number_is_shown_with_its_row_and_column():
    before = {"pope.txt": "one\ntwo\n", "tables/pope/pope.csv": table(3)}
    after = before | {"tables/pope/pope.csv": table(3).replace("model 1,1", "model 1,7")}
    assert difference(before, before) == ""
    assert difference(before, after).splitlines() == [
        "tables/pope/pope.csv:",
        "-model 1,1,0.1",
        "+model 1,7,0.1",
        "Columns that differ: k",
    ]


def test_of_a_table_in_which_much_differs_the_first_lines_are_shown():
    before, after = ({"t.csv": table(100), "t.txt": text} for text in ("a\n", "b\n"))
    after["t.csv"] = table(100).replace(",0.", ",1.")
    first, *lines, more, columns, second, old, new = difference(before, after).splitlines()
    assert (first, more, columns) == (
        "t.csv:",
        f"... and {200 - MAX_LINES} lines more",
        "Columns that differ: low",
    )
    assert lines[:4] == ["-model 0,0,0.0", "+model 0,0,1.0", "-model 1,1,0.1", "+model 1,1,1.1"]
    assert len(lines) == MAX_LINES
    assert (second, old, new) == ("t.txt:", "-a", "+b")


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ({}, {"t.csv": HEADER}, "t.csv:\n+model,k,low\n+"),
        ({"t.csv": HEADER}, {}, "t.csv:\n-model,k,low\n-"),
        ({"t.csv": "a\n1\n"}, {"t.csv": "a\n1\n2\n"}, "t.csv:\n+2"),
        ({"t.txt": "a\n"}, {"t.txt": "a"}, "t.txt:\n-"),
    ],
    ids=["a new table", "a table that went", "a new row", "no end of line"],
)
def test_nothing_that_differs_is_silent(before, after, shown):
    assert difference(before, after) == shown
