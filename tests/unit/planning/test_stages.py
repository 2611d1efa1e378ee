"""The stages: each job's code is the door, its own function, and what that imports or finds by name."""

import pytest
from studies import plain_study
from texture_samples import write_csv

from afterimage.planning.fingerprint import closure
from afterimage.planning.pictures import chosen_by
from afterimage.planning.plan import Plan
from afterimage.planning.scripts import Scripts
from afterimage.planning.stages import STAGES, code_of, sources_of, spec_of
from afterimage.suites.texture.data.columns import JUDGEMENTS

LOCAL = {
    "backend": "transformers",
    "model_id": "some/model",
    "settings": {"one_at_a_time": False},
}


@pytest.fixture(scope="module")
def plan(root, tmp_path_factory):
    # With people's judgements there is a page that chooses its answers by them.
    judgements = tmp_path_factory.mktemp("people") / "judgements.csv"
    write_csv(judgements, JUDGEMENTS, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        study = plain_study(own_models={"local": LOCAL}, judge={"model": "local"})
        study["suites"]["texture"]["judgements"] = str(judgements)
        return Plan({**study, "models": [*study["models"], "local"]}, root)


def jobs(plan):
    """Each stage with the names of its jobs; of stages that find nothing by name, those of one job."""
    for suite, figures in plan.figures.items():
        own = plan.studied[suite]
        yield from (("draw_figure", {"suite": suite, "figure": figure}) for figure in figures)
        yield from (
            ("write_side_files", {"suite": suite, "writer": name}) for name in own.side_files
        )
        yield from (("run_model", {"suite": suite, "model": model}) for model in plan.models)
        yield from (("measure_seen", {"suite": suite, "model": model}) for model in plan.seeing)
        for stage in ("make_items", "grade_responses", "make_suite_page"):
            yield stage, {"suite": suite}
        if own.suite.rescore is not None:
            yield "rescore_recorded", {"suite": suite}
        if own.suite.decide is not None:
            yield "apply_human_filter", {"suite": suite}
    for suite in plan.judging.suites:
        for stage in ("grade_judged", "judge_responses", "queue_review"):
            yield stage, {"suite": suite}
    for suite, form in plan.forms.names:
        yield "list_form_tasks", {"suite": suite, "form": form}
        yield "import_answers", {"suite": suite, "result": plan.forms.forms[suite][form].result}
    yield from (("make_table", {"table": table}) for table in plan.tables)
    yield from (("draw_chart", {"chart": chart}) for chart in plan.charts)
    for page in plan.pages:
        yield "draw_chosen" if chosen_by(plan, page) else "draw_examples", {"page": page}
    yield from (("compare_batches", {"model": model}) for model in plan.batching)
    yield from (("make_ledger", {}), ("write_number", {}), ("draw_claims", {}))
    yield from ((stage, {}) for stage, own in STAGES.items() if not finds_by_name(own))


def finds_by_name(stage):
    return stage.modules is not type(stage).modules


@pytest.mark.slow
def test_no_job_rests_on_planning_a_suite_s_value_or_another_job(plan, root):
    scripts = Scripts(root / "workflow" / "scripts")
    seen = set()
    for stage, names in jobs(plan):
        seen.add(stage)
        files = closure(scripts, sources_of(plan, stage, **names))
        named = {name for name in files if name.startswith("afterimage/jobs/")}
        own = f"afterimage/jobs/{STAGES[stage].run.partition(':')[0]}.py"
        imported = closure(scripts, ["job.py", own])
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
