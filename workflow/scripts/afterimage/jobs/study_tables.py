"""Tables about a whole study: what its answers cost, what thinking brings, and fresh images against published ones.

And the named cells of all tables, for manuscripts (docs/paper.md).
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_rows
from afterimage.files.parquet import read_about, read_records, read_table
from afterimage.files.paths import write_text
from afterimage.files.records import ITEM, RESPONSE, VOTE
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, unfinished_responses, without
from afterimage.showing.study.cost import CACHE, REQUEST, cost_of
from afterimage.showing.study.cost import TABLE as COST
from afterimage.showing.study.thinking import TABLE as THINKING
from afterimage.showing.study.twins import TABLE as TWINS
from afterimage.showing.study.twins import frame_of_twins
from afterimage.showing.tables.cited_cells import cited_table, values_json, values_latex
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.pairs import ComparedPairs, RunDifference, differences
from afterimage.showing.tables.table_files import write_table

# ---- what the answers cost ----

_USED = (
    *("model", "suite", "text", "finish_reason"),
    *("prompt_tokens", "completion_tokens", "reasoning_tokens"),
    *CACHE,
)


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
    of_models = without(_read_costs(inputs["responses"], RESPONSE, "model"), unfinished)
    votes = _read_costs(inputs["votes"], VOTE, "judge")
    unjudged = {one.suite: one for one in unfinished_responses(inputs["votes"], VOTE, "judge")}
    answers = pd.concat([of_models, votes[~votes["suite"].isin(unjudged)]])
    missing = [*unfinished, *unjudged.values()]
    write_table(COST, frame_of(COST, answers, spec), outputs, spec, answers, missing)


def _read_costs(
    paths: Sequence[str | os.PathLike[str]], schema: pa.Schema, role: str
) -> pd.DataFrame:
    columns = [*_USED, *(name for name in REQUEST if name in schema.names)]
    tables = [read_table(path, schema, columns) for path in paths]
    read = pa.concat_tables(tables or [schema.empty_table().select(columns)]).to_pandas()
    return read.assign(role=role).reindex(columns=["role", *_USED, *REQUEST])


# ---- one model at several efforts ----

_ANSWER = ["item_id", "repeat"]
_TOKENS = ("prompt_tokens", "completion_tokens", "reasoning_tokens", *CACHE)
_OF_GRADE = (*("suite", "model", "stimulus_id", "correct", "outcome", "reason"), *_ANSWER)


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
        _counted(without(read_grades([grades]), unfinished), responses, spec["models"])
        for grades, responses in zip(inputs["grades"], inputs["responses"], strict=True)
    ]
    answers = pd.concat(parts, ignore_index=True)
    write_table(THINKING, frame_of(THINKING, answers, spec), outputs, spec, None, unfinished)


def _counted(
    grades: pd.DataFrame, responses: str | os.PathLike[str], models: Mapping[str, Any]
) -> pd.DataFrame:
    """Return one model's answers that are right or wrong, with what each took."""
    decided = grades.loc[grades["score"].isna(), list(_OF_GRADE)]
    read = read_table(responses, RESPONSE, (*_ANSWER, *_TOKENS)).to_pandas()
    known = decided.merge(read, on=_ANSWER, how="left").astype(dict.fromkeys(_TOKENS, float))
    of_model = known["model"].map(models)
    counts = zip(*(known[name] for name in ("prompt_tokens", "completion_tokens")), strict=True)
    cache = zip(*(known[name].fillna(0) for name in CACHE), strict=True)
    return known.assign(
        family=of_model.map(lambda entry: entry["family"]),
        effort=of_model.map(lambda entry: entry["effort"]).astype(object),
        currency=of_model.map(lambda entry: entry["currency"]),
        cost=[
            float("nan")
            if entry["prices"] is None
            else cost_of((*counted, *cached), entry["prices"], entry.get("cache_prices"))
            for entry, counted, cached in zip(of_model, counts, cache, strict=True)
        ],
    )


# ---- fresh images against published ones ----
#
# The grades of two runs of one study that differ in the setting ``edition``. Items of the same id are of one cell of
# the design: they are paired, clustered and tested as in ``pairs_<suite>``.

_OF_ITEM = ("item_id", "messages", "images.list.element.pixels_sha256")


class Edition(NamedTuple):
    """A run's answers to one edition of a suite.

    Attributes:
        shards: Its files of items.
        grades: Model to its file of grades.
    """

    shards: Sequence[str | os.PathLike[str]]
    grades: Mapping[str, str | os.PathLike[str]]


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


def twins_of(
    suite: str, pairs: ComparedPairs, public: Edition, fresh: Edition, confidence: float
) -> tuple[list[RunDifference], list[str]]:
    """Compare two editions of a suite, each model for itself.

    Args:
        suite: The suite's name.
        pairs: The table that compares its models pair by pair, and what it has to know of the suite.
        public: The published edition.
        fresh: Another one.
        confidence: Coverage of the intervals.

    Returns:
        A difference per model and part, public minus fresh; sentences on what could not be compared.
    """
    left_out: list[str] = []
    versions = [_version_of(edition.shards) for edition in (public, fresh)]
    if versions[0] != versions[1]:
        words = f"version {versions[0]} of the public edition, {versions[1]} of the other"
        return [], [f"{suite}: {words}; not compared."]
    shown = [_asked_in(edition.shards, "images") for edition in (public, fresh)]
    both = shown[0].keys() & shown[1].keys()
    twins = {item for item in both if shown[0][item] != shown[1][item]}
    if len(twins) < len(both):
        left_out.append(
            f"{suite}: {len(both) - len(twins)} items show the same pixels in both, so they are no twins; not compared."
        )
    said = [_asked_in(edition.shards, "messages") for edition in (public, fresh)]
    if reworded := sum(said[0][item] != said[1][item] for item in twins):
        left_out.append(
            f"{suite}: {reworded} twins differ in words, too; expected only where a question names what is on its "
            "image."
        )
    found: list[RunDifference] = []
    for model in (name for name in public.grades if name in fresh.grades):
        new, published = (read_grades([edition.grades[model]]) for edition in (fresh, public))
        no_twins = {*new["item_id"], *published["item_id"]} - twins
        # The second minus the first is here public minus fresh.
        rows = list(differences(suite, model, pairs, new, published, no_twins, confidence))
        if twins and not rows:
            left_out.append(f"{suite}, {model}: no answers, right or wrong, to twins.")
        found.extend(rows)
    return found, left_out


def _asked_in(shards: Iterable[str | os.PathLike[str]], what: str) -> dict[str, str]:
    """Return what each item shows or says: hashes of its pixels in order, or its messages."""
    return {
        item["item_id"]: repr(item[what])
        for shard in shards
        for item in read_records(shard, ITEM, _OF_ITEM, batch_size=1024)
    }


def _version_of(shards: Sequence[str | os.PathLike[str]]) -> str | None:
    return read_about(shards[0], ITEM).get("suite_version") if shards else None


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
