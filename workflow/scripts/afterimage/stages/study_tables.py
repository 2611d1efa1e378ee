"""Tables about a whole study: cost of its answers, effect of thinking, fresh images against published ones.

Also the named cells of all tables, for manuscripts (docs/paper.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.design import EditionSettings
from afterimage.contract.finding import pairs_table
from afterimage.contract.parts import resolve, with_name
from afterimage.errors import AfterimageError, config_key, fault
from afterimage.files.csv_rows import read_rows
from afterimage.files.paths import write_text
from afterimage.stages.stage import Stage, once_if, reader_spec

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.showing.tables.pairs import RunDifference
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


#: Tables that belong to no suite.
TABLES_OF_NO_SUITE = frozenset(
    (
        *("batch_agreement", "claims", "claims_clean", "cost", "knowledge_all", "robustness"),
        *("thinking", "twins"),
    )
)


# ---- cost of the answers ----


def cost_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of costs depends on, except the answers."""
    from afterimage.planning.prices import entry_prices, prices_of

    models = [
        {"by_item": name in plan.responders, "name": name, **prices_of(plan, name)}
        for name in plan.models
    ]
    judge = plan.judging.judge
    if judge is None:
        return {"judge": None, "models": models, **reader_spec(plan)}
    is_free = plan.judging.is_reference
    judge_prices = {"by_item": is_free, "name": judge.name, **entry_prices(judge.entry, is_free)}
    return {"judge": judge_prices, "models": models, **reader_spec(plan)}


