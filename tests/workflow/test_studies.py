"""A study is a file: it stands in place of config.yaml, and the examples in studies/ are studies."""

import re
import shutil
import zipfile

import pandas as pd
import pytest
import yaml
from workspace import Workspace

EXAMPLES = (
    *(
        "adaptive",
        "api_model",
        "claims",
        "counting_bias",
        "early_vision",
        "graded",
        "local_checkpoint",
    ),
    *(
        "perceive_recall",
        "reference_judge",
        "slurm",
        "smoke",
        "sprout",
        "sprout_seeds",
        "sprout_strength",
    ),
    *("tunnel_vision", "twins", "twins_fresh"),
    *(
        f"paper_{name}"
        for name in ("blindtest", "illusion_vqa", "illusionbench", "pope", "texture")
    ),
)


@pytest.fixture
def studies(root, workspace) -> Workspace:
    shutil.copytree(root / "studies", workspace.folder / "studies")
    return workspace


def planned_suites(workspace, *arguments):
    jobs = workspace.planned(*arguments, "--", "items")
    return {found[1] for job in jobs if (found := re.match(r"Making the items of (\w+)", job))}


def test_every_example_is_tried(root):
    # The official one needs data: test_hub_set_runs.py.
    examples = {*EXAMPLES, "official"}
    assert {file.stem for file in (root / "studies").glob("*.yaml")} == examples


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_plans_its_own_suites_and_no_others(studies, name):
    file = f"studies/{name}.yaml"
    # The study in config.yaml has one suite alone, which is not added, nor its mistakes.
    studies.edit("config.yaml", "^models:", "nonsense: 1\nmodels:")
    expected = yaml.safe_load((studies.folder / file).read_text())["suites"]
    assert planned_suites(studies, "--configfile", file) == {*expected}


def test_the_catalogues_study_runs_as_the_template_of_its_workflows_does_it(root, studies):
    """From workflow/Snakefile in .test/, on one core, without what later jobs no longer need; then the report."""
    shutil.copytree(root / ".test", studies.folder / ".test")
    how = ("--snakefile", "workflow/Snakefile", "--directory", ".test", "--cores", "1")
    studies.run(*how, "--show-failed-logs", "--all-temp")
    made = studies.folder / ".test" / "results"
    assert (made / "report/index.html").is_file() and (made / "tables/fake_vqa.paper.tex").is_file()
    assert not list(made.rglob("stimuli.parquet"))
    studies.run(*how, "--report", "report.zip")
    with zipfile.ZipFile(studies.folder / ".test/report.zip") as report:
        assert any(name.endswith("report.html") for name in report.namelist())


def test_without_a_file_the_study_is_config_yaml_and_a_value_of_the_command_line_counts_in_both(
    studies,
):
    assert planned_suites(studies) == {"illusion_vqa"}
    for file in (), ("--configfile", "studies/smoke.yaml"):
        finished = studies.snakemake("--dry-run", *file, "--config", "models=[nobody]")
        assert finished.returncode == 1
        assert "nobody" in finished.stdout


def test_a_reference_judge_ranks_describers_as_known_without_a_key(studies):
    table = "results/reference_judge/tables/illusionbench_description.csv"
    studies.run(table, "--configfile", "studies/reference_judge.yaml")
    scores = pd.read_csv(studies.folder / table).set_index("model")
    scores = scores[scores["group"] != "As printed"]
    assert set(scores["group"]) == {"Reference responders (reference judge)"}
    mean = scores["all"]
    assert mean["describer_faultless"] > mean["describer_good"] > mean["describer_poor"]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("paper_")])
def test_a_papers_study_names_its_models_or_the_successors_of_those_that_are_retired(root, name):
    text = (root / "studies" / f"{name}.yaml").read_text(encoding="utf-8")
    study = yaml.safe_load(text)
    registry = yaml.safe_load((root / "config" / "models.yaml").read_text(encoding="utf-8"))
    retired = {model for model, entry in registry.items() if "unavailable" in entry}
    assert not retired & {*study["models"]}
    for model in retired & {*re.findall(r"[\w.-]+", text)}:
        # Named in a comment as retired: an available successor is asked.
        successor = model
        while successor in retired and successor != "blip":
            successor = registry[successor]["replaced_by"]
        assert successor == "blip" or successor in study["models"], model
    (suite,) = study["suites"]
    assert study["results_folder"] == f"results/{name}"
    assert name == f"paper_{suite}"
    page = (root / "docs" / f"{suite}.md").read_text(encoding="utf-8")
    assert f"studies/{name}.yaml" in page
