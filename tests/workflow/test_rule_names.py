"""Rules are called by what they do: Snakemake's options that name one mean all of its kind, in any study."""

import re

import pytest
from workspace import Workspace

#: Tables that papers print are written in their papers' form, too, by a rule with these files more.
MAKING_TABLES = ("make_table", "make_printed_table")
#: Of the suite with many scenes one figure has few images, and one so many that on a cluster a job is worth its place.
STUDY = {
    "models": ["chance"],
    "suites": {
        "illusion_vqa": {"illusions": ["fick", "ebbinghaus"], "prompts": ["zero_shot"]},
        "pope": {"scenes": 2000, "nested_scenes": 1},
    },
}


@pytest.fixture(scope="module")
def study(root, tmp_path_factory) -> Workspace:
    return Workspace(root, tmp_path_factory.mktemp("names") / "study", STUDY)


def counted(study, *arguments) -> dict[str, int]:
    """Return the rules of a dry run, each with its number of jobs."""
    finished = study.snakemake("--dry-run", *arguments)
    assert finished.returncode == 0, finished.stdout
    stats = finished.stdout.split("Job stats:")[1].split("total")[0]
    return {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", stats, re.M)}


def test_until_a_rule_makes_all_of_its_kind_and_nothing_after(study):
    rules = counted(study, "--until", *MAKING_TABLES)
    assert sum(rules[name] for name in MAKING_TABLES) >= 10 and rules["draw_figure"] == 3
    assert not {"draw_chart", "make_suite_page", "make_ledger"} & rules.keys()


def test_without_a_rule_nothing_is_made_that_needs_it(study):
    rules = counted(study, "--omit-from", *MAKING_TABLES)
    assert "draw_contact_sheet" in rules and "draw_examples" in rules
    assert not {*MAKING_TABLES, "draw_chart", "make_suite_page"} & rules.keys()


def test_a_large_figure_is_drawn_by_a_rule_that_a_cluster_is_sent(study):
    assert counted(study, "stimuli")["draw_large_figure"] == 1


@pytest.mark.parametrize(
    ("target", "nearest"),
    [
        ("results/tables/fake_vqua.csv", "fake_vqa"),
        ("results/figures/illusion_vqua.png", "illusion_vqa"),
        # A figure of the other suite.
        ("results/stimuli/pope/fick/stimuli.parquet", "scenes"),
    ],
)
def test_a_name_that_is_none_of_the_study_finds_no_rule(study, target, nearest):
    finished = study.snakemake("--dry-run", target)
    assert finished.returncode == 1
    assert "unknown" in finished.stdout and nearest in finished.stdout.split("unknown")[1]
    assert "Job stats" not in finished.stdout
