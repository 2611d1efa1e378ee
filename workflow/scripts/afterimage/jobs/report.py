"""The report: a study's files become pages that need no other file (docs/report.md)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.files.paths import ROOT, write_text
from afterimage.jobs.running import Files
from afterimage.report.contents import overview_contents, suite_contents
from afterimage.report.page import overview_page, suite_page
from afterimage.showing.looks import study_of


def write_suite_page(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write the page of one suite.

    Args:
        spec: As :func:`planning.report.suite_page_spec` returns it.
        inputs: ``tables`` (CSV), ``readers_tables`` (JSON), ``captions`` (named after them),
            ``figures``, ``screens`` (charts for other screens), ``figure_captions``, ``shards``, ``responses``,
            ``grades``, ``published``, ``sources``, ``templates``.
        outputs: ``page``.
        beside: ``threads``, how many pictures are made at a time, and ``study``, a JSON list of the options of a
            command line that name the study.
    """
    with study_of(dict(spec["kinds"])):
        contents = {
            **suite_contents(spec, inputs, ROOT, beside["threads"], _study(beside)),
            **_language(spec),
        }
    write_text(outputs["page"], suite_page(contents, _templates(inputs)))


def _study(beside: Mapping[str, Any]) -> Sequence[str]:
    # What it is called changes no result, so it is no parameter of the job.
    return list(json.loads(beside.get("study", "[]")))


def write_overview(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write the report's first page.

    Args:
        spec: As :func:`planning.report.overview_spec` returns it.
        inputs: ``tables`` (CSV), ``readers_tables``, ``captions``, ``figures`` (charts, each named as its table),
            ``screens`` (these for other screens), ``suites_tables`` (readers' tables of the suites), ``cost``,
            ``numbers``, ``fronts`` (the tables with the suites' main scores, CSV), ``samples`` (the stimuli of a figure
            of each suite), ``shards``, ``responses`` (suite by suite, model by model) and ``templates``.
        outputs: ``page``.
        beside: ``study``, as above.
    """
    with study_of(dict(spec["kinds"])):
        contents = {**overview_contents(spec, inputs, ROOT, _study(beside)), **_language(spec)}
    write_text(outputs["page"], overview_page(contents, _templates(inputs)))


def _language(spec: Mapping[str, Any]) -> dict[str, str]:
    """Return the language that a page is in, where it is not English."""
    return {"language": spec["language"]} if "language" in spec else {}


def _templates(files: Files) -> Path:
    return Path(files["templates"][0]).parent
