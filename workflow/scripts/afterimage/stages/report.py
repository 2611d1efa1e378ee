"""The report: a study's files become pages that need no other file (docs/report.md).

What pages show in addition to files is passed as values: as input files, a corrected comment in one of them would
remake all pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.adaptive import adaptive_table
from afterimage.contract.front import Front, Score
from afterimage.files.paths import ROOT, write_text
from afterimage.showing.looks import study_of
from afterimage.stages.items import MAKE_ITEMS
from afterimage.stages.ledger import papers_parts, suite_spec
from afterimage.stages.stage import Names, Stage, each_suite, spoken
from afterimage.stages.tables import MAKE_TABLE, kinds, unable

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files


# ---- specs and parts ----


#: The label of the score of a suite that was asked adaptively.
_FOUND = "Curves with a threshold"
_ENVIRONMENTS = ("stimuli", "inference", "tables", "figures")


def suite_page_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a suite's page shows in addition to its files."""
    suite = at.suite
    return {
        "chart_first": chart_first(plan, suite),
        # A change of a table's code remakes the page through the table anyway.
        "items_code": MAKE_ITEMS.code(plan, at),
        "table_codes": {
            table: MAKE_TABLE.code(plan, Names(table=table)) for table in page_tables(plan, suite)
        },
        "front": front_spec(plan, suite),
        "gallery": plan.gallery,
        **spoken(plan),
        "ledger": suite_spec(plan, suite),
        "about": _about(plan, suite),
        "models": list(plan.models),
        "kinds": kinds(plan),
        "packages": packages(plan.environments),
        "pages": [[name, studied.suite.title] for name, studied in plan.studied.items()],
        # The settings on the page say which of people's answers count.
        "settings": {**plan.suites[suite], "human_answers": plan.studied[suite].people},
        "statistics": plan.statistics,
        "study": plan.title,
        "suite": suite,
    }


def overview_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the report's first page shows in addition to its files."""
    return {
        "about": {suite: _about(plan, suite) for suite in plan.suites},
        "awaited": awaited_tables(plan),
        "fronts": {suite: front_spec(plan, suite, main_only=True) for suite in plan.suites},
        "kinds": kinds(plan),
        **spoken(plan),
        **plan.pilot(),
        "models": [{"name": name, **model.answering()} for name, model in plan.models.items()],
        "packages": packages(plan.environments),
        "papers": {
            paper: suite for suite in plan.suites for paper in plan.ledger.states_of_suite(suite)
        },
        "statistics": plan.statistics,
        "study": plan.title,
        "suites": list(plan.suites),
        "unable": {suite: unable(plan, suite) for suite in plan.suites},
    }


def awaited_tables(plan: Plan) -> list[str]:
    """Return the tables that wait for people's answers to one of the study's forms."""
    forms = (
        form for studied in plan.studied.values() for form in studied.suite.forms(studied.settings)
    )
    return [form.table for form in forms if form.table and form.table not in plan.tables]


def front_of(plan: Plan, suite: str) -> Front:
    """Return the main scores of a suite; by default the accuracy in its first table."""
    studied = plan.studied[suite]
    if studied.trials is not None:
        score = Score(_FOUND, adaptive_table(suite), "found", where={"curve": "all"})
        return Front((score,), measure="curves with a threshold")
    front = studied.suite.front
    if callable(front):
        return front(studied.settings)
    if front or studied.suite.tables:
        return front or Front((Score(studied.suite.title, next(iter(studied.tables))),))
    # Without declared tables there is no row over all figures: every figure has a score, the first is the main one.
    scores = tuple(Score(name, studied.name, where={"figure": name}) for name in studied.figures)
    return Front(scores, main=scores[0].label)


def front_spec(plan: Plan, suite: str, main_only: bool = False) -> dict[str, Any]:
    """Return these scores as plain values: all of them, or only the main one."""
    return front_of(plan, suite).as_values(main_only)


def front_tables(plan: Plan, suite: str, main_only: bool = False) -> list[str]:
    """Return the tables of these scores, each once."""
    return list(
        dict.fromkeys(score["table"] for score in front_spec(plan, suite, main_only)["scores"])
    )


def chart_first(plan: Plan, suite: str) -> str | None:
    """Return the main chart of a suite; None if it has no chart."""
    drawn = [name for name, owner in plan.charts.items() if owner == suite]
    wanted = front_of(plan, suite).chart
    return wanted if wanted in drawn else next(iter(drawn), None)


def page_tables(plan: Plan, suite: str) -> list[str]:
    """Return the tables on a suite's page, in the suite's order."""
    return [table for table, owner in plan.tables.items() if owner == suite]


