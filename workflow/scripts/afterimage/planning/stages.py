"""The stages: what each kind of job does and what it depends on, one entry per kind (docs/invalidation.md).

A rule says of itself that it is of a stage (``depends("grade_responses")``); its job then calls the stage's function of
``jobs/``, and runs again when the code behind that or the stage's spec has changed. Everything here follows from the
study and from the names of what is made.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from afterimage.contract.parts import name_of, with_name
from afterimage.files.paths import with_folder
from afterimage.files.yaml import read_yaml_mapping
from afterimage.grading.words import digest
from afterimage.planning import asking, comparisons
from afterimage.planning.comparisons import thinking_spec, twins_parts, twins_spec
from afterimage.planning.pictures import (
    chart_spec,
    chosen_parts,
    claims_chart,
    page_parts,
    page_spec,
    sheet_spec,
    table_parts,
    table_spec,
    thinking_chart,
    twins_chart,
)
from afterimage.planning.plan import Plan
from afterimage.planning.report import overview_spec, pages_of_tables, suite_page_spec
from afterimage.planning.stage_parts import (
    Names,
    for_readers,
    graders,
    papers,
    part_of,
    told,
    told_readers,
    versions,
    voting,
)
from afterimage.planning.study import canonical
from afterimage.sprout import PROMPTS


@dataclass(frozen=True)
class Stage:
    """A kind of job.

    Attributes:
        name: The stage's name, as rules and reasons of reruns give it.
        run: Module and function of ``afterimage.jobs``, called with ``(spec, inputs, outputs, beside)``.
        environment: The file of ``envs/`` with its packages.
        parts: What the function finds by name, ``package.module:name`` or a module for all of it. A job's fingerprint
            covers what these and the function reach, and nothing else.
        spec: What its result depends on beside code and input files: plain values.
    """

    name: str
    run: str
    environment: str
    parts: Callable[[Plan, Names], Iterable[str]] = lambda plan, at: ()
    spec: Callable[[Plan, Names], Mapping[str, Any]] = lambda plan, at: {}


def code_of(plan: Plan, stage: str, **names: str) -> str:
    """Return the fingerprint of the code and the packages behind a job."""
    own = STAGES[stage]
    parts = list(own.parts(plan, Names(**names)))
    return plan.codes.code(stage, own.run, parts, own.environment)


def spec_of(plan: Plan, stage: str, **names: str) -> dict[str, Any]:
    """Return what else a job depends on, its input files apart: plain values in their canonical form.

    Snakemake compares parameters as they are printed.
    """
    values: dict[str, Any] = _with_results(
        canonical(STAGES[stage].spec(plan, Names(**names))), plan.results
    )
    return values


def begin_of(plan: Plan, stage: str, **names: str) -> list[str]:
    """Return the parts from which all code of a job is reached."""
    own = STAGES[stage]
    return plan.codes.begin(own.run, list(own.parts(plan, Names(**names))))


def _with_results(value: Any, results: str) -> Any:
    """Put the name of the folder of results into all texts of a parameter."""
    if isinstance(value, dict):
        return {key: _with_results(part, results) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_results(part, results) for part in value]
    return with_folder(value, results) if isinstance(value, str) else value


def _suite_page_spec(plan: Plan, at: Names) -> dict[str, Any]:
    # Shown to readers; a table's own code remakes the page in any case, through the table.
    codes = {
        f"Code of the table {name}": code_of(plan, "make_table", table=name)
        for name in plan.report_tables(at.suite)
    }
    made = {"Code of the items": code_of(plan, "make_items", suite=at.suite), **codes}
    return suite_page_spec(plan, at.suite, made)


def _sprout_spec(recipe: str) -> dict[str, str]:
    """Return what the training of sprout depends on beside its code: a recipe, and a hash of its questions' words."""
    content = [
        read_yaml_mapping(f"resources/prompts/{name}.yaml", "the training questions of sprout")
        for name in PROMPTS
    ]
    words = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {"recipe": recipe, "words": words}


