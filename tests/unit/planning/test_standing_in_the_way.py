"""What a run says of answers that do not count, tables of another study and files dated in the future.

Public report: snakemake/snakemake#3254 (input files from the future).
"""

import hashlib
import os
from pathlib import Path

import pytest

from afterimage.people.forms.tasks import make_salt, opaque_id
from afterimage.planning.plan import Plan
from afterimage.stages.stale_results import tables_of_others
from afterimage.stages.user_files import dated_ahead, named_as_ahead, users_files

NOW = 1_750_000_000.0


@pytest.fixture(autouse=True)
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Suites read their prompts from the working folder.
    (tmp_path / "resources").symlink_to(Path(__file__).parents[3] / "resources")
    return tmp_path


def came_back(suite, form):
    path = Path("human", suite, "x.csv")
    path.parent.mkdir(parents=True)
    path.write_text(f"form_id\n{opaque_id(make_salt('human'), suite, form)}\n")


def plan(root, **suites):
    return Plan({"models": ["chance"], "suites": suites}, root)


@pytest.mark.parametrize(("responses", "count"), [(None, False), ("forms", True)])
def test_answers_that_no_setting_lets_count_are_named_with_it(root, responses, count):
    came_back("illusion_vqa", "actual")
    said = plan(root, illusion_vqa={"human_filter": {"responses": responses}}).forms.uncounted()
    assert (said == []) == count
    if said:
        assert "illusion_vqa (responses) in human/illusion_vqa/ do not count" in said[0]
        assert "human_filter.responses is null; set it to forms." in said[0]


def test_a_configured_file_in_place_of_what_came_back_is_named(root):
    came_back("illusionbench", "vqa")
    Path("vqa.csv").write_text("x\n")
    pages = {"forms": ["vqa"]}
    (said,) = plan(root, illusionbench={"pages": pages, "human_vqa": "vqa.csv"}).forms.uncounted()
    assert said.endswith("suites.illusionbench.human_vqa is vqa.csv; set it to null.")
    assert plan(root, illusionbench={"pages": pages}).forms.uncounted() == []


@pytest.mark.parametrize("suite", ["illusion_vqa", "texture"])
def test_nothing_is_said_where_nothing_came_back(root, suite):
    assert plan(root, **{suite: {}}).forms.uncounted() == []


def test_tables_of_another_study_are_named_and_no_others(root):
    tables = Path("results/tables")
    tables.mkdir(parents=True)
    for name in ("cost.csv", "illusion_vqa_accuracy.csv", "genuine_vqa.csv"):
        (tables / name).touch()
    mine = plan(root, illusion_vqa={})
    assert tables_of_others(mine) == ""
    for name in ("pope.csv", "pope.json", "a.csv", "b.csv", "c.csv"):
        (tables / name).touch()
    said = tables_of_others(mine)
    assert "results/tables/a.csv, results/tables/b.csv, results/tables/c.csv and 1 more" in said
    assert "afterimage tidy" in said


def test_files_dated_in_the_future_are_named_once_with_the_command_that_mends_them(study):
    for name, date in (("a 1.png", 2e9), ("b.png", NOW), ("c.png", NOW + 5), ("d.csv", 3e9)):
        (study / name).touch()
        os.utime(name, (date, date))
    files = ["a 1.png", "b.png", "c.png", "d.csv", "a 1.png", "not there.png"]
    ahead = dated_ahead(files, NOW)
    assert ahead == dict.fromkeys(("a 1.png", "d.csv"), hashlib.sha256(b"").hexdigest())
    said = named_as_ahead(ahead)
    assert "2 of the study's files" in said
    assert said.endswith("touch 'a 1.png' d.csv")
    assert named_as_ahead(dated_ahead(files[1:3], NOW)) == ""


def test_peoples_files_are_among_those_that_are_looked_at(root):
    came_back("illusion_vqa", "actual")
    assert "human/illusion_vqa/x.csv" in users_files(plan(root, illusion_vqa={}))
