"""Tables over all suites that ask a question more than once: without its image, with options in other orders, again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from afterimage.contract.probes import CLAIMING, PROBE
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import write_csv
from afterimage.grading.language.words import digest
from afterimage.stages.stage import Stage, once_if, reader_spec

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.files.attempts import Unfinished
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- accuracy with and without the image ----


def asking_without_image(plan: Plan) -> list[str]:
    """Return the suites whose questions are also asked without their images."""
    return [
        suite
        for suite, settings in plan.probes.items()
        if settings["text_only"] or settings["blank"]
    ]


def knowledge_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of accuracy without images depends on, except the answers."""
    return {
        "confidence": plan.statistics["confidence"],
        "models": list(plan.models),
        **reader_spec(plan, *asking_without_image(plan)),
    }


def make_knowledge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Count right answers with and without the image per suite and model, and write that as each of ``outputs``.

    Only questions that were also asked without the image count, and only those whose answers a parser reads.

    Args:
        spec: ``confidence`` of the intervals.
        inputs: ``grades``, files of all models for the suites that ask without image.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: No suite asks without image.
    """
    import pandas as pd

    from afterimage.showing.answers import read_grades, unfinished_grades, without
    from afterimage.showing.study.without_image import KNOWLEDGE, shown_of
    from afterimage.showing.tables.baselines import MEASURED, REFERENCE
    from afterimage.showing.tables.compute import as_frame, frame_of
    from afterimage.showing.tables.table_files import write_table

    if not inputs["grades"]:
        raise AfterimageError(
            "table knowledge_all: no suite of this study asks its questions without images; expected text_only or "
            "blank among the probes of one (suites.<suite>.probes)."
        )
    unfinished = unfinished_grades(inputs["grades"])
    rows: dict[str, list[pd.DataFrame]] = {}
    items: dict[str, pd.DataFrame] = {}
    # One file at a time: a study may have millions of grades.
    for path in inputs["grades"]:
        answers = shown_of(without(read_grades([path], with_probes=True), unfinished))
        for suite, suite_answers in answers.groupby("suite", sort=False):
            made = frame_of(KNOWLEDGE, suite_answers, spec)
            rows.setdefault(suite, []).append(made[made["kind"] == MEASURED])
            known = pd.concat([items.get(suite), suite_answers[suite_answers["shown"] != ""]])
            items[suite] = known.drop_duplicates("item_id")
    for suite, suite_items in items.items():
        made = frame_of(KNOWLEDGE, suite_items, spec)
        rows[suite].append(made[made["kind"] == REFERENCE])
    frames = [frame for of_suite in rows.values() for frame in of_suite]
    made = pd.concat(frames or [as_frame([], KNOWLEDGE.csv)], ignore_index=True)
    write_table(KNOWLEDGE, made, outputs, spec, None, unfinished)


# ---- claims to have seen an image that was not shown ----


def asking_for_claims(plan: Plan) -> list[str]:
    """Return the suites whose questions are asked without images to find claims of having seen them."""
    return [
        suite
        for suite, settings in plan.probes.items()
        if any(settings[probe] for probe in CLAIMING)
    ]


def asking_clean(plan: Plan) -> list[str]:
    """Return those of them for which accuracies without the items that need no image are configured."""
    return [suite for suite in asking_for_claims(plan) if plan.probes[suite]["clean"]]


def _about(plan: Plan, suites: Iterable[str]) -> dict[str, Any]:
    """Return what a table of claims about these suites depends on, except the answers.

    An item needs no image if a model answers it without. Reference responders mark no items, since one of them guesses
    and two know every figure's name, unless there are no other models.
    """
    models = [name for name in plan.models if name not in plan.responders or name in plan.recorded]
    return {
        "answer_words": digest(),
        "confidence": plan.statistics["confidence"],
        "marking": models or list(plan.models),
        "models": list(plan.models),
        **reader_spec(plan, *suites),
    }


def claims_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of claims depends on."""
    return _about(plan, asking_for_claims(plan))


def clean_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the accuracies without these items depend on."""
    return _about(plan, asking_clean(plan))


def make_claims(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Count claims of having seen an image in answers without images; write the table as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``marking``, the models that mark items that need no image.
        inputs: ``grades`` and ``responses``, files of all models for these suites, in the same order; ``shards``, the
            item files of these suites.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: No suite asks without image.
    """
    from afterimage.showing.study.without_image import CLAIMS, PROBES, marked
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    grades, unfinished = _claim_grades(inputs, "claims")
    frame = marked(grades[grades[PROBE].isin(PROBES)], grades, spec["marking"])
    write_table(CLAIMS, frame_of(CLAIMS, frame, spec), outputs, spec, None, unfinished)


