"""The stages of all features: what each kind of job does and what it depends on (docs/invalidation.md).

A rule says of itself that it is of a stage (``depends("grade_responses")``); its job then calls the stage's function,
and runs again when the code behind that or the stage's spec has changed. Everything follows from the study
and from the names of what is made.
"""

from collections.abc import Iterator
from typing import Any

from afterimage.files.paths import with_folder
from afterimage.planning.plan import Plan
from afterimage.planning.study import canonical
from afterimage.stages import (
    adaptive,
    batch_agreement,
    charts,
    example_page,
    fetching,
    forms,
    grades,
    human_filter,
    images,
    inference,
    items,
    judge_checks,
    judging,
    ledger,
    measurements,
    probe_tables,
    recorded,
    report,
    seen,
    sprout,
    stimuli,
    study_tables,
    tables,
)
from afterimage.stages.stage import Names, Stage

#: The modules of the features, about in the order in which a study is made.
FEATURES = (
    *(stimuli, images, measurements, items),
    *(inference, adaptive, recorded, fetching, sprout, seen, batch_agreement),
    *(grades, judging, judge_checks, human_filter, forms),
    *(tables, study_tables, probe_tables, charts, example_page),
    *(ledger, report),
)

#: Name to stage.
STAGES: dict[str, Stage] = {stage.name: stage for feature in FEATURES for stage in feature.STAGES}


def jobs_of(plan: Plan) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the stage of each job, with the names that its code depends on, and what it makes is called by."""
    for stage in STAGES.values():
        yield from ((stage.name, dict(names)) for names in stage.jobs(plan))


def code_of(plan: Plan, stage: str, **names: str) -> str:
    """Return the fingerprint of the code and the packages behind a job."""
    return STAGES[stage].code(plan, Names(**names))


def spec_of(plan: Plan, stage: str, **names: str) -> dict[str, Any]:
    """Return what else a job depends on, its input files apart: plain values in their canonical form.

    Snakemake compares parameters as they are printed.
    """
    spec = canonical(STAGES[stage].spec(plan, Names(**names)))
    values: dict[str, Any] = _with_results(spec, plan.results)
    return values


def begin_of(plan: Plan, stage: str, **names: str) -> list[str]:
    """Return the parts from which all code of a job is reached."""
    return STAGES[stage].begin(plan, Names(**names))


def _with_results(value: Any, results: str) -> Any:
    """Put the name of the folder of results into all texts of a parameter."""
    if isinstance(value, dict):
        return {key: _with_results(part, results) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_results(part, results) for part in value]
    return with_folder(value, results) if isinstance(value, str) else value
