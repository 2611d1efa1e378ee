"""A whole run prints little, and its end says what came of it; Snakemake's own text stands in its log."""

import shutil

import pytest
import yaml
from workspace import Workspace

SMOKE, TABLE = "studies/smoke.yaml", "results/smoke/tables/fake_vqa.csv"
MAX_LINES, MAX_CHARACTERS, MAX_LINES_OF_SUMMARY = 150, 200, 20


@pytest.fixture(scope="module")
def smoke(root, tmp_path_factory):
    """The folder of the smoke study, finished, with the lines of that run, of another start, and of one for a table."""
    workspace = Workspace(root, tmp_path_factory.mktemp("smoke") / "study")
    shutil.copytree(root / "studies", workspace.folder / "studies")
    starts = ((), (), ("--", TABLE))
    runs = (workspace.run("--configfile", SMOKE, *targets).splitlines() for targets in starts)
    return workspace.folder, *runs


def test_the_smoke_study_makes_its_tables_and_nothing_of_config_yaml(smoke):
    folder, *_ = smoke
    tables = {file.stem for file in (folder / "results/smoke/tables").glob("*.csv")}
    assert {"fake_vqa", "control_vqa", "pope"} <= tables
    models = (folder / "results/smoke/tables/pope.csv").read_text()
    assert all(name in models for name in ("chance", "textbook_cued", "pixels"))
    index = (folder / "results/smoke/report/index.html").read_text()
    assert "pope.html" in index and "illusion_vqa.html" in index
    # One of config.yaml's illusions, which this study has not.
    assert not (folder / "results/smoke/stimuli/illusion_vqa/ponzo").exists()


def test_a_run_is_few_lines_and_ends_with_scores_and_the_report(smoke):
    folder, lines, again, of_a_table = smoke
    assert len(lines) <= MAX_LINES
    assert max(map(len, lines)) <= MAX_CHARACTERS
    assert not any(line.lower().lstrip().startswith(("reason:", "params:")) for line in lines)
    end = lines[next(i for i, line in enumerate(lines) if line.startswith("All ")) :]
    assert len(end) <= MAX_LINES_OF_SUMMARY
    # The lower of genuine and fake; who only measures is fooled by none and misses how the genuine ones appear.
    table = yaml.safe_load((folder / "results/smoke/tables/genuine_vqa.json").read_text())
    (row,) = [
        row["cells"]
        for row in table["rows"]
        if [cell["text"] for cell in row["cells"][:2]] == ["pixels", "all images"]
    ]
    value, interval = (line["text"] for line in row[4]["lines"])
    assert any(f"{value.split(' ')[0]} {interval}" in line for line in end)
    assert end[-1] == f"The report: file://{folder}/results/smoke/report/index.html"
    assert [line for line in lines if line.startswith("[") and "drawing illusion_vqa" in line]
    # The second start has nothing to do, and no log says why.
    assert "Reason:" in min((folder / ".snakemake/log").glob("*.log")).read_text()
    assert "Nothing to be done: all is made." in again
    assert again[-1] == end[-1]

    # Of a table alone the report says nothing: what lies there may be an earlier study's.
    assert "Nothing to be done: all is made." in of_a_table
    assert not [line for line in of_a_table if line.startswith("The report: ")]


def test_without_the_package_beside_snakemake_the_workflow_runs_all_the_same(root, tmp_path):
    profile = (root / "profiles/default/profile.yaml").read_text()
    workspace = Workspace(root, tmp_path / "study")
    # As if it were not installed: another name stands for it.
    (workspace.folder / "profiles/default/profile.yaml").write_text(
        profile.replace(
            'find_spec("snakemake_logger_plugin_', 'find_spec("not_snakemake_logger_plugin_'
        )
    )
    output = workspace.run("results/stimuli/illusion_vqa/fick/stimuli.parquet")
    assert "Finished jobid" in output