def page_pictures(plan: Plan, suite: str) -> list[str]:
    """Return the charts, pages of examples and contact sheets on a suite's page."""
    return [
        name
        for kind in (plan.charts, plan.pages, plan.sheets)
        for name, owner in kind.items()
        if owner == suite
    ]


#: Tables and charts that every suite may have, ``<kind>_<suite>``: one caption for all.
OF_EVERY_SUITE = ("pairs", "graded", "calibration", "adaptive")


def caption_of(plan: Plan, captions: Path, name: str) -> str:
    """Return the text of Snakemake's report about a table or picture: its caption, or a table's title.

    Args:
        plan: The study's plan.
        captions: The folder with the captions, files in reStructuredText.
        name: The name of the table or picture.
    """
    kind = name.partition("_")[0]
    caption = captions / f"{kind if kind in OF_EVERY_SUITE else name}.rst"
    if caption.is_file():
        return caption.read_text(encoding="utf-8")
    # Only tables that are values have a title; others, and pictures, have none.
    return plan.studied[plan.tables[name]].table(name).title if name in plan.tables else ""


@cache
def packages(environments: Path) -> dict[str, str]:
    """Return the pinned version of every package of the jobs' environments."""
    pins: dict[str, str] = {}
    for name in _ENVIRONMENTS:
        pins |= pinned(environments / f"{name}.txt")
    return {name: pins[name] for name in sorted(pins, key=str.lower)}


def pinned(file: Path) -> dict[str, str]:
    """Return the version of every package that a file of ``envs/`` pins."""
    lines = file.read_text(encoding="utf-8").splitlines()
    pins = (line.partition("==") for line in lines)
    return {package: version for package, is_pin, version in pins if is_pin}


def _about(plan: Plan, suite: str) -> dict[str, Any]:
    declared = plan.studied[suite].suite
    about: dict[str, Any] = {
        "description": declared.description,
        "title": declared.title,
        "version": declared.version,
    }
    return {**about, **plan.pilot(suite)}


# ---- functions of jobs ----


def write_suite_page(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write the page of one suite.

    Args:
        spec: As :func:`stages.report.suite_page_spec` returns it.
        inputs: ``tables`` (CSV), ``readers_tables`` (JSON), ``captions`` (named after them),
            ``figures``, ``screens`` (charts for other screens), ``figure_captions``, ``shards``, ``responses``,
            ``grades``, ``published``, ``sources``, ``templates``.
        outputs: ``page``.
        resources: ``threads``, the number of pictures made at a time, and ``study``, a JSON list of the command-line
            options that name the study.
    """
    from afterimage.report.contents import suite_contents
    from afterimage.report.page import suite_page

    with study_of(dict(spec["kinds"])):
        contents = {
            **suite_contents(spec, inputs, ROOT, resources["threads"], _study(resources)),
            **_language(spec),
        }
    write_text(outputs["page"], suite_page(contents, _templates(inputs)))


def _study(resources: Mapping[str, Any]) -> Sequence[str]:
    # The study's name changes no result, so it is not part of the spec.
    return list(json.loads(resources.get("study", "[]")))


def write_overview(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write the report's first page.

    Args:
        spec: As :func:`stages.report.overview_spec` returns it.
        inputs: ``tables`` (CSV), ``readers_tables``, ``captions``, ``figures`` (charts, each named as its table),
            ``screens`` (the same for other screens), ``suites_tables`` (readers' tables of the suites), ``cost``,
            ``numbers``, ``fronts`` (the tables with the suites' main scores, CSV), ``samples`` (the stimuli of a figure
            of each suite), ``shards``, ``responses`` (suite by suite, model by model) and ``templates``.
        outputs: ``page``.
        resources: ``study``, as above.
    """
    from afterimage.report.contents import overview_contents
    from afterimage.report.page import overview_page

    with study_of(dict(spec["kinds"])):
        contents = {**overview_contents(spec, inputs, ROOT, _study(resources)), **_language(spec)}
    write_text(outputs["page"], overview_page(contents, _templates(inputs)))


def _language(spec: Mapping[str, Any]) -> dict[str, str]:
    """Return the language of a page if it is not English."""
    return {"language": spec["language"]} if "language" in spec else {}


def _templates(files: Files) -> Path:
    return Path(files["templates"][0]).parent


STAGES = (
    Stage(
        "make_suite_page",
        write_suite_page,
        "tables",
        parts=papers_parts,
        spec=suite_page_spec,
        jobs=each_suite(),
    ),
    Stage("make_overview", write_overview, "tables", spec=overview_spec),
)
