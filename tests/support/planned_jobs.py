"""A plan with every suite that needs no files, and the jobs of a plan, as far as their code differs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from studies import plain_study
from texture_samples import write_csv

from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import STAGES, jobs_of
from afterimage.suites.texture.columns import JUDGEMENTS

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
        study["suites"]["contrast"] = {"adaptive": {"trials": 20}, "ask_people": True}
        return Plan({**study, "models": [*study["models"], "local"]}, root)


def planned_jobs(plan: Plan) -> Iterator[tuple[str, dict[str, str]]]:
    """Give each stage with the names of its jobs, and one job of each stage that this plan has none of."""
    found = [
        *jobs_of(plan),
        ("draw_claims", {}),
        *(
            ("import_answers", {"suite": suite, "result": plan.forms.forms[suite][form].result})
            for suite, form in plan.forms.names
        ),
    ]
    planned = {stage for stage, _ in found}
    yield from found
    yield from ((stage, {}) for stage in STAGES if stage not in planned)
