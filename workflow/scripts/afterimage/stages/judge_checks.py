"""Checks of a judge: tables about its verdicts, people's review of answers, and the changes by this review."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import resolve
from afterimage.contract.probes import PROBE, is_probe, without_probes
from afterimage.files.csv_rows import frame_text, write_csv
from afterimage.files.paths import write_text
from afterimage.stages.judging import is_judged, judge_input_parts, judged_models, read_items
from afterimage.stages.stage import Stage, each_of_suites, each_suite, reader_spec

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.people.review import Review
    from afterimage.planning.judge_and_reviews import Judging
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


logger = logging.getLogger(__name__)


def model_codes(judging: Judging, suite: str) -> dict[str, str]:
    """Return the codes of models in files of people's scores: their names, and those that the study configures."""
    names = {name: name for name in judging.judged_models(suite)}
    return {**names, **judging.review.get(suite, {}).get("model_codes", {})}


# ---- judge and parser, judge and people ----


def _comparison_spec(plan: Plan, at: Names) -> dict[str, Any]:
    readers = reader_spec(plan, at.suite)
    return {"readers": readers, "statistics": plan.statistics, "suite": at.suite}


_FORMS = ("csv", "markdown", "latex", "html", "json")


def compare_judge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write how far parser and judge, and the judge's rounds, agree, and every answer on which parser and judge differ.

    Args:
        spec: ``statistics`` and ``readers``: the study's language, a pilot.
        inputs: ``grades``, those of the models that were judged; ``responses``, their merged ones.
        outputs: ``agreement_csv`` and so on (csv, markdown, latex, html, json), ``rounds_csv`` and so
            on, ``disagreements``.
    """
    from afterimage.showing.answers import unfinished_grades, without
    from afterimage.showing.study import agreement
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    unfinished = unfinished_grades(inputs["grades"])
    frame = without(read_judged(inputs["grades"]), unfinished)
    settings = {**spec["statistics"], **spec["readers"]}
    for name, table in (("agreement", agreement.AGREEMENT), ("rounds", agreement.ROUNDS)):
        made = frame_of(table, frame, settings)
        write_table(table, made, _forms(outputs, name), settings, frame, unfinished)
    listed = _with_answers(agreement.disagreements(frame), inputs["responses"])
    write_text(outputs["disagreements"], frame_text(listed))


def _validation_spec(plan: Plan, at: Names) -> dict[str, Any]:
    codes = model_codes(plan.judging, at.suite)
    return {"model_codes": codes, **_comparison_spec(plan, at)}


def _is_validated(plan: Plan, suite: str) -> bool:
    return f"{suite}_judge_validation" in plan.judging.validations


def validate_judge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write how the judge's scores correlate with people's.

    Args:
        spec: ``model_codes`` (code in people's files to the model's name), ``statistics`` and ``readers``.
        inputs: ``grades``, those of the models that were judged; ``scores``, files with people's.
        outputs: Form (csv, markdown, latex, html, json) to file.
    """
    import pandas as pd

    from afterimage.showing.answers import unfinished_grades, without
    from afterimage.showing.study.judges_and_people import (
        VALIDATION,
        correlations,
        read_human_scores,
    )
    from afterimage.showing.tables.table_files import write_table

    unfinished = unfinished_grades(inputs["grades"])
    frame = without(read_judged(inputs["grades"]), unfinished)
    judge = frame[frame["repeat"] == 0].rename(
        columns={"stimulus_id": "image_id", "question": "question_type"}
    )
    people = [read_human_scores(path, spec["model_codes"]) for path in inputs["scores"]]
    settings = {**spec["statistics"], **spec["readers"]}
    result = correlations(
        pd.concat(people, ignore_index=True),
        judge,
        settings["seed"],
        settings["resamples"],
        settings["confidence"],
    )
    write_table(VALIDATION, result, outputs, settings, None, unfinished)


