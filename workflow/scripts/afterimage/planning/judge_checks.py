"""What reviews of a judge's grades, and comparisons of the judge with people, depend on: plain values."""

from typing import Any

from afterimage.planning.judge_and_reviews import Judging
from afterimage.planning.judging import is_judged, judge_told, judged_models
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites, each_suite, told_readers

#: The share of the answers graded right that people see, and which others, where the study says nothing.
_DEFAULT_REVIEW = {"sample_right": 0.1, "scope": "wrong"}


def review_spec(judging: Judging, suite: str) -> dict[str, Any]:
    """Return what the queue and the application of reviews depend on, grades and reviews apart."""
    settings = judging.review.get(suite, _DEFAULT_REVIEW)
    share = {"wrong": 0.0, "all": 1.0, "sample_right": settings["sample_right"]}
    return {
        "fields": judging.judged[suite].part,
        "right_share": share[settings["scope"]],
        "suite": suite,
    }


def model_codes(judging: Judging, suite: str) -> dict[str, str]:
    """Return what models are called in files of people's scores: by their names, and as the study says."""
    own = {name: name for name in judging.judged_models(suite)}
    return {**own, **judging.review.get(suite, {}).get("model_codes", {})}


def _queue_spec(plan: Plan, at: Names) -> dict[str, Any]:
    return review_spec(plan.judging, at.suite)


def _application_spec(plan: Plan, at: Names) -> dict[str, Any]:
    return {**review_spec(plan.judging, at.suite), "model": at.model}


def _comparison_spec(plan: Plan, at: Names) -> dict[str, Any]:
    readers = told_readers(plan, at.suite)
    return {"readers": readers, "statistics": plan.statistics, "suite": at.suite}


def _summary_spec(plan: Plan, at: Names) -> dict[str, Any]:
    models = plan.judging.reviewed_models(at.suite)
    reviewed = review_spec(plan.judging, at.suite)
    return {"models": models, **reviewed, **_comparison_spec(plan, at)}


def _validation_spec(plan: Plan, at: Names) -> dict[str, Any]:
    codes = model_codes(plan.judging, at.suite)
    return {"model_codes": codes, **_comparison_spec(plan, at)}


def _is_reviewed(plan: Plan, suite: str) -> bool:
    return is_judged(plan, suite) and bool(plan.judging.reviews(suite))


def _reviewed_models(plan: Plan, suite: str) -> list[str]:
    return plan.judging.reviewed_models(suite) if _is_reviewed(plan, suite) else []


def _is_validated(plan: Plan, suite: str) -> bool:
    return f"{suite}_judge_validation" in plan.judging.validations


STAGES = (
    Stage(
        "queue_review",
        "judge_checks:queue_review",
        "tables",
        parts=judge_told,
        spec=_queue_spec,
        jobs=each_suite(is_judged),
    ),
    Stage(
        "apply_review",
        "judge_checks:apply_review",
        "tables",
        spec=_application_spec,
        jobs=each_of_suites("model", _reviewed_models),
    ),
    Stage(
        "summarise_review",
        "judge_checks:summarise_review",
        "tables",
        spec=_summary_spec,
        jobs=each_suite(_is_reviewed),
    ),
    Stage(
        "compare_judge",
        "judge_checks:compare_judge",
        "tables",
        spec=_comparison_spec,
        jobs=each_suite(judged_models),
    ),
    Stage(
        "validate_judge",
        "judge_checks:validate_judge",
        "tables",
        spec=_validation_spec,
        jobs=each_suite(_is_validated),
    ),
)
