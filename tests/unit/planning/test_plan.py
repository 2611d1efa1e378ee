"""The plan: names, parameters that change exactly when they should, one fingerprint per piece of code."""

import copy

import pytest
from studies import plain_study

from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.planning import suites
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import code_of, spec_of
from afterimage.stages.items import shard_figures

SUITE = "illusion_vqa"


@pytest.fixture(scope="module")
def config():
    study = plain_study()
    return {**study, "suites": {SUITE: study["suites"][SUITE]}}


@pytest.fixture
def planned(config, root, monkeypatch):
    """Make a plan from the plain study's first suite with changes."""
    monkeypatch.chdir(root)

    def make(**changes):
        return Plan({**copy.deepcopy(config), **changes}, root)

    return make


def test_the_default_study_has_15_illusions_120_stimuli_and_the_papers_tables(planned):
    plan = planned()
    assert len(plan.figures[SUITE]) == 15
    assert (
        sum(len(plan.studied[SUITE].stimulus_ids(figure)) for figure in plan.figures[SUITE]) == 120
    )
    assert set(plan.tables) == {
        *("genuine_vqa", "fake_vqa", "control_vqa", "illusion_vqa_tests"),
        *("genuine_beside_control", "fake_beside_control", "pairs_illusion_vqa"),
    }
    assert plan.shards(SUITE, "pixels") == ["000000-000399"]


def test_a_label_and_a_paper_s_names_are_told_to_tables_in_its_form_and_to_nothing_else(planned):
    entry = {"backend": "chance", "model_id": "claude-3.5-sonnet"}
    named = planned(models=["chance", "own"], own_models={"own": entry | {"label": "Ours 7B"}})
    plain = planned(models=["chance", "own"], own_models={"own": entry})
    names = spec_of(plain, "make_table", table="fake_vqa")["names"]
    assert ["gpt-4o", "GPT-4o"] in names
    assert names.index(["own", "Claude3.5"]) < names.index(["chance", "chance"])
    assert ["own", "Ours 7B"] in spec_of(named, "make_table", table="fake_vqa")["names"]
    assert "names" not in spec_of(named, "make_table", table="control_vqa")
    assert named.models == plain.models


def test_a_model_may_have_shards_of_its_own_size(planned):
    entry = {"backend": "chance", "shard_size": 60}
    plan = planned(models=["chance", "large"], own_models={"large": entry}, shard_size=40)
    assert plan.shards(SUITE, "large") == ["000000-000059", "000060-000119"]
    assert plan.shards(SUITE, "chance") == ["000000-000039", "000040-000079", "000080-000119"]


def test_leaving_an_illusion_out_moves_no_other(planned):
    whole = planned(shard_size=8)
    part = planned(shard_size=8, suites={SUITE: {"illusions": ["ponzo", "fick"]}})
    assert part.figures[SUITE] == ("fick", "ponzo")
    shards = part.shards(SUITE, "chance")
    assert shards == ["000024-000031", "000112-000119"]
    for shard in shards:
        assert spec_of(part, "make_items", suite=SUITE, shard=shard) == spec_of(
            whole, "make_items", suite=SUITE, shard=shard
        )


def test_items_depend_on_the_words_about_their_own_illusions_only(planned):
    spec = spec_of(planned(shard_size=8), "make_items", suite=SUITE, shard="000024-000031")
    assert list(spec["bank"]["figures"]) == ["fick"]
    assert list(spec["bank"]["prompts"]) == ["zero_shot"]
    assert "few_shot_examples" not in spec["settings"]
    assert all(stimulus.startswith("fick_") for stimulus in spec["stimuli"])


def test_examples_make_a_shard_depend_on_all_illusions(planned):
    plan = planned(shard_size=8, suites={SUITE: {"prompts": ["few_shot"]}})
    assert len(shard_figures(plan, SUITE, "000024-000031")) == 15
    assert (
        spec_of(plan, "make_items", suite=SUITE, shard="000024-000031")["settings"][
            "few_shot_examples"
        ]
        == 4
    )
    assert shard_figures(planned(shard_size=8), SUITE, "000024-000031") == ["fick"]