def make_cost(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Add up tokens, time and cost of the answers in the tables, and write that as each of ``outputs``.

    Args:
        spec: ``models``, a list: ``name``, ``prices`` (per million tokens of prompts and of answers, None if the entry
            has none), perhaps ``cache_prices`` (of those read from and written to a cache), ``mode`` and ``by_item``
            (whether every item is a separate request, even with the same content); ``judge``, the same, or None.
        inputs: ``responses``, the merged response files of all models and suites; ``votes``, the judge's vote files.
        outputs: Form (csv, markdown, latex, html, json) to file.
    """
    import pandas as pd

    from afterimage.files.records import RESPONSE, VOTE
    from afterimage.showing.answers import unfinished_responses, without
    from afterimage.showing.study.cost import TABLE as COST
    from afterimage.showing.study.cost import read_costs
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    unfinished = unfinished_responses(inputs["responses"])
    of_models = without(read_costs(inputs["responses"], RESPONSE, "model"), unfinished)
    votes = read_costs(inputs["votes"], VOTE, "judge")
    unjudged = {gap.suite: gap for gap in unfinished_responses(inputs["votes"], VOTE, "judge")}
    answers = pd.concat([of_models, votes[~votes["suite"].isin(unjudged)]])
    missing = [*unfinished, *unjudged.values()]
    write_table(COST, frame_of(COST, answers, spec), outputs, spec, answers, missing)


# ---- one model at several efforts ----


def thinking_models(plan: Plan) -> list[str]:
    """Return the models whose family has several efforts in this study, in the order of the study."""
    efforts: dict[str, set[str | int | None]] = {}
    for name, entry in plan.models.items():
        efforts.setdefault(entry.family or name, set()).add(entry.effort)
    return [name for name, entry in plan.models.items() if len(efforts[entry.family or name]) > 1]


def thinking_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of efforts depends on, except the answers."""
    from afterimage.planning.prices import prices_of

    return {
        "confidence": plan.statistics["confidence"],
        "models": {
            name: {
                "effort": plan.models[name].effort,
                "family": plan.models[name].family or name,
                **prices_of(plan, name),
            }
            for name in thinking_models(plan)
        },
        **reader_spec(plan),
    }


def make_thinking(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Compare the efforts of each model, suite by suite, and write that as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``models``, name to ``family``, ``effort`` (None for the settings'
            default), ``prices`` (per million tokens of prompts and of answers, None if unknown) and their ``currency``.
        inputs: ``grades`` and ``responses``, files of these models for all suites, in the same order.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: No model has several efforts.
    """
    import pandas as pd

    from afterimage.showing.answers import read_grades, unfinished_grades, without
    from afterimage.showing.study.thinking import TABLE as THINKING
    from afterimage.showing.study.thinking import counted
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    if not inputs["grades"]:
        raise AfterimageError(
            "table thinking: no model of this study is asked at several efforts; expected entries of one family with "
            "different effort (docs/models.md#thinking)."
        )
    unfinished = unfinished_grades(inputs["grades"])
    # One model at a time: a study may have millions of answers; only a few short columns are kept.
    parts = [
        counted(without(read_grades([grades]), unfinished), responses, spec["models"])
        for grades, responses in zip(inputs["grades"], inputs["responses"], strict=True)
    ]
    answers = pd.concat(parts, ignore_index=True)
    write_table(THINKING, frame_of(THINKING, answers, spec), outputs, spec, None, unfinished)


# ---- fresh images against published ones ----


def twin_models(plan: Plan) -> dict[str, list[str]]:
    """Return the suites that draw, with the models that have answered both editions; nothing without ``twins``.

    Raises:
        AfterimageError: The folder has no grades of any of them, or is the study's own results folder.
    """
    if plan.twins is None:
        return {}
    where = config_key("twins")
    if Path(plan.twins).resolve() == Path(plan.results).resolve():
        raise fault(
            where, f"found '{plan.twins}', the study's own results; expected another run's."
        )
    found = {
        suite: [model for model in plan.models if Path(_twin_grades(plan, suite, model)).is_file()]
        for suite, settings in plan.suites.items()
        if isinstance(settings, EditionSettings) and settings.is_drawn
    }
    found = {suite: models for suite, models in found.items() if models}
    if not found:
        raise fault(
            where,
            f"'{plan.twins}' holds no grades of a suite that draws and a model of this study; expected the results of "
            "this study with another edition.",
        )
    return found


def twin_files(plan: Plan) -> dict[str, list[str]]:
    """Return the other run's files: grades and items of these suites."""
    suites = twin_models(plan)
    shards = (Path(str(plan.twins), "items", suite).glob("*.parquet") for suite in suites)
    return {
        "public_grades": [
            _twin_grades(plan, suite, edition) for suite in suites for edition in suites[suite]
        ],
        "public_shards": sorted(path.as_posix() for of_suite in shards for path in of_suite),
    }


def twins_parts(plan: Plan, at: Names) -> list[str]:
    """Return the tables of all pairs of models of these suites."""
    return list(dict.fromkeys(_pairs_table(plan, suite) for suite in twin_models(plan)))


def twins_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table depends on, except the answers."""
    suites = twin_models(plan)
    return {
        "confidence": plan.statistics["confidence"],
        "suites": {
            suite: {
                "part": _pairs_table(plan, suite),
                "told": plan.studied[suite].table_settings(pairs_table(suite)),
            }
            for suite in suites
        },
        **reader_spec(plan, *suites),
    }


def _pairs_table(plan: Plan, suite: str) -> str:
    return with_name(plan.studied[suite].table(pairs_table(suite)).part, "TABLE")


def _twin_grades(plan: Plan, suite: str, model: str) -> str:
    return f"{plan.twins}/grades/{suite}/{model}.parquet"


# The grades of two runs of a study that differ in the setting ``edition``. Items with the same id belong to the same
# cell of the design: they are paired, clustered and tested as in ``pairs_<suite>``.
def make_twins(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Compare two editions of each suite, and write that as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``suites``, name to ``part``, the table of all pairs of its models, and
            ``told``, the settings of this table.
        inputs: ``grades`` and ``shards`` of this study, ``public_grades`` and ``public_shards`` of the other run.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: The study is compared with no other edition.
    """
    from afterimage.showing.answers import unfinished_grades, without
    from afterimage.showing.study.twins import TABLE as TWINS
    from afterimage.showing.study.twins import Edition, frame_of_twins, twins_of
    from afterimage.showing.tables.table_files import write_table

    if not spec["suites"]:
        raise AfterimageError(
            "table twins: this study is compared with no other edition; expected twins: the results of one "
            "(docs/statistics.md#twins)."
        )
    found: list[RunDifference] = []
    left_out: list[str] = []
    for suite, pairing in spec["suites"].items():
        fresh, public = (
            Edition(
                [path for path in inputs[f"{side}shards"] if Path(path).parent.name == suite],
                {
                    Path(path).stem: path
                    for path in inputs[f"{side}grades"]
                    if Path(path).parent.name == suite
                },
            )
            for side in ("", "public_")
        )
        pairs = resolve(pairing["part"]), pairing["told"]
        rows, sentences = twins_of(suite, pairs, public, fresh, spec["confidence"])
        found.extend(rows)
        left_out.extend(sentences)
    frame = frame_of_twins(found, spec["confidence"])
    unfinished = unfinished_grades([*inputs["grades"], *inputs["public_grades"]])
    table = replace(TWINS, notes=(*TWINS.notes, lambda grades, settings: left_out))
    write_table(table, without(frame, unfinished), outputs, spec, None, unfinished)


# ---- the named cells of all tables ----


def values_spec(plan: Plan, at: Names) -> dict[str, dict[str, str]]:
    """Return the page that shows a table, by the table's name."""
    pages = {table: f"{suite}.html" for table, suite in plan.tables.items()}
    return {"pages": {**pages, **dict.fromkeys(sorted(TABLES_OF_NO_SUITE), "index.html")}}


def write_values(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write every cell of every table by its name, for LaTeX, Typst and Markdown.

    Args:
        spec: ``pages``, table to the report's page that shows it; tables about judges are on no page.
        inputs: ``tables`` (CSV), ``latex`` and ``typst`` (one file each: the workflow's macros).
        outputs: ``json``, ``latex``, ``typst``.
    """
    from afterimage.showing.tables.cited_cells import cited_table, values_json, values_latex

    tables = [
        cited_table(name, spec["pages"].get(name, ""), read_rows(path))
        for path in inputs["tables"]
        for name in [Path(path).stem]
    ]
    macros = Path(*inputs["latex"]).read_text(encoding="utf-8")
    texts = {
        "json": values_json(tables),
        "latex": values_latex(tables, macros),
        "typst": Path(*inputs["typst"]).read_text(encoding="utf-8"),
    }
    for form, text in texts.items():
        write_text(outputs[form], text)


# ---- stages ----


STAGES = (
    Stage("make_cost", make_cost, "tables", spec=cost_spec),
    Stage(
        "make_thinking",
        make_thinking,
        "tables",
        spec=thinking_spec,
        jobs=once_if(thinking_models),
    ),
    Stage(
        "make_twins",
        make_twins,
        "tables",
        parts=twins_parts,
        spec=twins_spec,
        jobs=once_if(twin_models),
    ),
    Stage("write_values", write_values, "tables", spec=values_spec),
)
