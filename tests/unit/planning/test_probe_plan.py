"""The plan with and without probes: nothing is different until one is asked for."""

import pytest
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import code_of, spec_of
from afterimage.stages.probe_tables import asking_clean, asking_for_claims, asking_without_image

SUITE = "illusion_vqa"
SHARD = "000000-000399"
OFF = {
    **{"option_orders": 0, "text_only": False, "blank": False},
    **{"silent": False, "guess": False, "say_missing": False, "clean": False},
}


@pytest.fixture
def planned(root, monkeypatch):
    """Make a plan of the plain study's illusions with these probes."""
    monkeypatch.chdir(root)

    def make(probes=None, **changes):
        suite = plain_study()["suites"][SUITE]
        if probes is not None:
            suite["probes"] = probes
        return Plan(plain_study(suites={SUITE: suite}, **changes), root)

    return make


def everything(plan):
    """All parameters and fingerprints of the suite's jobs from items to tables."""
    return {
        "items": (
            spec_of(plan, "make_items", suite=SUITE, shard=SHARD),
            code_of(plan, "make_items", suite=SUITE),
        ),
        "filter": (
            spec_of(plan, "apply_human_filter", suite=SUITE),
            code_of(plan, "apply_human_filter", suite=SUITE),
        ),
        "grading": code_of(plan, "grade_responses", suite=SUITE),
        "models": [
            (
                spec_of(plan, "run_model", suite=SUITE, model=m),
                code_of(plan, "run_model", suite=SUITE, model=m),
            )
            for m in plan.models
        ],
        "tables": {
            name: (spec_of(plan, "make_table", table=name), code_of(plan, "make_table", table=name))
            for name in plan.tables
        },
        "forms": [
            spec_of(plan, "list_form_tasks", suite=names[0], form=names[1])
            for names in plan.forms.names
        ],
        "costs": spec_of(plan, "make_cost"),
    }


@pytest.mark.parametrize("off", [{}, OFF])
def test_probes_that_are_off_change_no_parameter_and_no_fingerprint(planned, off):
    assert planned(off).probes == {}
    assert repr(everything(planned(off))) == repr(everything(planned()))
    assert "probes" not in spec_of(planned(), "make_items", suite=SUITE, shard=SHARD)


def test_probes_change_items_and_add_their_table_and_nothing_else(planned):
    without, probed = everything(planned()), everything(planned({"text_only": True}))
    assert without.pop("items") != probed.pop("items")
    assert probed["tables"].pop("knowledge")
    assert repr(without) == repr(probed)


def test_a_kind_of_probe_brings_the_code_of_its_own_kind_only(planned):
    without_image = {
        code_of(planned({"text_only": True}), "make_items", suite=SUITE),
        code_of(planned({"blank": True}), "make_items", suite=SUITE),
    }
    assert len(without_image) == 1
    assert without_image.isdisjoint({code_of(planned(), "make_items", suite=SUITE)})


def test_a_text_only_question_depends_on_the_names_of_its_own_illusions(planned):
    spec = spec_of(
        planned({"text_only": True}, shard_size=8), "make_items", suite=SUITE, shard="000024-000031"
    )
    assert list(spec["probes"]["words"]) == ["fick"]
    assert "vertical-horizontal illusion" in spec["probes"]["words"]["fick"]
    assert (
        spec_of(planned({"blank": True}), "make_items", suite=SUITE, shard=SHARD)["probes"]["words"]
        == {}
    )


def test_an_unknown_probe_is_one_sentence_with_the_known_ones(planned):
    with pytest.raises(
        AfterimageError, match=r"suites.illusion_vqa.probes: .*'txt_only'.*text_only"
    ):
        planned({"txt_only": True})


def test_a_value_of_the_wrong_type_is_one_sentence(planned):
    with pytest.raises(
        AfterimageError, match=r"probes: key 'blank': found \"x\"; expected true or"
    ):
        planned({"blank": "x"})


def test_recorded_answers_and_probes_exclude_each_other(planned, tmp_path):
    answers = tmp_path / "answers.csv"
    answers.write_text("item_id,answer\n")
    entry = {"backend": "recorded", "settings": {"file": str(answers)}}
    said = (
        "model 'old' has recorded answers to the suite's own questions and cannot be asked others"
    )
    with pytest.raises(AfterimageError, match=said):
        planned({"blank": True}, models=["old"], own_models={"old": entry})


def test_items_of_earlier_probes_depend_on_nothing_new(planned):
    spec = spec_of(planned({"blank": True}), "make_items", suite=SUITE, shard=SHARD)
    assert spec["probes"] == {"blank": True, "option_orders": 0, "text_only": False, "words": {}}


def test_a_sentence_before_the_question_is_data_that_items_depend_on(planned):
    plan = planned({"silent": True, "guess": True, "clean": True})
    probes = spec_of(plan, "make_items", suite=SUITE, shard=SHARD)["probes"]
    assert probes["guess"] == "No image is attached. Guess the most likely answer all the same."
    assert probes["silent"] is True
    assert "say_missing" not in probes
    assert "clean" not in probes
    assert asking_for_claims(plan) == asking_clean(plan) == [SUITE]
    assert asking_without_image(plan) == []


def test_reference_responders_mark_no_item_where_there_are_models(planned):
    plan = planned({"silent": True})
    assert spec_of(plan, "make_claims")["marking"] == list(plan.models)


def test_clean_needs_a_question_without_image(planned):
    with pytest.raises(
        AfterimageError, match=r"probes: key 'clean'.*expected one of these as well"
    ):
        planned({"clean": True, "text_only": True})