def read_judged(paths: Sequence[str | os.PathLike[str]]) -> pd.DataFrame:
    """Read grade files into one frame, without factors and probes, with a unique index."""
    import pandas as pd

    from afterimage.files.parquet import read_table
    from afterimage.files.records import GRADE

    frames = [read_table(path, GRADE).to_pandas(maps_as_pydicts="strict") for path in paths]
    frame = pd.concat(frames, ignore_index=True)
    # Of no rows, an empty list would choose no columns.
    is_suite_question = frame.pop("factors").map(lambda factors: PROBE not in factors).astype(bool)
    return frame[is_suite_question].reset_index(drop=True)


def _forms(outputs: Mapping[str, str | os.PathLike[str]], table: str) -> dict[str, Any]:
    return {form: outputs[f"{table}_{form}"] for form in _FORMS}


_ANSWERED = ("model", "item_id", "repeat", "text", "answer_text")


def _with_answers(
    listed: pd.DataFrame, responses: Sequence[str | os.PathLike[str]]
) -> pd.DataFrame:
    from afterimage.files.parquet import read_records
    from afterimage.files.records import RESPONSE, answer_of

    keys = list(zip(listed["model"], listed["item_id"], listed["repeat"], strict=True))
    wanted = set(keys)
    texts = {
        key: answer_of(row)
        for path in responses
        for row in read_records(path, RESPONSE, _ANSWERED)
        if (key := (row["model"], row["item_id"], row["repeat"])) in wanted
    }
    return listed.assign(answer=[texts[key] for key in keys])


# ---- people's review ----


#: Defaults: the share of the answers graded right that people review, and the scope of the review.
_DEFAULT_REVIEW = {"sample_right": 0.1, "scope": "wrong"}


def review_spec(judging: Judging, suite: str) -> dict[str, Any]:
    """Return what the queue and the application of reviews depend on, except grades and reviews."""
    settings = judging.review.get(suite, _DEFAULT_REVIEW)
    share = {"wrong": 0.0, "all": 1.0, "sample_right": settings["sample_right"]}
    return {
        "fields": judging.judged[suite].part,
        "right_share": share[settings["scope"]],
        "suite": suite,
    }


def _is_reviewed(plan: Plan, suite: str) -> bool:
    return is_judged(plan, suite) and bool(plan.judging.reviews(suite))


def _reviewed_models(plan: Plan, suite: str) -> list[str]:
    return plan.judging.reviewed_models(suite) if _is_reviewed(plan, suite) else []


def _queue_spec(plan: Plan, at: Names) -> dict[str, Any]:
    return review_spec(plan.judging, at.suite)


