"""A study with adaptive suites: which jobs and tables it has, and what it refuses."""

import pytest
from studies import plain_study

from afterimage.contract.finding import load_suite, suite_names
from afterimage.errors import AfterimageError
from afterimage.files.paths import ROOT
from afterimage.people.forms.tasks import opaque_id
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import jobs_of, spec_of
from afterimage.stages.report import awaited_tables, front_spec

ADAPTIVE = {"adaptive": {"trials": 7}}
SUITES = [name for name in suite_names() if load_suite(name).adaptive is not None]


def study(suites, models=("chance", "pixels"), **more):
    return {**plain_study(), "models": list(models), "suites": suites, **more}


def test_four_suites_have_curves():
    assert sorted(SUITES) == ["contrast", "hidden_digits", "illusion_strength", "search"]


@pytest.mark.parametrize("suite", SUITES)
def test_only_the_table_of_thresholds_is_made(suite):
    plan = Plan(study({suite: ADAPTIVE}), ROOT)
    assert list(plan.tables) == [f"adaptive_{suite}"]
    assert list(plan.charts) == [f"adaptive_{suite}"]
    assert {score["table"] for score in front_spec(plan, suite)["scores"]} == {f"adaptive_{suite}"}
    stages = [stage for stage, _ in jobs_of(plan)]
    assert stages.count("run_adaptive") == 2
    assert "run_model" not in stages
    spec = spec_of(plan, "run_adaptive", suite=suite, model="pixels")
    assert spec["trials"] == 7
    assert spec_of(plan, "grade_responses", suite=suite, model="pixels")["adaptive"] is True


@pytest.mark.parametrize("suite", SUITES)
def test_people_who_have_answered_have_their_table_beside_it(suite, tmp_path):
    own = {suite: {**ADAPTIVE, "ask_people": True}}
    folder = tmp_path / "human" / suite
    folder.mkdir(parents=True)
    nobody = Plan(study(own, human={"folder": str(tmp_path / "human")}), ROOT)
    assert list(nobody.tables) == [f"adaptive_{suite}"]
    assert awaited_tables(nobody) == [f"{suite}_people"]
    salt = "0" * 64
    (folder.parent / "salt.txt").write_text(f"{salt}\n")
    (folder / "p1.csv").write_text(f"form_id\n{opaque_id(salt, suite, 'threshold')}\n")
    plan = Plan(study(own, human={"folder": str(tmp_path / "human")}), ROOT)
    assert list(plan.tables) == [f"adaptive_{suite}", f"{suite}_people"]
    assert awaited_tables(plan) == []
    chart = plan.studied[suite].charts[f"adaptive_{suite}"]
    assert chart.tables == (f"adaptive_{suite}", f"{suite}_people")
    told = plan.studied[suite].table_settings(f"{suite}_people")
    assert told[suite]["trials"].endswith("trials.csv")
    assert plan.studied[suite].table_settings(f"adaptive_{suite}") == {}


def test_other_suites_and_what_is_drawn_and_asked_stay_as_they_are():
    plain = Plan(study({"search": {}, "contrast": {}}), ROOT)
    mixed = Plan(study({"search": {}, "contrast": ADAPTIVE}), ROOT)
    shard = plain.shards("contrast", "chance")[0]
    for stage, names in {
        "draw_figure": {"suite": "contrast", "figure": "f032"},
        "make_items": {"suite": "contrast", "shard": shard},
        "run_model": {"suite": "search", "model": "chance"},
        "grade_responses": {"suite": "search", "model": "chance"},
    }.items():
        assert spec_of(plain, stage, **names) == spec_of(mixed, stage, **names)
    assert "search" in mixed.tables
    assert "contrast" not in mixed.tables


def refused(suites, **more):
    with pytest.raises(AfterimageError) as caught:
        Plan(study(suites, **more), ROOT)
    return str(caught.value)


def test_a_model_that_is_asked_in_batches_is_refused():
    entry = {
        "backend": "openai_compatible",
        "model_id": "m",
        "settings": {"base_url": "http://localhost:1/v1"},
        "client": {"mode": "batch"},
    }
    said = refused({"search": ADAPTIVE}, models=["mine"], own_models={"mine": entry})
    assert "suites.search.adaptive" in said
    assert "model 'mine' is asked in mode batch" in said


def test_a_model_with_recorded_answers_is_refused():
    entry = {"backend": "recorded", "model_id": "m", "settings": {"file": "{suite}.csv"}}
    said = refused({"search": ADAPTIVE}, models=["chance", "theirs"], own_models={"theirs": entry})
    assert "suites.search.adaptive" in said
    assert "model 'theirs' has recorded answers, of which none can be asked for" in said


def test_probes_beside_it_are_refused():
    said = refused({"search": {**ADAPTIVE, "probes": {"text_only": True}}})
    assert "found together with suites.search.probes; expected one of the two." in said


@pytest.mark.parametrize(
    ("value", "words"), [({}, "trials"), ({"trials": 0}, "trials"), (40, "adaptive")]
)
def test_what_is_no_number_of_trials_is_refused(value, words):
    assert words in refused({"search": {"adaptive": value}})
