"""The jobs of a plan, as far as their code differs: not each shard, stimulus and number of its own."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from afterimage.planning.chosen_page import chosen_by
from afterimage.planning.forms import has_human_filter
from afterimage.planning.images import are_written
from afterimage.planning.plan import Plan
from afterimage.planning.probe_tables import (
    asked_several_times,
    asking_clean,
    asking_for_claims,
    asking_without_image,
)
from afterimage.planning.study_tables import thinking_models, twin_models

Names = Mapping[str, str]


def jobs_of(plan: Plan) -> Iterator[tuple[str, Names]]:
    """Yield the stage of each job, with the names that its code depends on, and what it makes is called by."""
    for stage, names in JOBS.items():
        yield from ((stage, dict(one)) for one in names(plan))


def _once(condition: Callable[[Plan], object] = lambda plan: True) -> Callable[[Plan], list[Names]]:
    return lambda plan: [{}] if condition(plan) else []


def _each(key: str, named: Callable[[Plan], Iterable[str]]) -> Callable[[Plan], list[Names]]:
    return lambda plan: [{key: name} for name in named(plan)]


def _of_suites(
    key: str, named: Callable[[Plan, str], Iterable[str]]
) -> Callable[[Plan], list[Names]]:
    return lambda plan: [
        {"suite": suite, key: name} for suite in plan.suites for name in named(plan, suite)
    ]


def _suites(condition: Callable[[Plan, str], object]) -> Callable[[Plan], list[Names]]:
    return _each("suite", lambda plan: [suite for suite in plan.suites if condition(plan, suite)])


def _judged(plan: Plan, suite: str) -> list[str]:
    return plan.judging.judged_models(suite)


def _reviewed(plan: Plan, suite: str) -> list[str]:
    judging = plan.judging
    given = suite in judging.suites and judging.reviews(suite)
    return judging.reviewed_models(suite) if given else []


def _in_judging(plan: Plan, suite: str) -> bool:
    return suite in plan.judging.suites


#: Stage to the names of its jobs.
JOBS: dict[str, Callable[[Plan], Iterable[Names]]] = {
    "draw_figure": _of_suites("figure", lambda plan, suite: plan.figures[suite]),
    "write_image": _once(lambda plan: are_written(plan)),
    "collect_measurements": _each("suite", lambda plan: plan.suites),
    "write_side_files": _of_suites("writer", lambda plan, suite: plan.studied[suite].side_files),
    "make_items": _each("suite", lambda plan: plan.suites),
    "run_model": _of_suites(
        "model", lambda plan, suite: () if suite in plan.adaptive else plan.models
    ),
    "run_adaptive": lambda plan: [
        {"suite": suite, "model": model} for suite in plan.adaptive for model in plan.models
    ],
    "merge_responses": _once(lambda plan: set(plan.models) - set(plan.at_once)),
    "match_recorded_answers": _of_suites("model", lambda plan, suite: plan.recorded),
    "fetch_data": _once(lambda plan: ()),
    "fetch_weights": _each("model", lambda plan: plan.fetched),
    "train_sprout": _once(),
    "measure_seen": _of_suites("model", lambda plan, suite: plan.seeing),
    "compare_batches": _each("model", lambda plan: plan.batching),
    "grade_responses": _each("suite", lambda plan: plan.suites),
    "judge_responses": _of_suites("model", _judged),
    "grade_judged": _suites(_in_judging),
    "queue_review": _suites(_in_judging),
    "apply_review": _of_suites("model", _reviewed),
    "summarise_review": _suites(
        lambda plan, suite: _in_judging(plan, suite) and plan.judging.reviews(suite)
    ),
    "compare_judge": _suites(_judged),
    "validate_judge": _suites(
        lambda plan, suite: f"{suite}_judge_validation" in plan.judging.validations
    ),
    "apply_human_filter": _suites(lambda plan, suite: has_human_filter(plan, suite)),
    "list_form_tasks": lambda plan: [
        {"suite": suite, "form": form} for suite, form in plan.forms.names
    ],
    "write_form": _once(lambda plan: plan.forms.sessions(are=False)),
    "write_session": lambda plan: [
        {"suite": suite, "form": form}
        for suite, form in plan.forms.names
        if form in plan.forms.sessions()
    ],
    "import_answers": _of_suites("result", lambda plan, suite: plan.forms.results(suite)),
    "make_table": _each("table", lambda plan: plan.tables),
    "make_cost": _once(),
    "make_all_answers": _once(),
    "make_knowledge_all": _once(lambda plan: asking_without_image(plan)),
    "make_claims": _once(asking_for_claims),
    "make_claims_clean": _once(asking_clean),
    "make_robustness": _once(lambda plan: asked_several_times(plan)),
    "make_thinking": _once(thinking_models),
    "make_twins": _once(twin_models),
    "make_batch_agreement": _once(lambda plan: plan.batching),
    "draw_chart": _each("chart", lambda plan: plan.charts),
    "draw_claims": _once(asking_for_claims),
    "draw_thinking": _once(thinking_models),
    "draw_twins": _once(twin_models),
    "draw_examples": _each(
        "page", lambda plan: [page for page in plan.pages if not chosen_by(plan, page)]
    ),
    "draw_chosen": _each(
        "page", lambda plan: [page for page in plan.pages if chosen_by(plan, page)]
    ),
    "draw_contact_sheet": _each("sheet", lambda plan: plan.sheets),
    "rescore_recorded": _each("suite", lambda plan: plan.ledger.recorded),
    "make_ledger": _once(),
    "write_number": _once(),
    "write_macros": _once(),
    "write_values": _once(),
    "make_suite_page": _each("suite", lambda plan: plan.suites),
    "make_overview": _once(),
}