def test_what_cannot_change_an_answer_is_not_in_a_models_parameters(planned):
    entry = {"backend": "chance", "description": "one", "shard_size": 5, "resources": {"mem_mb": 5}}
    other = {"backend": "chance", "description": "two", "shard_size": 9, "resources": {"mem_mb": 9}}
    first = spec_of(
        planned(models=["m"], own_models={"m": entry}), "run_model", suite=SUITE, model="m"
    )
    second = spec_of(
        planned(models=["m"], own_models={"m": other}), "run_model", suite=SUITE, model="m"
    )
    assert first == second
    seeded = planned(models=["m"], own_models={"m": {**entry, "settings": {"seed": 1}}})
    assert spec_of(seeded, "run_model", suite=SUITE, model="m") != first


def test_every_figure_table_and_backend_has_a_fingerprint_of_its_own(planned):
    plan = planned()
    drawings = {
        code_of(plan, "draw_figure", suite=SUITE, figure=figure) for figure in plan.figures[SUITE]
    }
    assert len(drawings) == 15
    tables = {table: code_of(plan, "make_table", table=table) for table in plan.tables}
    assert len(set(tables.values())) == len(tables) == 7
    assert (
        len(
            {
                code_of(plan, "run_model", suite=SUITE, model=model)
                for model in ("chance", "textbook_cued", "pixels")
            }
        )
        == 3
    )
    assert code_of(plan, "run_model", suite=SUITE, model="textbook_cued") == code_of(
        plan, "run_model", suite=SUITE, model="textbook_gated"
    )


def test_parameters_are_plain_and_sorted(planned):
    def check(value, path):
        if isinstance(value, dict):
            for key, part in value.items():
                assert isinstance(key, str), path
                check(part, f"{path}.{key}")
        elif isinstance(value, list):
            for part in value:
                check(part, path)
        else:
            assert value is None or type(value) in (str, int, float, bool), (path, type(value))

    plan = planned()
    for spec in (
        spec_of(plan, "draw_figure", suite=SUITE, figure="fick"),
        spec_of(plan, "apply_human_filter", suite=SUITE),
        spec_of(plan, "make_items", suite=SUITE, shard="000000-000399"),
        spec_of(plan, "run_model", suite=SUITE, model="pixels"),
        spec_of(plan, "make_table", table="fake_vqa"),
        spec_of(plan, "draw_contact_sheet", sheet="illusion_stimuli"),
    ):
        check(spec, "spec")


def test_the_order_of_keys_changes_no_parameter(planned, config):
    turned = dict(reversed(config.items()))
    turned["statistics"] = dict(reversed(config["statistics"].items()))
    plan, other = planned(), planned(**turned)
    for table in plan.tables:
        assert repr(spec_of(plan, "make_table", table=table)) == repr(
            spec_of(other, "make_table", table=table)
        )
    assert repr(spec_of(plan, "make_items", suite=SUITE, shard="000000-000039")) == repr(
        spec_of(other, "make_items", suite=SUITE, shard="000000-000039")
    )
    assert repr(spec_of(plan, "run_model", suite=SUITE, model="chance")) == repr(
        spec_of(other, "run_model", suite=SUITE, model="chance")
    )


def test_a_shard_that_holds_nothing_is_one_sentence(planned):
    with pytest.raises(
        AfterimageError, match="shard '000400-000799' of suite 'illusion_vqa' holds no stimulus"
    ):
        spec_of(planned(), "make_items", suite=SUITE, shard="000400-000799")


def test_the_configuration_that_was_handed_over_is_not_changed(planned, config):
    before = copy.deepcopy(config)
    planned()
    assert config == before


def test_what_shards_ask_is_looked_for_once_however_many_they_are(planned, monkeypatch):
    looked = []
    monkeypatch.setattr(suites, "resolve", lambda part: looked.append(part) or resolve(part))
    plan = planned(suites={"blindtest": {}}, shard_size=100)
    shards = plan.shards("blindtest", "pixels")
    assert len(shards) > 10
    code_of(plan, "make_items", suite="blindtest", shard=shards[0])
    before = len(looked)
    for shard in shards:
        code_of(plan, "make_items", suite="blindtest", shard=shard)
    assert len(looked) == before > 0