_STAGES = (
    # ---- stimuli ----
    Stage(
        "draw_figure",
        "stimuli:draw_figure",
        "stimuli",
        parts=lambda plan, at: plan.studied[at.suite].drawing_parts(at.figure),
        spec=lambda plan, at: plan.studied[at.suite].drawing_spec(at.figure),
    ),
    Stage(
        "write_image", "images:write_image", "stimuli", spec=lambda _, at: {"stimulus": at.stimulus}
    ),
    Stage("collect_measurements", "measurements:collect_measurements", "tables"),
    Stage(
        "write_side_files",
        "stimuli:write_side_files",
        "stimuli",
        parts=lambda plan, at: [name_of(plan.side_files(at.suite)[at.writer].part)],
        spec=lambda plan, at: plan.studied[at.suite].side_files_spec(at.writer),
    ),
    # ---- questions and answers ----
    Stage(
        "make_items",
        "items:make_items",
        "stimuli",
        parts=lambda plan, at: asking.items_parts(plan, at.suite),
        spec=lambda plan, at: asking.items_spec(plan, at.suite, at.shard),
    ),
    Stage(
        "run_model",
        "inference:run_model",
        "inference",
        parts=lambda plan, at: asking.model_parts(plan, at.suite, at.model),
        spec=lambda plan, at: asking.model_spec(plan, at.suite, at.model),
    ),
    Stage(
        "run_adaptive",
        "adaptive:run_adaptive",
        "inference",
        parts=lambda plan, at: asking.adaptive_parts(plan, at.suite, at.model),
        spec=lambda plan, at: asking.adaptive_spec(plan, at.suite, at.model),
    ),
    Stage("merge_responses", "inference:merge_responses", "tables"),
    Stage(
        "match_recorded_answers",
        "recorded:match_recorded_answers",
        "tables",
        spec=asking.recorded_spec,
    ),
    # What is fetched is the rule's to say: it runs where no study can be planned (data.smk).
    Stage("fetch_data", "fetching:fetch_data", "inference"),
    Stage(
        "fetch_weights",
        "fetching:fetch_weights",
        "inference",
        spec=lambda plan, at: asking.weights_spec(plan, at.model),
    ),
    Stage(
        "train_sprout",
        "sprout:train_sprout",
        "inference",
        spec=lambda _, at: _sprout_spec(at.recipe),
    ),
    Stage(
        "measure_seen",
        "seen:measure_seen",
        "inference",
        parts=lambda plan, at: [
            asking.eyes(plan, at.model),
            *plan.studied[at.suite].seen_parts(),
        ],
        spec=lambda plan, at: asking.seen_spec(plan, at.suite, at.model),
    ),
    Stage(
        "compare_batches",
        "batch_agreement:compare_batches",
        "inference",
        parts=lambda plan, at: [asking.backend(plan, at.model)],
        spec=lambda plan, at: asking.batches_spec(plan, at.model),
    ),
    # ---- grades, judges, reviews ----
    Stage(
        "grade_responses",
        "grades:grade_model",
        "tables",
        parts=graders,
        spec=lambda plan, at: {
            "answer_words": digest(),
            **({"adaptive": True} if at.suite in plan.adaptive else {}),
        },
    ),
    Stage(
        "judge_responses",
        "judging:judge_responses",
        "inference",
        parts=voting,
        spec=lambda plan, at: plan.judging.votes_spec(at.suite, at.model),
    ),
    Stage(
        "grade_judged",
        "judging:grade_judged",
        "tables",
        parts=lambda plan, at: [*told(plan, at), *graders(plan, at)],
        spec=lambda plan, at: {**plan.judging.grading_spec(at.suite), "answer_words": digest()},
    ),
    Stage(
        "queue_review",
        "judge_checks:queue_review",
        "tables",
        parts=told,
        spec=lambda plan, at: plan.judging.review_spec(at.suite),
    ),
    Stage(
        "apply_review",
        "judge_checks:apply_review",
        "tables",
        spec=lambda plan, at: {**plan.judging.review_spec(at.suite), "model": at.model},
    ),
    Stage(
        "summarise_review",
        "judge_checks:summarise_review",
        "tables",
        spec=lambda plan, at: for_readers(plan, at, plan.judging.review_summary_spec(at.suite)),
    ),
    Stage(
        "compare_judge",
        "judge_checks:compare_judge",
        "tables",
        spec=lambda plan, at: for_readers(plan, at, plan.judging.summary_spec(at.suite)),
    ),
    Stage(
        "validate_judge",
        "judge_checks:validate_judge",
        "tables",
        spec=lambda plan, at: for_readers(plan, at, plan.judging.validation_spec(at.suite)),
    ),
    # ---- people ----
    Stage(
        "apply_human_filter",
        "forms:apply_human_filter",
        "tables",
        parts=lambda plan, at: plan.studied[at.suite].filter_parts(),
        spec=lambda plan, at: plan.studied[at.suite].filter_spec(),
    ),
    Stage(
        "list_form_tasks",
        "forms:list_form_tasks",
        "stimuli",
        parts=lambda plan, at: plan.forms.task_parts(at.suite, at.form),
        spec=lambda plan, at: plan.forms.tasks_spec(at.suite, at.form),
    ),
    Stage(
        "write_form",
        "forms:write_form",
        "tables",
        spec=lambda plan, at: {**plan.forms.page_spec(at.suite, at.form), "number": at.page},
    ),
    Stage(
        "write_session",
        "forms:write_session",
        "stimuli",
        parts=lambda plan, at: plan.forms.session_parts(at.suite, at.form),
        spec=lambda plan, at: {**plan.forms.session_spec(at.suite, at.form), "number": at.page},
    ),
    Stage(
        "import_answers",
        "forms:import_answers",
        "tables",
        parts=lambda plan, at: plan.forms.answer_parts(at.suite, at.result),
        spec=lambda plan, at: plan.forms.answers_spec(at.suite, at.result),
    ),
    # ---- tables ----
    Stage(
        "make_table",
        "tables:make_table",
        "tables",
        parts=lambda plan, at: table_parts(plan, at.table),
        spec=lambda plan, at: table_spec(plan, at.table),
    ),
    Stage(
        "make_cost",
        "study_tables:make_cost",
        "tables",
        spec=lambda plan, at: {**asking.cost_spec(plan), **told_readers(plan)},
    ),
    Stage(
        "make_all_answers",
        "grades:make_all_answers",
        "tables",
        spec=lambda plan, at: {"models": list(plan.models), "suites": versions(plan)},
    ),
    Stage(
        "make_knowledge_all",
        "probe_tables:make_knowledge",
        "tables",
        spec=lambda plan, at: {
            "confidence": plan.statistics["confidence"],
            "models": list(plan.models),
            **told_readers(plan, *plan.asking_without_image),
        },
    ),
    Stage(
        "make_claims",
        "probe_tables:make_claims",
        "tables",
        spec=lambda plan, at: comparisons.claims_spec(plan, comparisons.asking_for_claims),
    ),
    Stage(
        "make_claims_clean",
        "probe_tables:make_clean",
        "tables",
        spec=lambda plan, at: comparisons.claims_spec(plan, comparisons.asking_clean),
    ),
    Stage(
        "make_robustness",
        "probe_tables:make_robustness",
        "tables",
        spec=lambda plan, at: {
            **plan.statistics,
            "asked_again": plan.asked_again,
            **told_readers(plan, *(suite for suite, _ in plan.asked_again)),
        },
    ),
    Stage(
        "make_thinking",
        "study_tables:make_thinking",
        "tables",
        spec=lambda plan, at: thinking_spec(plan),
    ),
    Stage(
        "make_twins",
        "study_tables:make_twins",
        "tables",
        parts=lambda plan, at: twins_parts(plan),
        spec=lambda plan, at: twins_spec(plan),
    ),
    Stage(
        "make_batch_agreement",
        "batch_agreement:agreement_table",
        "tables",
        spec=lambda plan, at: {**asking.agreement_spec(plan), **told_readers(plan)},
    ),
    # ---- pictures ----
    Stage("draw_chart", "charts:draw_chart", "figures", part_of(chart_spec), chart_spec),
    Stage("draw_claims", "charts:draw_chart", "figures", part_of(claims_chart), claims_chart),
    Stage("draw_thinking", "charts:draw_chart", "figures", part_of(thinking_chart), thinking_chart),
    Stage("draw_twins", "charts:draw_chart", "figures", part_of(twins_chart), twins_chart),
    Stage("draw_examples", "example_page:draw_examples", "figures", page_parts, page_spec),
    Stage("draw_chosen", "chosen_page:draw_chosen", "figures", chosen_parts, page_spec),
    Stage("draw_contact_sheet", "images:draw_contact_sheet", "figures", spec=sheet_spec),
    # ---- the papers' numbers, and the report ----
    Stage(
        "rescore_recorded",
        "ledger:rescore",
        "tables",
        parts=lambda plan, at: [with_name(plan.studied[at.suite].rescorer, "rescore")],
        spec=lambda plan, at: {
            "folder": plan.ledger.recorded[at.suite],
            "part": plan.studied[at.suite].rescorer,
        },
    ),
    Stage(
        "make_ledger",
        "ledger:make_ledger",
        "tables",
        parts=papers,
        spec=lambda plan, at: plan.ledger.spec,
    ),
    Stage(
        "write_number",
        "ledger:write_number",
        "tables",
        parts=papers,
        spec=lambda plan, at: plan.ledger.number_spec(at.number),
    ),
    Stage("write_macros", "ledger:write_macros", "tables"),
    Stage(
        "write_values",
        "study_tables:write_values",
        "tables",
        spec=lambda plan, _: {"pages": pages_of_tables(plan)},
    ),
    Stage("make_suite_page", "report:write_suite_page", "tables", papers, _suite_page_spec),
    Stage(
        "make_overview", "report:write_overview", "tables", spec=lambda plan, _: overview_spec(plan)
    ),
)

#: Name to stage.
STAGES = {stage.name: stage for stage in _STAGES}
