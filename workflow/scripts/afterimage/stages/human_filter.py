"""The human filter: what people answered, or the decision of the paper itself, decides which figures count."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import resolve
from afterimage.files.csv_rows import write_csv
from afterimage.files.human_responses import DECISION_COLUMNS, read_responses
from afterimage.grading.human_answers import IGNORED_COLUMNS
from afterimage.stages.stage import Stage, each_suite

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names

logger = logging.getLogger(__name__)


# ---- specs and parts ----


def filter_parts(plan: Plan, at: Names) -> list[str]:
    """Return what decides, and the columns that it fills."""
    names = ("decide", "ILLUSION_COLUMNS", "IMAGE_COLUMNS", "PEOPLE_COLUMNS")
    return [f"{plan.studied[at.suite].filter.part}:{name}" for name in names]


def filter_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the human filter depends on, the answers apart."""
    studied = plan.studied[at.suite]
    decided = studied.filter.spec(
        studied.words, studied.settings, tuple(studied.figures), studied.people
    )
    return {**decided, "part": studied.filter.part, "suite": at.suite}


def has_human_filter(plan: Plan, suite: str) -> bool:
    """Tell whether people's answers decide which figures of a suite count."""
    return plan.studied[suite].suite.decide is not None


def human_responses(plan: Plan, suite: str) -> list[str]:
    """Return the file of people's raw answers, or nothing if the paper's own decision stands."""
    studied = plan.studied[suite]
    path = studied.filter.responses(studied.settings, studied.people)
    return [] if path is None else [path]


# ---- functions of jobs ----


def apply_human_filter(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Decide about every figure of a suite and write what the decisions rest on.

    Args:
        spec: ``part`` (the module that decides), ``figures``, ``choices`` and the filter's settings.
        inputs: ``responses``: a CSV of raw answers, or none where the paper's own decision stands.
        outputs: ``figures`` (a decision each, with mode, agreement and reason), ``images`` (each image and
            question), ``ignored`` (answers that did not count, and why), ``decisions`` (the decisions alone),
            ``people`` (what people said of each image, once they have said everything).
    """
    module = resolve(spec["part"])
    # While the workflow waits for answers, none yet is no fault.
    waits = bool(spec.get("wait_for"))
    given = [read_responses(path, may_be_empty=waits) for path in inputs["responses"]]
    answers = given[0] if given else None
    result = module.decide(answers, spec["choices"], spec["figures"], spec)
    for row in result.ignored:
        logger.warning(
            "human responses: %s", ", ".join(f"{key} {value}" for key, value in row.items())
        )
    write_csv(outputs["figures"], result.illusions, module.ILLUSION_COLUMNS)
    write_csv(outputs["images"], result.images, module.IMAGE_COLUMNS)
    write_csv(outputs["ignored"], result.ignored, IGNORED_COLUMNS)
    write_csv(outputs["decisions"], result.decisions, DECISION_COLUMNS)
    write_csv(outputs["people"], result.people, module.PEOPLE_COLUMNS)


STAGES = (
    Stage(
        "apply_human_filter",
        apply_human_filter,
        "tables",
        parts=filter_parts,
        spec=filter_spec,
        jobs=each_suite(has_human_filter),
    ),
)