def queue_review(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Write the answers for people's review and return their number.

    Args:
        spec: ``fields`` (the suite's part that makes the judge's input) and ``right_share``.
        inputs: ``grades``, automatic ones of the reviewed models; ``responses``, their merged ones, in the same order;
            ``shards``, the item files.
        outputs: ``queue``, the CSV file to write; people fill in human_correct and reviewer.
    """
    from afterimage.files.parquet import read_records
    from afterimage.files.records import GRADE, RESPONSE
    from afterimage.people.review import QUEUE_COLUMNS, queue_rows

    fields = resolve(spec["fields"])
    items = read_items(inputs["shards"])
    # <results>/review/<suite>/queue.csv
    images = (Path(outputs["queue"]).parents[2] / "stimuli").as_posix()

    def rows() -> Iterator[dict[str, Any]]:
        for graded, answered in zip(inputs["grades"], inputs["responses"], strict=True):
            yield from queue_rows(
                without_probes(read_records(graded, GRADE)),
                (
                    row
                    for row in read_records(answered, RESPONSE)
                    if not is_probe(items[row["item_id"]])
                ),
                items,
                fields,
                spec["right_share"],
                images,
            )

    return write_csv(outputs["queue"], rows(), QUEUE_COLUMNS)


def _application_spec(plan: Plan, at: Names) -> dict[str, Any]:
    return {**review_spec(plan.judging, at.suite), "model": at.model}


def apply_review(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Apply people's decisions to one model's grades and return the number of grades.

    Args:
        spec: ``model``, its name; ``right_share``.
        inputs: ``automatic``, its automatic grades; ``reviews``, files with decisions, of all models.
        outputs: ``grades``, the Parquet file to write, schema GRADE.
    """
    from afterimage.files.parquet import read_records, write_records
    from afterimage.files.records import GRADE
    from afterimage.people.review import decisions, read_reviews, with_decisions

    automatic = inputs["automatic"]
    reviews = [
        review for review in read_reviews(inputs["reviews"]) if review.model == spec["model"]
    ]
    decided, _ = decisions(read_records(automatic, GRADE), reviews, spec["right_share"])
    return write_records(
        outputs["grades"], with_decisions(read_records(automatic, GRADE), decided), GRADE
    )


def _summary_spec(plan: Plan, at: Names) -> dict[str, Any]:
    models = plan.judging.reviewed_models(at.suite)
    reviewed = review_spec(plan.judging, at.suite)
    return {"models": models, **reviewed, **_comparison_spec(plan, at)}


def summarise_review(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write the changes by the review, and the decisions that were not applied.

    Args:
        spec: ``models`` (the reviewed ones), ``right_share``, ``statistics``, ``readers``.
        inputs: ``automatic``, grade files of these models; ``grades``, those after the review, in the same order;
            ``reviews``, files with decisions.
        outputs: Form of the table (csv, markdown, latex, html, json) to file; ``ignored``, the CSV file of decisions
            that were not applied, and why.
    """
    from afterimage.people.review import IGNORED_COLUMNS, of_unknown_models, read_reviews
    from afterimage.showing.answers import unfinished_grades, without
    from afterimage.showing.study.judges_and_people import REVIEW, review_summary
    from afterimage.showing.tables.table_files import write_table

    given = read_reviews(inputs["reviews"])
    rows = of_unknown_models(given, spec["models"])
    for model, path in zip(spec["models"], inputs["automatic"], strict=True):
        rows += _ignored(model, path, given, spec["right_share"])
    if rows:
        reasons = Counter(row["reason"] for row in rows)
        listed = "; ".join(f"{count}: {reason}" for reason, count in reasons.items())
        logger.warning("%d decisions of people were not applied (%s)", len(rows), listed)
    write_csv(outputs["ignored"], rows, IGNORED_COLUMNS)
    counts = Counter(row["model"] for row in rows)
    settings = {**spec["statistics"], **spec["readers"]}
    unfinished = unfinished_grades(inputs["automatic"])
    before, after = (
        without(read_judged(inputs[kind]), unfinished) for kind in ("automatic", "grades")
    )
    table = review_summary(before, after, counts, spec["right_share"], settings)
    files = {form: path for form, path in outputs.items() if form != "ignored"}
    write_table(REVIEW, table, files, settings, None, unfinished)


def _ignored(
    model: str, automatic: str | os.PathLike[str], all_reviews: Sequence[Review], right_share: float
) -> list[dict[str, Any]]:
    from afterimage.files.parquet import read_records
    from afterimage.files.records import GRADE
    from afterimage.people.review import decisions

    reviews = [review for review in all_reviews if review.model == model]
    return decisions(read_records(automatic, GRADE), reviews, right_share)[1]


# ---- stages ----


STAGES = (
    Stage(
        "queue_review",
        queue_review,
        "tables",
        parts=judge_input_parts,
        spec=_queue_spec,
        jobs=each_suite(is_judged),
    ),
    Stage(
        "apply_review",
        apply_review,
        "tables",
        spec=_application_spec,
        jobs=each_of_suites("model", _reviewed_models),
    ),
    Stage(
        "summarise_review",
        summarise_review,
        "tables",
        spec=_summary_spec,
        jobs=each_suite(_is_reviewed),
    ),
    Stage(
        "compare_judge",
        compare_judge,
        "tables",
        spec=_comparison_spec,
        jobs=each_suite(judged_models),
    ),
    Stage(
        "validate_judge",
        validate_judge,
        "tables",
        spec=_validation_spec,
        jobs=each_suite(_is_validated),
    ),
)
