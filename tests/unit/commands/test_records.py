"""What Snakemake has recorded about files is read from either of its stores."""

import pytest
from snakemake_records import record

from afterimage.commands.records import Records

TABLE = "results/tables/fake_vqa.csv"


@pytest.fixture
def made(tmp_path):
    """A folder with one table."""
    path = tmp_path / TABLE
    path.parent.mkdir(parents=True)
    path.write_text("x")
    return tmp_path


@pytest.mark.parametrize("backend", ["file", "db"])
def test_records_are_read_from_either_of_snakemakes_stores(made, backend):
    record(made, [TABLE], backend, times=(1000.0, 2000.0))
    record(made, ["results/tables/foreign.csv"], backend, params=["'mine'"])
    records = Records(made)
    assert records.of(TABLE).start == 1000.0
    assert records.of("results/tables/foreign.csv") is None
    assert records.of("results/tables/gone.csv") is None


def test_a_record_that_is_torn_or_of_another_form_says_nothing(made):
    record(made, [TABLE])
    folder = made / ".snakemake" / "metadata"
    name = next(path.name for path in folder.iterdir() if path.is_file())
    for content in ("{", "[]", "null", '{"rule": 1, "starttime": "never"}', ""):
        (folder / name).write_text(content)
        assert Records(made).of(TABLE) is None
