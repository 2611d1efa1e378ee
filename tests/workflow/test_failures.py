"""What goes wrong while jobs run: one sentence, nothing good is lost, the rest goes on."""

import re

import pyarrow.parquet as pq
import yaml
from workspace import SMALL_STUDY, said

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE
from afterimage.files.stimulus import read_images, write_stimuli

PACKAGE = "workflow/scripts/afterimage"
STIMULI = "results/stimuli/illusion_vqa/fick/stimuli.parquet"
MEASURED = "results/stimuli/illusion_vqa/measured.csv"
GRADES = "results/grades/illusion_vqa/{}.parquet"

MOODY = '''"""A backend that fails for one figure while the file ``broken`` lies in the working folder."""

from pathlib import Path

from afterimage.contract.model import Backend
from afterimage.models.interface import Failure, Reply


def load(entry, part):
    def answer(requests):
        for request in requests:
            if request.metadata["figure"] == "ebbinghaus" and Path("broken").exists():
                yield Failure(request.number, "server error 500")
            else:
                yield Reply(request.number, request.metadata["options"][0][1])

    return answer


BACKEND = Backend(load, journaled=False, reads_metadata=True)
'''


KILLED = '''"""A backend whose job is killed while it asks about one figure."""

import os
import signal

from afterimage.contract.model import Backend
from afterimage.models.interface import Reply


def load(entry, part):
    def answer(requests):
        for request in requests:
            if request.metadata["figure"] == "ebbinghaus":
                os.kill(os.getpid(), signal.SIGKILL)
            yield Reply(request.number, request.metadata["options"][0][1])

    return answer


BACKEND = Backend(load, journaled=False, reads_metadata=True)
'''


def shards(workspace, model):
    return sorted(
        path.stem
        for path in (workspace.folder / "results/responses/illusion_vqa" / model).glob(
            "[!.]*.parquet"
        )
    )


def test_a_failed_shard_has_rows_without_text_and_only_it_is_asked_again(drawn):
    workspace = drawn
    (workspace.folder / PACKAGE / "models/moody.py").write_text(MOODY)
    (workspace.folder / "workflow/schemas/backends/moody.schema.yaml").write_text(
        "type: object\nproperties: {}\n"
    )
    workspace.configure(
        {
            **SMALL_STUDY,
            "models": ["moody", "chance"],
            "own_models": {"moody": {"backend": "moody"}},
        }
    )
    (workspace.folder / "broken").touch()
    targets = [GRADES.format("moody"), GRADES.format("chance")]
    failed = workspace.snakemake(*targets)
    assert failed.returncode != 0
    assert "not finished: moody on illusion_vqa: 16 without answer (server error 500)" in said(
        failed
    )
    assert "Traceback" not in failed.stdout
    # No other file than these was asked for, and still the run says that it is not whole.
    assert "not finished: moody on illusion_vqa: 16 without answer (server error 500)" in (
        failed.stdout
    )
    merged = workspace.folder / "results/responses/illusion_vqa/moody.parquet"
    missing = [row["item_id"] for row in read_records(merged, RESPONSE) if row["text"] is None]
    assert len(missing) == 16
    assert all(name.startswith("ebbinghaus") for name in missing)
    assert (workspace.folder / GRADES.format("chance")).is_file()

    (workspace.folder / "broken").unlink()
    asked = [job for job in workspace.planned(*targets) if job.startswith("Asking")]
    assert asked == ["Asking moody about illusion_vqa, stimuli 000048-000055"]
    workspace.run(*targets)
    rows = list(read_records(merged, RESPONSE))
    assert len(rows) == 32
    assert all(row["text"] is not None for row in rows)
    assert workspace.planned(*targets) == {}


def test_a_job_that_is_ended_from_outside_writes_no_rows_and_the_sentence_says_so(drawn):
    workspace = drawn
    (workspace.folder / PACKAGE / "models/moody.py").write_text(KILLED)
    (workspace.folder / "workflow/schemas/backends/moody.schema.yaml").write_text(
        "type: object\nproperties: {}\n"
    )
    workspace.configure(
        {
            **SMALL_STUDY,
            "models": ["moody", "chance"],
            "own_models": {"moody": {"backend": "moody"}},
        }
    )
    table = "results/tables/fake_vqa.csv"
    failed = workspace.snakemake(table)
    assert failed.returncode != 0
    assert "No file of answers yet of: moody on illusion_vqa." in failed.stdout
    assert not (workspace.folder / table).exists()
    assert (workspace.folder / GRADES.format("chance")).is_file()
    assert shards(workspace, "moody") == ["000024-000031", "000112-000119"]


