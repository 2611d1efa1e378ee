"""Every interval of every file that a run writes is one: its upper bound lies above its lower."""

import csv


def bounds_of(path):
    """Yield line, column and both bounds of each interval of a CSV file."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for line, row in enumerate(csv.DictReader(file), start=2):
            for column, low in row.items():
                high = row.get(f"{column.removesuffix('low')}high")
                if column.endswith("low") and low and high:
                    yield line, column, float(low), float(high)


def test_no_interval_of_a_run_has_zero_width(finished_study):
    found = {
        path: list(bounds_of(path)) for path in sorted((finished_study / "results").rglob("*.csv"))
    }
    assert sum(map(len, found.values())) > 1000
    assert not [
        (path.name, line, column, low)
        for path, intervals in found.items()
        for line, column, low, high in intervals
        if not low < high
    ]
