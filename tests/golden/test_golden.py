"""Results, names and journal keys are what is kept in this folder (README.md says how to change that on purpose).

Each study runs once, observed, so that the same run shows that its jobs enter only functions their fingerprints cover.
"""

import csv

import pytest
from golden_files import difference, kept, list_file
from golden_runs import SOURCES
from golden_studies import STUDIES
from observing import observed, seen

pytestmark = pytest.mark.golden


@pytest.fixture(scope="module", params=STUDIES)
def study_run(root, tmp_path_factory, request):
    """A study's name, the folder it ran in, its results as they are kept, and the folder of what was observed."""
    folder = tmp_path_factory.mktemp(request.param)
    with observed(folder / "seen"):
        found = SOURCES[request.param](root, folder / "study")
    return request.param, folder / "study", found, folder / "seen"


def test_results_are_those_kept(study_run):
    """Of the study with a journal: nobody listens at the address of its models, so the journal answers everything."""
    name, folder, found, _ = study_run
    assert without_width(folder) == []
    assert_kept(name, found)


def test_a_job_enters_nothing_that_its_fingerprint_does_not_cover(study_run):
    _, folder, _, noted = study_run
    found = seen(noted, folder)
    assert not found.uncovered, "\n".join(found.uncovered)
    assert {"draw_figure", "make_items", "run_model", "make_table"} <= found.kinds.keys()


@pytest.mark.parametrize("name", sorted(SOURCES.keys() - STUDIES.keys()))
def test_names_and_journal_keys_are_those_kept(name, root, tmp_path):
    assert_kept(name, SOURCES[name](root, tmp_path / name))


def assert_kept(name, found):
    """Fail with the lines that differ from those kept."""
    expected = kept(name)
    assert expected.get(list_file(name)), f"tests/golden/{name}.txt is missing or empty"
    if found != expected:
        pytest.fail(
            f"{name}: what is found differs from what tests/golden keeps (-: kept, +: found).\n"
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
