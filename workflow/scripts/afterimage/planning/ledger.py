"""What the ledger of the papers' numbers, and each number alone, depend on: plain values."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.parts import with_name
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each


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


STAGES = (
    Stage(
        "rescore_recorded",
        "ledger:rescore",
        "tables",
        parts=rescoring_parts,
        spec=rescoring_spec,
        jobs=each("suite", lambda plan: plan.ledger.recorded),
    ),
    Stage("make_ledger", "ledger:make_ledger", "tables", parts=papers_parts, spec=ledger_spec),
    Stage("write_number", "ledger:write_number", "tables", parts=papers_parts, spec=number_spec),
    Stage("write_macros", "ledger:write_macros", "tables"),
)
