"""What a study can find is said before it is asked: of its own items, as its tables will pair and cluster them."""

import math

import pytest
from studies import plain_study

from afterimage.commands.forecast.detectable import (
    ASSUMED,
    Detectable,
    as_table,
    detectable,
    pairs_by_repeats,
    tables_of_pairs,
)
from afterimage.contract.model import ModelEntry
from afterimage.files.parquet import write_records
from afterimage.files.records import ITEM
from afterimage.planning.plan import Plan
from afterimage.statistics.detectable import ALIKE, DISCORDANCE, smallest_matched

SUITE = "illusion_vqa"
FIGURES = ("fick", "hering", "ponzo")


def item(figure, condition, question, probe=None):
    stimulus = f"{figure}_A_{condition}"
    factors = {"variant": "A", "condition": condition, "human_subset": "true", "option_count": "2"}
    return {
        "item_id": f"{stimulus}/{question}/zero_shot{probe or ''}",
        "suite": SUITE,
        "stimulus_id": stimulus,
        "figure": figure,
        "prompt": "zero_shot",
        "question": question,
        "messages": [],
        "images": [],
        "answer_type": "choice",
        "options": [{"option_id": name, "text": f"The {name} one."} for name in ("left", "right")],
        "key": "left",
        "factors": factors if probe is None else {**factors, "probe": probe},
    }


@pytest.fixture
def plan(root, tmp_path, monkeypatch):
    """A study of two conditions of three figures: six images, each with two questions that make one unit."""
    monkeypatch.chdir(root)
    study = plain_study()
    study["suites"] = {SUITE: study["suites"][SUITE]}
    made = Plan(study, root)
    items = [
        item(figure, condition, question)
        for figure in FIGURES
        for condition in ("genuine", "fake")
        for question in ("actual", "apparent")
    ]
    (shard,) = made.all_shards(SUITE)
    path = tmp_path / f"results/items/{SUITE}/{shard}.parquet"
    path.parent.mkdir(parents=True)
    write_records(path, [*items, item("fick", "fake", "actual", "text_only")], ITEM)
    monkeypatch.chdir(tmp_path)
    return made


def test_units_and_clusters_are_those_of_the_table_of_pairs(plan):
    (one,) = detectable(plan)
    assert (one.suite, one.models, one.units, one.clusters) == (SUITE, "any two of 4", 6, 3)
    assert one.whole == pytest.approx(smallest_matched(6, 3), nan_ok=True)
    assert [*one.parts] == pytest.approx([smallest_matched(3, 3)] * 2, nan_ok=True)


def test_without_items_nothing_is_said(plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    assert detectable(plan) == []
    assert as_table([]) == ""


def test_pairs_answer_as_often_as_the_one_with_fewer_repeats():
    def entries(**repeats):
        return {
            name: ModelEntry(name, "b", name, settings={"repeats": number})
            for name, number in repeats.items()
        }

    assert pairs_by_repeats(entries(a=1)) == {}
    assert pairs_by_repeats(entries(a=3, b=3)) == {3: "any two of 2"}
    assert pairs_by_repeats(entries(a=1, b=3, c=3)) == {
        3: "any two with 3 repeats or more",
        1: "all other pairs",
    }


def test_the_table_is_in_points_and_says_where_nothing_can_be_found():
    told = as_table(
        [Detectable("s", "any two of 2", 1000, 500, 0.0523, (0.104, math.nan, 0.08))]
    ).splitlines()
    assert told[0].split("  ")[0] == "suite"
    assert [cell.strip() for cell in told[2].split("  ") if cell.strip()] == [
        *("s", "any two of 2", "1,000", "500", "5", "8 to none (3 parts)")
    ]
    # What is assumed stands in the same place.
    assert f"{100 * DISCORDANCE:g} %" in ASSUMED
    assert f"correlate by {ALIKE:g}" in ASSUMED


def test_suites_whose_images_depend_on_the_answers_have_nothing_to_pair(root):
    study = {**plain_study(), "models": ["chance", "pixels"]}
    suites = {"search": {"adaptive": {"trials": 7}}, "hidden_digits": {}}
    plan = Plan({**study, "suites": suites}, root)
    assert {suite: tables_of_pairs(plan, suite) for suite in plan.suites} == {
        "search": [],
        "hidden_digits": ["pairs_hidden_digits"],
    }
