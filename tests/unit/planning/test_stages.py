"""The stages: each job's code is the door, its own function, and what that imports or finds by name."""

import pytest
from planned_jobs import plan_of_many, planned_jobs

from afterimage.stages.all_stages import FEATURES, STAGES, begin_of, code_of, spec_of


@pytest.fixture(scope="module")
def plan(root, tmp_path_factory):
    return plan_of_many(root, tmp_path_factory.mktemp("people"))


def test_the_stages_of_a_feature_run_the_module_of_jobs_with_its_name():
    for feature in FEATURES:
        assert {stage.run.__module__ for stage in feature.STAGES} == {feature.__name__}
    assert len(STAGES) == sum(len(feature.STAGES) for feature in FEATURES)


def test_no_job_rests_on_planning_a_suite_s_value_or_another_job(plan):
    reach = plan.codes.reach
    seen = set()
    for stage, names in planned_jobs(plan):
        seen.add(stage)
        files = reach.files(begin_of(plan, stage, **names))
        named = {name for name in files if name.startswith("afterimage/stages/")}
        own = f"{STAGES[stage].run.__module__.replace('.', '/')}.py"
        imported = reach.files(["job", STAGES[stage].part])
        assert own in files, stage
        assert named <= imported, (stage, names, named - imported)
        wrong = [
            name
            for name in files
            if name.startswith(("afterimage/planning/", "afterimage/commands/"))
            or (name.startswith("afterimage/suites/") and name.endswith("/suite.py"))
        ]
        assert not wrong, (stage, names, wrong)
    assert seen == set(STAGES)


def test_the_code_of_a_job_names_its_stage_and_is_the_same_for_the_same_names(plan):
    names = {"suite": "illusion_vqa", "figure": "fick"}
    assert code_of(plan, "draw_figure", **names).startswith("code of draw_figure ")
    assert code_of(plan, "draw_figure", **names) == code_of(plan, "draw_figure", **names)
    # A rule has more wildcards than its stage looks at.
    assert code_of(plan, "grade_responses", suite="illusion_vqa", model="chance") == code_of(
        plan, "grade_responses", suite="illusion_vqa"
    )


def test_specs_are_plain_and_sorted_at_every_level(plan):
    def check(value):
        if isinstance(value, dict):
            assert list(value) == sorted(value)
            for part in value.values():
                check(part)
        elif isinstance(value, list):
            for part in value:
                check(part)
        else:
            assert value is None or type(value) in (str, int, float, bool), type(value)

    suite, shard = "illusion_vqa", plan.shards("illusion_vqa", "chance")[0]
    for stage, names in {
        "draw_figure": {"suite": suite, "figure": "fick"},
        "make_items": {"suite": suite, "shard": shard},
        "run_model": {"suite": suite, "model": "chance"},
        "judge_responses": {"suite": "illusionbench", "model": "local"},
        "validate_judge": {"suite": "illusionbench"},
        "summarise_review": {"suite": "illusionbench"},
        "make_suite_page": {"suite": suite},
        "make_ledger": {},
        "make_overview": {},
        "make_cost": {},
        "make_robustness": {},
        "make_claims": {},
        "make_claims_clean": {},
        "apply_review": {"suite": "illusionbench", "model": "local"},
    }.items():
        check(spec_of(plan, stage, **names))
