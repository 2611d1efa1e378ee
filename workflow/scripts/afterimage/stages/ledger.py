"""The ledger: a study's tables, the papers' numbers, and what the two have to do with each other."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import with_name
from afterimage.files.csv_rows import frame_text, read_rows, write_csv
from afterimage.files.paths import anchored, write_text
from afterimage.ledger.cells import Files as Sources
from afterimage.ledger.published import in_words, macros, read_numbers
from afterimage.stages.stage import Stage, each

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- specs and parts ----


def papers_parts(plan: Plan, at: Names) -> list[str]:
    """Return the modules that say where the papers' numbers stand."""
    return [state["part"] for state in plan.ledger.states.values()]


def ledger_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the ledger depends on, its files apart."""
    return _papers_spec(plan, plan.ledger.states)


def suite_spec(plan: Plan, suite: str) -> dict[str, Any]:
    """Return the part of it about the papers that a suite measures."""
    return _papers_spec(plan, plan.ledger.states_of_suite(suite))


def number_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what one number depends on, its files apart."""
    paper = plan.ledger.number(at.number).paper
    papers = {paper: plan.ledger.states[paper]}
    return {**_papers_spec(plan, papers), "number": at.number}


def rescoring_parts(plan: Plan, at: Names) -> list[str]:
    """Return what forms a suite's tables from recorded outcomes."""
    return [with_name(plan.studied[at.suite].rescorer, "rescore")]


def rescoring_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return where these outcomes lie, and what forms the tables."""
    return {"folder": plan.ledger.recorded[at.suite], "part": plan.studied[at.suite].rescorer}


def _papers_spec(plan: Plan, papers: Mapping[str, Any]) -> dict[str, Any]:
    return {"confidence": plan.statistics["confidence"], "papers": dict(papers)}


# ---- functions of jobs ----


def make_ledger(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write one row for every printed number as CSV.

    Args:
        spec: As :func:`stages.ledger.ledger_spec` returns it.
        inputs: ``published``, the files of printed numbers; ``sources``, the study's files from which numbers are had.
        outputs: ``ledger``, the CSV to write, with the columns :data:`ledger.entries.COLUMNS`.
    """
    from afterimage.ledger.entries import COLUMNS, entries

    numbers = read_numbers(inputs["published"])
    rows = entries(
        numbers, numbers, spec, Sources(inputs["sources"], Path(outputs["ledger"]).parent)
    )
    write_csv(outputs["ledger"], rows, COLUMNS)


def write_number(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write one printed number's value and interval as one line of text; ``spec["number"]`` is its name."""
    from afterimage.ledger.entries import entries

    numbers = read_numbers(inputs["published"])
    (number,) = (number for number in numbers if number.name == spec["number"])
    # <results>/numbers/<the number's name, of several parts>.txt
    results = Path(outputs["number"]).parents[1 + number.name.count("/")]
    (entry,) = entries([number], numbers, spec, Sources(inputs["sources"], results))
    write_text(outputs["number"], in_words(entry))


def write_macros(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write the ledger's numbers as LaTeX macros."""
    write_text(outputs["macros"], macros(read_rows(inputs["ledger"]), inputs["ledger"]))


def rescore(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write a suite's tables, formed again by its module ``part`` from recorded answers in ``folder``, as CSV."""
    cells = import_module(spec["part"]).rescore(anchored(spec["folder"]))
    write_text(outputs["cells"], frame_text(cells, float_format="%.4f"))


STAGES = (
    Stage(
        "rescore_recorded",
        rescore,
        "tables",
        parts=rescoring_parts,
        spec=rescoring_spec,
        jobs=each("suite", lambda plan: plan.ledger.recorded),
    ),
    Stage("make_ledger", make_ledger, "tables", parts=papers_parts, spec=ledger_spec),
    Stage("write_number", write_number, "tables", parts=papers_parts, spec=number_spec),
    Stage("write_macros", write_macros, "tables"),
)
