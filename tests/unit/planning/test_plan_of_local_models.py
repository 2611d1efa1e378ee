"""What the plan knows of models that run here: what they see, and whether their answers come in batches."""

import pytest
from studies import plain_study

from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import begin_of, code_of, spec_of


@pytest.fixture
def planned(root, monkeypatch):
    """Make a plan with a local model, a sampling one, one without batches, and a reference responder."""
    monkeypatch.chdir(root)

    def make(**settings):
        def entry(**own):
            return {"backend": "transformers", "model_id": "me/x", "settings": {**settings, **own}}

        own = {
            "local": entry(),
            "sampling": entry(temperature=0.7),
            "alone": entry(one_at_a_time=True),
        }
        return Plan(plain_study(models=[*own, "chance"], own_models=own), root)

    return make


def test_models_that_run_here_see_and_only_greedy_ones_with_batches_are_compared(planned):
    plan = planned()
    assert plan.seeing == ["local", "sampling", "alone"]
    assert plan.batching == ["local"]


def test_the_plain_study_has_neither(root, monkeypatch):
    monkeypatch.chdir(root)
    plan = Plan(plain_study(), root)
    assert plan.seeing == plan.batching == []


def test_what_is_seen_depends_on_the_processor_and_not_on_how_answers_are_made(planned):
    def spec(**settings):
        return spec_of(planned(**settings), "measure_seen", suite="illusion_vqa", model="local")

    assert spec() == spec(batch_size=2, max_new_tokens=7, dtype="float16", seed=3)
    assert spec() != spec(processor={"min_pixels": 100})


def test_code_that_sees_covers_the_processor_and_the_suites_measuring_alone(planned):
    plan = planned()
    names = {"suite": "illusion_vqa", "model": "local"}
    covered = plan.codes.reach.files(begin_of(plan, "measure_seen", **names))
    assert "afterimage/models/transformers/processing.py" in covered
    assert "afterimage/suites/illusion_vqa/limits.py" in covered
    assert not any("blindtest" in name or "openai" in name for name in covered)
    codes = {
        code_of(plan, "measure_seen", suite=suite, model="local")
        for suite in ("illusion_vqa", "blindtest")
    }
    assert len(codes) == 2


def test_the_comparison_names_batch_sizes_for_the_table(planned):
    plan = planned(batch_size=4)
    assert spec_of(plan, "make_batch_agreement")["batch_sizes"] == {"local": 4}
    assert spec_of(plan, "compare_batches", model="local")["entry"]["settings"]["batch_size"] == 4
    assert spec_of(plan, "compare_batches", model="local")["sampled"] > 0
