"""Tables about a whole study: what its answers cost, what thinking brings, and fresh images against published ones.

And the named cells of all tables, for manuscripts (docs/paper.md).
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_rows
from afterimage.files.paths import write_text
from afterimage.files.records import RESPONSE, VOTE
from afterimage.jobs.running import Files
from afterimage.showing.answers import read_grades, unfinished_grades, unfinished_responses, without
from afterimage.showing.study.cost import TABLE as COST
from afterimage.showing.study.cost import read_costs
from afterimage.showing.study.thinking import TABLE as THINKING
from afterimage.showing.study.thinking import counted
from afterimage.showing.study.twins import TABLE as TWINS
from afterimage.showing.study.twins import Edition, frame_of_twins, twins_of
from afterimage.showing.tables.cited_cells import cited_table, values_json, values_latex
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.pairs import RunDifference
from afterimage.showing.tables.table_files import write_table

# ---- what the answers cost ----


def make_cost(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Add up what the answers in the tables took, and write that as each of ``outputs``.

    Args:
        spec: ``models``, a list: ``name``, ``prices`` (per million tokens of prompts and of answers, None where the
            entry names none), perhaps ``cache_prices`` (of those read from and written to a cache), ``mode`` and
            ``by_item`` (whether each item is a request of its own, whatever it asks); ``judge``, the same, or None.
        inputs: ``responses``, the merged response files of all models and suites; ``votes``, the judge's vote files.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.
    """
    unfinished = unfinished_responses(inputs["responses"])
    of_models = without(read_costs(inputs["responses"], RESPONSE, "model"), unfinished)
    votes = read_costs(inputs["votes"], VOTE, "judge")
    unjudged = {one.suite: one for one in unfinished_responses(inputs["votes"], VOTE, "judge")}
    answers = pd.concat([of_models, votes[~votes["suite"].isin(unjudged)]])
    missing = [*unfinished, *unjudged.values()]
    write_table(COST, frame_of(COST, answers, spec), outputs, spec, answers, missing)


# ---- one model at several efforts ----


def make_thinking(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Compare the efforts of each model, suite by suite, and write that as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``models``, name to ``family``, ``effort`` (None as the settings have
            it), ``prices`` (per million tokens of prompts and of answers, None where unknown) and their ``currency``.
        inputs: ``grades`` and ``responses``, files of these models for all suites, in one order.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No model has several efforts.
    """
    if not inputs["grades"]:
        raise AfterimageError(
            "table thinking: no model of this study is asked at several efforts; expected entries of one family with "
            "different effort (docs/models.md#thinking)."
        )
    unfinished = unfinished_grades(inputs["grades"])
    # One model at a time: a study's answers may be millions, of which a few short columns are kept.
    parts = [
        counted(without(read_grades([grades]), unfinished), responses, spec["models"])
        for grades, responses in zip(inputs["grades"], inputs["responses"], strict=True)
    ]
    answers = pd.concat(parts, ignore_index=True)
    write_table(THINKING, frame_of(THINKING, answers, spec), outputs, spec, None, unfinished)


# ---- fresh images against published ones ----
#
# The grades of two runs of one study that differ in the setting ``edition``. Items of the same id are of one cell of
# the design: they are paired, clustered and tested as in ``pairs_<suite>``.


def make_twins(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Compare two editions of each suite, and write that as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``suites``, name to ``part``, the table of all pairs of its models, and
            ``told``, what that has to know.
        inputs: ``grades`` and ``shards`` of this study, ``public_grades`` and ``public_shards`` of the other run.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: The study is compared with no other edition.
    """
    if not spec["suites"]:
        raise AfterimageError(
            "table twins: this study is compared with no other edition; expected twins: the results of one "
            "(docs/statistics.md#twins)."
        )
    found: list[RunDifference] = []
    left_out: list[str] = []
    for suite, own in spec["suites"].items():
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
        pairs = resolve(own["part"]), own["told"]
        rows, sentences = twins_of(suite, pairs, public, fresh, spec["confidence"])
        found.extend(rows)
        left_out.extend(sentences)
    frame = frame_of_twins(found, spec["confidence"])
    unfinished = unfinished_grades([*inputs["grades"], *inputs["public_grades"]])
    table = replace(TWINS, notes=(*TWINS.notes, lambda grades, settings: left_out))
    write_table(table, without(frame, unfinished), outputs, spec, None, unfinished)


# ---- the named cells of all tables ----


def write_values(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write every cell of every table by its name, for LaTeX, Typst and Markdown.

    Args:
        spec: ``pages``, table to the report's page that shows it; what judges did stands on none.
        inputs: ``tables`` (CSV), ``latex`` and ``typst`` (one file each: the macros, which come with the workflow).
        outputs: ``json``, ``latex``, ``typst``.
        beside: Nothing.
    """
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