def make_clean(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Count right answers with the image, with and without the items that need none; as :func:`make_claims`.

    Args:
        spec: As in :func:`make_claims`.
        inputs: As in :func:`make_claims`.
        outputs: As in :func:`make_claims`, and ``marks``: a CSV file of these items, with the models that answer each
            without its image.
    """
    from afterimage.showing.study.without_image import CLEAN, answerable_blind, marked
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    grades, unfinished = _claim_grades(inputs, "claims_clean")
    needless = answerable_blind(grades, spec["marking"])
    marks = [
        {"suite": suite, "item_id": item, "models": " ".join(models)}
        for (suite, item), models in needless.items()
    ]
    write_csv(outputs["marks"], marks, ("suite", "item_id", "models"))
    forms = {form: path for form, path in outputs.items() if form != "marks"}
    frame = marked(grades[grades[PROBE] == ""], grades, spec["marking"])
    write_table(CLEAN, frame_of(CLEAN, frame, spec), forms, spec, None, unfinished)


def _claim_grades(inputs: Files, table: str) -> tuple[pd.DataFrame, list[Unfinished]]:
    """Return all answers to items that were asked with and without image; with image, ``probe`` is empty."""
    import pandas as pd

    from afterimage.grading.language.claims import stance
    from afterimage.showing.answers import read_grades, unfinished_grades, without
    from afterimage.showing.study.without_image import answer_types, both_ways

    if not inputs["grades"]:
        raise AfterimageError(
            f"table {table}: no suite of this study asks its questions without images so that claims could be read; "
            "expected silent, guess, say_missing or blank among the probes of one (suites.<suite>.probes)."
        )
    types = answer_types(inputs["shards"])
    unfinished = unfinished_grades(inputs["grades"])
    # One model at a time: a study's answers may be millions, of which a few short columns are kept.
    parts = [
        both_ways(
            without(read_grades([grades], with_probes=True), unfinished), responses, types, stance
        )
        for grades, responses in zip(inputs["grades"], inputs["responses"], strict=True)
    ]
    return pd.concat(parts, ignore_index=True), unfinished


# ---- how robust answers are ----


def asked_several_times(plan: Plan) -> list[tuple[str, str]]:
    """Return pairs of suite and model in which a question has several answers: other orders of options, or repeats."""
    return [
        (suite, model)
        for suite in plan.suites
        if suite not in plan.adaptive
        for model, entry in plan.models.items()
        if plan.probes.get(suite, {}).get("option_orders", 0)
        or entry.settings.get("repeats", 1) > 1
    ]


def robustness_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of answers to questions that are asked more than once depends on, the answers apart."""
    return {
        **plan.statistics,
        "asked_again": asked_several_times(plan),
        **reader_spec(plan, *(suite for suite, _ in asked_several_times(plan))),
    }


def make_robustness(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Compare the answers to each question per suite and model, and write that as each of ``outputs``.

    Args:
        spec: ``confidence``, ``resamples`` and ``seed`` of the intervals.
        inputs: ``grades``, files of all models for the suites that ask a question more than once; ``shards``, the item
            files of these suites.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: No question is asked more than once.
    """
    import pandas as pd

    from afterimage.showing.answers import read_grades, unfinished_grades, without
    from afterimage.showing.study.robustness import (
        ITEM_COLUMNS,
        ROBUSTNESS,
        baseline_answers,
        baseline_rows,
        chosen_options,
        offered_by,
        repeated_answers,
    )
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    if not inputs["grades"]:
        raise AfterimageError(
            "table robustness: no question of this study is asked more than once; expected option_orders among the "
            "probes of a suite (suites.<suite>.probes), or a model with settings.repeats above 1."
        )
    offered = offered_by(inputs["shards"])
    unfinished = unfinished_grades(inputs["grades"])
    parts: list[pd.DataFrame] = []
    items: list[pd.DataFrame] = []
    # One file at a time: a study may have millions of grades.
    for path in inputs["grades"]:
        repeated = repeated_answers(without(read_grades([path], with_probes=True), unfinished))
        parts.append(frame_of(ROBUSTNESS, chosen_options(repeated, offered), spec))
        items = [
            pd.concat([*items, repeated[list(ITEM_COLUMNS)]]).drop_duplicates(
                list(ITEM_COLUMNS[:4])
            )
        ]
    baselines = (chosen_options(answers, offered) for answers in baseline_answers(items[0]))
    frame = pd.concat([*parts, *baseline_rows(items[0], baselines, spec)], ignore_index=True)
    suites = list(dict.fromkeys(frame["suite"]))
    frame = frame.sort_values("suite", key=lambda names: names.map(suites.index), kind="stable")
    write_table(ROBUSTNESS, frame.reset_index(drop=True), outputs, spec, None, unfinished)


# ---- stages ----


STAGES = (
    Stage(
        "make_knowledge_all",
        make_knowledge,
        "tables",
        spec=knowledge_spec,
        jobs=once_if(asking_without_image),
    ),
    Stage(
        "make_claims",
        make_claims,
        "tables",
        spec=claims_spec,
        jobs=once_if(asking_for_claims),
    ),
    Stage(
        "make_claims_clean",
        make_clean,
        "tables",
        spec=clean_spec,
        jobs=once_if(asking_clean),
    ),
    Stage(
        "make_robustness",
        make_robustness,
        "tables",
        spec=robustness_spec,
        jobs=once_if(asked_several_times),
    ),
)