def test_a_drawing_that_violates_an_invariant_stops_before_anybody_is_asked(workspace):
    workspace.edit(
        f"{PACKAGE}/suites/illusions/figures/sizes.py",
        r"_EBBINGHAUS_FAKE_STEP_PX = 96\.0, 10\.0",
        "_EBBINGHAUS_FAKE_STEP_PX = 96.0, 8.0",
    )
    failed = workspace.snakemake(GRADES.format("chance"))
    assert failed.returncode != 0
    sentence = next(line for line in failed.stdout.splitlines() if line.startswith("ERROR"))
    assert "ebbinghaus_A_fake" in sentence
    assert "20.3" in sentence or "20.8" in sentence, sentence
    assert "16.6" in sentence or "16.7" in sentence, sentence
    assert not list((workspace.folder / "results").rglob("responses/*/*/000048-000055.parquet"))
    assert not list((workspace.folder / "results").rglob("items/*/000048-000055.parquet"))
    assert not list((workspace.folder / "results/stimuli/illusion_vqa").glob("ebbinghaus/*"))


def test_an_unreadable_stimulus_is_named_and_mended_by_deleting_it(finished):
    stimuli = finished.folder / STIMULI
    grades = finished.folder / "results/grades/illusion_vqa/chance.parquet"
    before = grades.read_bytes()
    record, png = next(read_images(stimuli))
    data = bytearray(stimuli.read_bytes())
    data[data.index(png) + len(png) // 2] ^= 1
    stimuli.write_bytes(data)
    failed = finished.snakemake(MEASURED, GRADES.format("chance"))
    assert failed.returncode != 0
    assert re.search(
        rf"ERROR: {STIMULI}: the image of stimulus '{record['stimulus_id']}' cannot be read .*; "
        r"delete it and run again\.",
        said(failed),
    )
    assert "Traceback" not in failed.stdout
    assert grades.read_bytes() == before
    stimuli.unlink()
    finished.run(MEASURED, GRADES.format("chance"))
    assert grades.read_bytes() == before


def test_a_stimulus_painted_over_is_not_asked_about(finished):
    path = finished.folder / STIMULI
    rows = pq.read_table(path).to_pylist()
    by_id = {row["stimulus_id"]: row for row in rows}
    by_id["fick_A_fake"]["image"] = by_id["fick_A_genuine"]["image"]
    write_stimuli(path, rows)
    failed = finished.snakemake(MEASURED, GRADES.format("chance"))
    assert failed.returncode != 0
    assert "fick_A_fake" in failed.stdout
    assert "Traceback" not in failed.stdout


HUMAN = "participant_id,image_id,question,option_id\n"


# What else can be wrong with such a file: tests/unit/people/test_human_responses.py.
def test_a_malformed_file_of_human_responses_is_one_sentence(drawn):
    workspace = drawn
    (workspace.folder / "people.csv").write_text(HUMAN + "p1,fick_A_fake,actual\n")
    study = yaml.safe_load((workspace.folder / "config.yaml").read_text())
    study["suites"]["illusion_vqa"]["human_filter"] = {"responses": "people.csv"}
    workspace.configure(study)
    failed = workspace.snakemake("results/human/illusion_vqa.csv")
    assert failed.returncode != 0
    (line,) = [line for line in failed.stdout.splitlines() if "people.csv" in line]
    assert "line 2" in line
    assert "Traceback" not in failed.stdout


def test_a_person_who_answers_nothing_is_reported(drawn):
    workspace = drawn
    (workspace.folder / "people.csv").write_text(
        HUMAN + "p1,fick_A_fake,actual,red\np2,fick_A_fake,actual,\n"
    )
    study = yaml.safe_load((workspace.folder / "config.yaml").read_text())
    study["suites"]["illusion_vqa"]["human_filter"] = {"responses": "people.csv"}
    workspace.configure(study)
    workspace.run("results/human/illusion_vqa.csv")
    ignored = (workspace.folder / "results/human/illusion_vqa_ignored.csv").read_text()
    assert "participant_without_answers" in ignored
    decisions = (workspace.folder / "results/human/illusion_vqa_decisions.csv").read_text()
    assert "fick,false,participants" in decisions
