"""A finished run's archive says what was run, with what, and what came out, in the standard's own terms."""

import hashlib
import io
import json
import os
import shutil
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from snakemake_records import record
from studies import plain_study

from afterimage.commands.cli import main
from afterimage.commands.crate import command as command_module
from afterimage.commands.crate import finished as finished_module
from afterimage.commands.crate.build import build_crate
from afterimage.commands.crate.finished import (
    Job,
    _wanted,
    members_of_crate,
    recorded_jobs,
    require_answered,
    require_current,
    require_made,
    unrecorded,
)
from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import LOCK_FILE
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png
from afterimage.files.records import ANSWER, GRADE, RESPONSE
from afterimage.files.stimulus import RECORD, stimulus_row, write_stimuli
from afterimage.planning.checking import planned

TODAY = datetime(2026, 1, 2, tzinfo=UTC)
TABLE = "results/tables/fake_vqa.csv"
STIMULI = "results/stimuli/illusion_vqa/fick/stimuli.parquet"


@pytest.fixture
def finished(tmp_path, root):
    """A checkout with the workflow's front door and a run's results."""
    for name in ("Snakefile", "README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(root / name, tmp_path / name)
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(plain_study()))
    for name in ("workflow/rules", "workflow/scripts/afterimage/stages", "envs"):
        shutil.copytree(root / name, tmp_path / name)
    for name in (TABLE, "results/figures/illusion_vqa.png", "journal/m/a.jsonl", ".env"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    image = tmp_path / "results/stimuli/illusion_vqa/fick/fick_A_fake.png"
    image.parent.mkdir(parents=True)
    image.write_bytes(b"png")
    row = dict.fromkeys(RESPONSE.names) | {
        "item_id": "a",
        "suite": "illusion_vqa",
        "model": "seven",
        "repeat": 0,
        "text": "yes",
        "finish_reason": "stop",
        "backend": "transformers",
        "model_id": "org/seven-7b",
        "revision": "abc123",
        "settings": "{}",
        "request_sha256": "0",
    }
    (tmp_path / "results/responses/illusion_vqa").mkdir(parents=True)
    write_records(tmp_path / "results/responses/illusion_vqa/seven.parquet", [row, row], RESPONSE)
    return tmp_path


ITEMS = "results/items/illusion_vqa/000000-000399.parquet"
ELSEWHERE = "/srv/ada/pictures/fick.png"
#: From images to a table, which are in the archive, by items, which are not.
JOBS = [
    Job("make_items", "make_items", "0a1b", (STIMULI, ELSEWHERE), (ITEMS,), 1000.0, 1500.0),
    Job(
        "make_table",
        "make_table",
        "2c3d",
        (ITEMS, "resources/words/ja.yaml"),
        (TABLE,),
        1600.0,
        2000.0,
    ),
    Job(
        "make_table", "make_table", "4e5f", (ITEMS,), ("results/tables/other.csv",), 1700.0, 2100.0
    ),
]


def build(root, jobs=(), **options):
    return build_crate(root, root / "crate.zip", TODAY, members_of_crate(root), jobs, **options)


def graph(archive):
    with zipfile.ZipFile(archive) as opened:
        metadata = json.loads(opened.read("ro-crate-metadata.json"))
        names = set(opened.namelist())
    return {entity["@id"]: entity for entity in metadata["@graph"]}, names


def test_a_run_that_is_not_finished_is_not_archived(finished):
    grade = dict.fromkeys(GRADE.names) | {
        **dict.fromkeys(("item_id", "stimulus_id", "figure", "prompt", "question", "key"), "a"),
        **{"suite": "illusion_vqa", "model": "seven", "repeat": 0, "decided_by": "parser"},
        **{"offered": [], "is_listed": True, "reasoning_given": False},
        **{"readings": {}, "factors": {}, "outcome": "failed", "reason": "failed: HTTP 401"},
    }
    path = finished / "results/grades/illusion_vqa/seven.parquet"
    path.parent.mkdir(parents=True)
    write_records(path, [grade], GRADE)
    with pytest.raises(AfterimageError, match="model 'seven' is not finished with illusion_vqa"):
        require_answered(members_of_crate(finished))


def test_the_run_is_an_action_with_its_inputs_results_and_models(finished):
    build(finished, JOBS)
    entities, names = graph(finished / "crate.zip")
    run = entities["#run"]
    assert run["instrument"] == {"@id": "Snakefile"}
    assert {"@id": "config.yaml"} in run["object"]
    assert {"@id": TABLE} in run["result"]
    assert run["startTime"] == "1970-01-01T00:26:40+00:00"
    assert "1 of 3 results" in run["description"]
    models = [one for name, one in entities.items() if name.startswith("#model-")]
    assert [(one["identifier"], one["softwareVersion"]) for one in models] == [
        ("org/seven-7b", "abc123")
    ]
    assert {TABLE, "Snakefile", "config.yaml", "workflow/rules/study.smk"} <= names


def test_each_job_is_an_action_with_its_files_code_and_packages(finished):
    build(finished, JOBS)
    entities, names = graph(finished / "crate.zip")
    items, table, _ = (entities[f"#job-{number}"] for number in (1, 2, 3))
    between = items["result"]
    assert entities[between["@id"]]["name"] == ITEMS
    assert between in table["object"] and ITEMS not in names
    assert table["result"] == {"@id": TABLE}
    assert table["startTime"] == "1970-01-01T00:26:40+00:00"
    tool = entities[table["instrument"]["@id"]]
    assert tool["name"] == "afterimage.stages.tables.make_table"
    assert tool["softwareVersion"] == "2c3d"
    assert tool["hasPart"] == {"@id": "workflow/scripts/afterimage/stages/tables.py"}
    packages = entities[tool["softwareRequirements"]["@id"]]["softwareRequirements"]
    pins = [
        f"{entities[package['@id']]['name']}=={entities[package['@id']]['softwareVersion']}"
        for package in packages
    ]
    assert pins == [
        line for line in (finished / "envs/tables.txt").read_text().splitlines() if line[0] != "#"
    ]


def test_a_file_of_another_folder_is_named_without_that_folder(finished):
    build(finished, JOBS)
    with zipfile.ZipFile(finished / "crate.zip") as archive:
        metadata = archive.read("ro-crate-metadata.json").decode()
    assert '"fick.png"' in metadata
    assert "/srv/ada" not in metadata


def test_a_file_that_comes_with_the_workflow_is_known_by_its_whole_path(finished):
    read = str(finished / "workflow/rules/tables.smk")
    build(finished, [JOBS[1]._replace(inputs=(read,))])
    entities, _ = graph(finished / "crate.zip")
    assert entities["#job-1"]["object"] == {"@id": "workflow/rules/tables.smk"}


def test_jobs_of_a_rule_are_started_by_its_step(finished):
    build(finished, JOBS)
    entities, _ = graph(finished / "crate.zip")
    workflow = entities["Snakefile"]
    assert "HowTo" in workflow["@type"]
    assert workflow["step"] == [{"@id": "#step-make_items"}, {"@id": "#step-make_table"}]
    step = entities["#step-make_table"]
    assert step["position"] == "2"
    assert step["buildInstructions"] == {"@id": "envs/tables.txt"}
    assert [one["@id"] for one in step["workExample"]] == ["#make_table-2c3d", "#make_table-4e5f"]
    start = entities["#start-make_table"]
    assert start["object"] == [{"@id": "#job-2"}, {"@id": "#job-3"}]
    assert entities["#snakemake-run"]["result"] == {"@id": "#run"}


def test_neither_journal_nor_hidden_files_nor_images_beside_their_file_go_in(finished):
    paths = {member.path for member in members_of_crate(finished)}
    assert not any(path.startswith(("journal", ".")) or path.endswith("fake.png") for path in paths)


def test_stimuli_go_in_without_their_images_unless_asked(finished):
    name = "results/stimuli/illusion_vqa/fick/stimuli.parquet"
    pixels = np.zeros((2, 3, 3), np.uint8)
    row = stimulus_row("illusion_vqa", "fick", "one", encode_png(pixels), pixels, {}, {"a": "b"})
    write_stimuli(finished / name, [row])
    build(finished)
    entities, _ = graph(finished / "crate.zip")
    with zipfile.ZipFile(finished / "crate.zip") as opened:
        records = pq.read_table(io.BytesIO(opened.read(name)))
        assert entities[name]["contentSize"] == str(opened.getinfo(name).file_size)
    assert records.column_names == list(RECORD)
    assert records["pixels_sha256"].to_pylist() == [row["pixels_sha256"]]
    build(finished, with_images=True)
    with zipfile.ZipFile(finished / "crate.zip") as opened:
        assert opened.read(name) == (finished / name).read_bytes()


def test_who_publishes_it_is_said_by_the_configuration(finished):
    with (finished / "config.yaml").open("a") as config:
        config.write(
            "\ncrate:\n  name: My study\n  author: {name: Ada, orcid: https://orcid.org/0000-0001-5109-3700}\n"
        )
    build(finished)
    entities, _ = graph(finished / "crate.zip")
    assert entities["./"]["name"] == "My study"
    assert entities["#run"]["agent"] == {"@id": "https://orcid.org/0000-0001-5109-3700"}


def test_a_study_that_was_never_run_is_refused_in_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(plain_study()))
    assert main(["crate"]) == 1
    error = capsys.readouterr().err
    assert "not there, so that model 'chance' on suite" in error
    assert error.count("\n") == 1
    assert main(["crate", "--configfile", "none.yaml"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.fixture
def made(tmp_path, root, monkeypatch):
    """Files as a finished run of one suite leaves them, and the study, which can be changed; nothing is recorded."""
    monkeypatch.chdir(tmp_path)
    study = {"models": ["chance", "pixels"], "suites": {"pope": {"scenes": 10}}}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(study))
    plan = planned(None, ["mine.yaml"], {}, root)
    for path, _ in _wanted(plan):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    rows = [answer_row() | {"suite": "pope", "model": model} for model in ("chance", "pixels")]
    write_records(tmp_path / "results/all_answers.parquet", rows, ANSWER)
    return plan


def test_what_a_study_names_has_to_be_there(made):
    require_made(made, "mine.yaml")
    for path, _ in _wanted(made):
        content = path.read_bytes()
        path.unlink()
        with pytest.raises(
            AfterimageError, match=f"{path}: not there, so that .* --configfile mine"
        ):
            require_made(made, "mine.yaml")
        path.write_bytes(content)


@pytest.mark.parametrize("other", [{"suite": "texture"}, {"model": "gpt"}])
def test_answers_of_another_study_are_refused(made, other):
    row = answer_row() | {"suite": "pope", "model": "chance"}
    write_records("results/all_answers.parquet", [row, row | other], ANSWER)
    with pytest.raises(AfterimageError, match=r"holds answers of .* which mine.yaml does not"):
        require_made(made, "mine.yaml")


SAID = {
    "Job 3: Making the table pope\nReason: Params have changed since last execution: Union of x": (
        "1 of its jobs would run, first 'Making the table pope' (Params have changed since last execution)"
    ),
    "Job 3: Asking m\nReason: Missing output files: a\n\nJob 4: B\nReason: Input files updated by another job": (
        "2 of its jobs would run, first 'Asking m' (Missing output files: a)"
    ),
    "LockException:\nthis folder is locked\n": "Snakemake cannot tell .*: this folder is locked",
    "": "Snakemake cannot tell .*: it said nothing",
}


@pytest.mark.parametrize("said", SAID)
def test_what_snakemake_would_do_again_is_not_archived(made, said, monkeypatch):
    monkeypatch.setattr(finished_module, "snakemake_here", lambda *_: said)
    expected = SAID[said].replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(AfterimageError, match=expected):
        require_current(made, "mine.yaml", Path.cwd())


@pytest.mark.parametrize(
    ("newest", "asked"),
    [
        (None, []),
        ("file", ["--persistence-backend", "file"]),
        ("db", ["--persistence-backend", "db"]),
    ],
)
def test_snakemake_is_asked_with_the_store_that_holds_the_newest_records(
    made, monkeypatch, newest, asked
):
    said = []
    monkeypatch.setattr(
        finished_module,
        "snakemake_here",
        lambda *told: said.append(told[2]) or "Nothing to be done",
    )
    if newest is not None:
        for backend in ("file", "db"):
            times = (1000.0, 3000.0 if backend == newest else 2000.0)
            record(Path.cwd(), ["results/tables/pope.csv"], backend, times=times)
    assert require_current(made, "mine.yaml", Path.cwd()) == asked
    assert said == [["--dry-run", *asked]]


def test_records_that_snakemake_cannot_hand_over_end_in_one_sentence(made, monkeypatch):
    monkeypatch.setattr(
        finished_module, "snakemake_here", lambda *_: "Building DAG\nDatabase is gone.\n"
    )
    with pytest.raises(AfterimageError, match=r"results: .* which jobs .*: Database is gone\."):
        recorded_jobs(made, "mine.yaml", Path.cwd())


def test_results_that_nothing_is_recorded_of_are_said_to_be(made):
    assert "Snakemake has no record of these results" in unrecorded(made, [])
    assert unrecorded(made, JOBS) == ""


@pytest.mark.parametrize(
    ("jobs", "profile"), [(JOBS, "provenance-run-crate-0.5"), ([], "workflow-run-crate-0.5")]
)
def test_the_standards_own_validator_finds_nothing_missing(finished, monkeypatch, jobs, profile):
    services = pytest.importorskip(
        "rocrate_validator.services",
        reason="roc-validator is not installed: pip install -e '.[validator]'",
    )
    import rocrate
    from rocrate_validator.models import Severity
    from rocrate_validator.utils.http import HttpRequester

    # The standard's vocabulary comes from the network; the library has a copy, in which two words moved.
    bundled = Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"
    vocabulary = bundled.read_text().replace(
        "https://bioschemas.org/terms/", "https://bioschemas.org/"
    )

    class Answer:
        status_code = 200
        text = vocabulary
        headers = MappingProxyType({"Content-Type": "application/ld+json"})

        @staticmethod
        def json():
            return json.loads(vocabulary)

    monkeypatch.setattr(HttpRequester, "get", lambda *_, **__: Answer(), raising=False)
    build(finished, jobs)
    with zipfile.ZipFile(finished / "crate.zip") as archive:
        archive.extractall(finished / "unpacked")
    result = services.validate(
        {
            "rocrate_uri": str(finished / "unpacked"),
            "profile_identifier": profile,
            "requirement_severity": Severity.REQUIRED,
        }
    )
    assert [issue.message for issue in result.get_issues()] == []
    assert result.passed()


def answer_row():
    return {field.name: None for field in ANSWER} | {
        **dict.fromkeys(ANSWER.names[:8], "x"),
        **{
            "repeat": 0,
            "figure": "fick",
            "prompt": "p",
            "question": "q",
            "question_text": "Which?",
        },
        **{"options": [], "answer_type": "choice", "key": "k", "reply": "yes", "outcome": "exact"},
        **{"reason": "", "correct": True, "decided_by": "parser", "finish_reason": "stop"},
        **{"backend": "b", "model_id": "m", "settings": "{}", "factors": {}, "prompt_tokens": 3},
    }


@pytest.fixture
def answered(finished):
    """The same with the file of all answers."""
    row = answer_row()
    write_records(finished / "results/all_answers.parquet", [row, {**row, "repeat": 1}], ANSWER)
    return finished


def test_croissant_names_what_is_in_the_archive_and_explains_the_answers(answered):
    build(answered)
    entities, names = graph(answered / "crate.zip")
    assert entities["croissant.json"]["conformsTo"] == {"@id": "http://mlcommons.org/croissant/1.0"}
    with zipfile.ZipFile(answered / "crate.zip") as archive:
        told = json.loads(archive.read("croissant.json"))
        for file in told["distribution"]:
            assert file["contentUrl"] in names
            assert file["sha256"] == hashlib.sha256(archive.read(file["contentUrl"])).hexdigest()
    assert "results/all_answers.parquet" in {file["@id"] for file in told["distribution"]}
    fields = {field["name"] for field in told["recordSet"][0]["field"]}
    assert fields == set(ANSWER.names) - {"options", "factors", "option_probabilities"}


def test_the_library_mlcroissant_checks_it_and_reads_the_answers_through_it(answered):
    croissant = pytest.importorskip(
        "mlcroissant", reason="mlcroissant is not installed: pip install -e '.[croissant]'"
    )
    build(answered)
    with zipfile.ZipFile(answered / "crate.zip") as archive:
        archive.extractall(answered / "unpacked")
    dataset = croissant.Dataset(jsonld=str(answered / "unpacked" / "croissant.json"))
    assert not dataset.metadata.issues.errors
    rows = list(dataset.records("answers"))
    assert [row["answers/repeat"] for row in rows] == [0, 1]
    assert rows[0]["answers/question_text"] == b"Which?"
    assert rows[0]["answers/prompt_tokens"] == 3


@pytest.mark.parametrize("absolute", [True, False], ids=["absolute", "relative"])
def test_a_study_of_another_folder_goes_in_among_the_studies(
    answered, tmp_path_factory, monkeypatch, absolute, capsys
):
    study = tmp_path_factory.mktemp("elsewhere") / "mine.yaml"
    study.write_text((answered / "config.yaml").read_text() + "\ncrate: {name: Mine}\n")
    monkeypatch.chdir(answered)
    for check in ("require_made", "require_current"):
        monkeypatch.setattr(command_module, check, lambda *_: None)
    monkeypatch.setattr(command_module, "recorded_jobs", lambda *_: [])
    named = str(study) if absolute else os.path.relpath(study, answered)
    assert main(["crate", "--configfile", named, "--output", "crate.zip"]) == 0
    entities, names = graph(answered / "crate.zip")
    assert entities["./"]["name"] == "Mine"
    assert {"@id": "studies/mine.yaml"} in entities["#run"]["object"]
    assert "studies/mine.yaml" in names
    assert "config.yaml" not in names
    inside = str(answered / "config.yaml") if absolute else "./config.yaml"
    assert main(["crate", "--configfile", inside, "--output", "crate.zip"]) == 0
    assert "config.yaml" in graph(answered / "crate.zip")[1]
    capsys.readouterr()
    assert main(["crate", "--configfile", str(study.parent / "none.yaml")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_lock_file_of_fetched_data_goes_in_and_the_data_stay_out(tmp_path):
    (tmp_path / "config.yaml").write_text("models: [chance]\n")
    (tmp_path / LOCK_FILE).write_text("{}")
    data = tmp_path / "data/hub/lab/set/test-0.parquet"
    data.parent.mkdir(parents=True)
    data.write_bytes(b"others' images")
    found = {member.path: member.role for member in members_of_crate(tmp_path)}
    assert found[LOCK_FILE] == "input"
    assert not [path for path in found if path.startswith("data/")]


@pytest.mark.parametrize("with_images", [True, False])
def test_an_archive_needs_no_folder_of_the_systems(finished, monkeypatch, with_images):
    monkeypatch.setattr(tempfile, "tempdir", str(finished / "not-there"))
    output = finished / "out/crate.zip"
    build_crate(finished, output, TODAY, members_of_crate(finished), (), with_images=with_images)
    assert [path.name for path in output.parent.iterdir()] == ["crate.zip"]


def test_snakemake_is_asked_for_its_jobs_without_a_folder_of_the_systems(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not-there"))

    def said(study, root, words, variables):
        Path(words[words.index("--report-afterimage-path") + 1]).write_text("[]")
        return ""

    monkeypatch.setattr(finished_module, "snakemake_here", said)
    assert recorded_jobs(None, "mine.yaml", tmp_path) == []
    assert not list((tmp_path / ".snakemake").iterdir())
