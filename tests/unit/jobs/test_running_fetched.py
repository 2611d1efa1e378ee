"""A spec names inputs by where they lie: what Snakemake fetches from storage lies elsewhere."""

import pytest

from afterimage.jobs.running import with_fetched

FETCHED = ".snakemake/storage/fs/store/results/stimuli/pope/records.jsonl"


def test_a_fetched_input_takes_the_place_of_its_path_wherever_a_spec_names_it():
    named = "results/stimuli/pope/records.jsonl"
    spec = {"bank": {"records": named}, "files": [named, "other"], "seed": 3, "none": None}
    placed = with_fetched(spec, {"files": [FETCHED], "shard": "results/items/a.parquet"})
    assert placed == {
        "bank": {"records": FETCHED},
        "files": [FETCHED, "other"],
        "seed": 3,
        "none": None,
    }


@pytest.mark.parametrize(
    "value",
    ["pope/records", "records.jsonl", "of a/b", "ults/stimuli/pope/records.jsonl"],
    ids=["a part", "a bare name", "a text", "an end that is no path"],
)
def test_what_is_no_inputs_path_stays(value):
    assert with_fetched({"x": value}, {"files": [FETCHED]}) == {"x": value}


def test_a_path_that_is_there_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").touch()
    inputs = {"files": "/elsewhere/a/b.csv"}
    assert with_fetched(["a/b.csv"], inputs) == ["a/b.csv"]
    (tmp_path / "a" / "b.csv").unlink()
    assert with_fetched(["a/b.csv"], inputs) == ["/elsewhere/a/b.csv"]
