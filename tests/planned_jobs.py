"""A plan with every suite that needs no files, and the jobs of a plan, as far as their code differs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from studies import plain_study
from texture_samples import write_csv

from afterimage.planning.pictures import chosen_by
from afterimage.planning.plan import Plan
from afterimage.planning.stages import STAGES, Stage
from afterimage.suites.texture.data.columns import JUDGEMENTS

LOCAL = {
    "backend": "transformers",
    "model_id": "some/model",
    "settings": {"one_at_a_time": False},
}


def plan_of_many(root: Path, folder: Path) -> Plan:
    """Return a plan with a local model, which judges too, and with people's judgements, so that a page chooses by them.

    Args:
        root: The repository.
        folder: For the judgements.
    """
    judgements = folder / "judgements.csv"
    write_csv(judgements, JUDGEMENTS, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        study = plain_study(own_models={"local": LOCAL}, judge={"model": "local"})
        study["suites"]["texture"]["judgements"] = str(judgements)
        return Plan({**study, "models": [*study["models"], "local"]}, root)


def planned_jobs(plan: Plan) -> Iterator[tuple[str, dict[str, str]]]:
    """Give each stage with the names of its jobs; of stages that find nothing by name, those of one job."""
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
    yield from ((stage, {}) for stage, own in STAGES.items() if not _finds_by_name(own))


def _finds_by_name(stage: Stage) -> bool:
    return stage.parts is not type(stage).parts
