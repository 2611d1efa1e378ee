"""Results, names and journal keys are what is kept in this folder (README.md says how to change that on purpose)."""

import csv

import pytest
from golden_runs import SOURCES, difference, kept

pytestmark = pytest.mark.golden


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_found_is_what_is_kept(root, tmp_path, name):
    """Of the study with a journal: nobody listens at the address of its models, so the journal answers everything."""
    expected, found = kept(name), SOURCES[name](root, tmp_path / name)
    assert without_width(tmp_path / name) == []
    assert expected, f"tests/golden/{name}.txt is missing or empty"
    if found != expected:
        pytest.fail(
            f"{name}: what is found differs from tests/golden/{name}.txt (-: kept, +: found).\n"
            f"{difference(expected, found)}\n"
            f"To look at the files: python tests/golden/regenerate.py --folder FOLDER {name}",
            pytrace=False,
        )


def without_width(folder):
    """Return the intervals of tables whose bounds are the same: an interval says how far a number may be off."""
    found = []
    for file in sorted(folder.glob("results/tables/*.csv")):
        with file.open(encoding="utf-8", newline="") as text:
            for number, row in enumerate(csv.DictReader(text), start=1):
                for low, value in row.items():
                    high = row.get(low.removesuffix("low") + "high") if low.endswith("low") else ""
                    if value and high and float(value) >= float(high):
                        found.append(f"{file.name}, row {number}: {low} {value}")
    return found
