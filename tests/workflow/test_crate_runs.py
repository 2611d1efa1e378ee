"""The archive of a run that Snakemake made tells of each of its jobs, wherever Snakemake keeps its records."""

import json
import os
import re
import zipfile
from pathlib import Path

import pytest
import yaml
from snakemake_server import snakemake_server

from afterimage.commands.cli import main

ARCHIVE = "results/crate.zip"
PATIENCE_SECONDS = 1800
STUDY = {
    "models": ["chance"],
    "suites": {"illusion_vqa": {"illusions": ["fick"], "prompts": ["zero_shot"]}},
    "statistics": {"resamples": 500},
}


@pytest.fixture(params=["file", "db"])
def run_before(request, root, tmp_path) -> Path:
    """The folder of a finished run, its records in files or in a database."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "config.yaml").write_text(yaml.safe_dump(STUDY))
    words = ["--snakefile", str(root / "Snakefile"), "--cores", "2", "--nocolor"]
    words += ["--persistence-backend", request.param]
    done = snakemake_server().run(folder, words, os.environ, PATIENCE_SECONDS)
    assert done.returncode == 0, done.stdout
    assert bool(list(folder.glob(".snakemake/metadata/*"))) == (request.param == "file")
    return folder


def archived(folder: Path, monkeypatch) -> dict[str, dict]:
    """Archive a run; return the archive's entities."""
    monkeypatch.chdir(folder)
    assert main(["crate"]) == 0
    with zipfile.ZipFile(folder / ARCHIVE) as archive:
        graph = json.loads(archive.read("ro-crate-metadata.json"))["@graph"]
    return {entity["@id"]: entity for entity in graph}


def test_each_result_has_a_job_with_its_inputs_and_code(run_before, monkeypatch, capsys):
    entities = archived(run_before, monkeypatch)
    assert "no record" not in capsys.readouterr().err
    jobs = [entity for name, entity in entities.items() if name.startswith("#job-")]
    makers = {name: job for job in jobs for name in named(job, "result")}
    results = set(named(entities["#run"], "result"))
    assert results and results <= makers.keys()
    assert "0 of" not in entities["#run"]["description"]

    # From a table to the images: each job reads what an earlier one made.
    table = makers["results/tables/fake_vqa.csv"]
    read = [entities[name]["name"] for name in named(table, "object")]
    assert "chance.parquet" in read
    items = next(
        name for name, entity in entities.items() if "results/items/" in str(entity.get("name"))
    )
    drawn = "results/stimuli/illusion_vqa/fick/stimuli.parquet"
    assert drawn in named(makers[items], "object")
    assert makers[drawn]["endTime"] <= makers[items]["startTime"] <= table["startTime"]

    # The code is what Snakemake recorded of a file of the same job.
    tool = entities[table["instrument"]["@id"]]
    assert tool["name"] == "afterimage.stages.tables.make_table"
    assert f"code of make_table {tool['softwareVersion']}" in recorded(run_before)


def named(entity: dict, key: str) -> list[str]:
    """Return what an entity refers to; one reference stands alone."""
    value = entity[key]
    return [one["@id"] for one in (value if isinstance(value, list) else [value])]


def recorded(folder: Path) -> str:
    """Return all that Snakemake keeps of a run, as text."""
    kept = [*folder.glob(".snakemake/metadata/*"), *folder.glob(".snakemake/metadata.db*")]
    text = b"".join(path.read_bytes() for path in kept if path.is_file())
    return re.sub(r"[^ -~]+", " ", text.decode(errors="replace"))
