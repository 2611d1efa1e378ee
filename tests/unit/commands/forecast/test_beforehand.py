"""What a plan says before anything is drawn is what is asked afterwards."""

from pathlib import Path

import pytest
from studies import plain_study

from afterimage.commands.forecast.beforehand import SuiteSize, as_table, suite_sizes, unmade
from afterimage.planning.plan import Plan


@pytest.fixture
def planned(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)

    def plan(**suites):
        return Plan(plain_study(suites=suites, results_folder=str(tmp_path / "results")), root)

    return plan


def test_images_and_questions_are_counted_without_drawing(planned):
    plan = planned(counting_bias={}, tunnel_vision={}, pope={"scenes": 31, "nested_scenes": 1})
    assert unmade(plan) == ["counting_bias", "tunnel_vision", "pope"]
    found = {one.suite: one for one in suite_sizes(plan, plan.suites)}
    assert found["counting_bias"] == SuiteSize("counting_bias", 420, 966)
    assert found["tunnel_vision"] == SuiteSize("tunnel_vision", 556, 716)
    # Objects are sampled from a file of the run.
    assert found["pope"] == SuiteSize("pope", 32, None)
    table = as_table(found.values())
    assert "966" in table
    assert table.splitlines()[-1].split() == ["pope", "32"]


def test_people_may_leave_images_out(planned):
    plan = planned(illusion_vqa={"prompts": ["zero_shot"], "human_filter": {"responses": None}})
    (found,) = suite_sizes(plan, plan.suites)
    assert found.is_upper_bound
    assert f"up to {found.questions}" in as_table([found])


def test_of_a_pilot_only_its_images_count(planned):
    plan = planned(counting_bias={"limit": 30})
    (found,) = suite_sizes(plan, plan.suites)
    assert found.images == 30
    assert 30 <= found.questions < 966


def test_nothing_is_unmade_once_the_items_are_there(planned):
    plan = planned(counting_bias={})
    for shard in plan.shards("counting_bias", "chance"):
        path = Path(plan.results, "items", "counting_bias", f"{shard}.parquet")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert unmade(plan) == []
