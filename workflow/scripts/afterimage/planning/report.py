"""What the report's pages show beside files. Read whenever a plan is made: nothing slow.

Handed to the pages as values: as input files, a mended comment in one of them would make all pages anew.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from afterimage.files.yaml import read_yaml_mapping
from afterimage.planning.pictures import unable
from afterimage.planning.plan import Plan

_ENVIRONMENTS = ("stimuli", "inference", "tables", "figures")


def suite_page_spec(plan: Plan, suite: str, codes: Mapping[str, str]) -> dict[str, Any]:
    """Return what a suite's page shows beside what stands in its files; ``codes`` are fingerprints by label."""
    return {
        "fingerprints": codes,
        "gallery": plan.gallery,
        "ledger": plan.ledger.spec_of_suite(suite),
        "about": _about(plan, suite),
        "models": list(plan.models),
        "packages": packages(plan.environments),
        "pages": list(plan.suites),
        "settings": plan.suites[suite],
        "statistics": plan.statistics,
        "study": plan.title,
        "suite": suite,
    }


def overview_spec(plan: Plan) -> dict[str, Any]:
    """Return what the report's first page shows beside what stands in its files."""
    return {
        "about": {suite: _about(plan, suite) for suite in plan.suites},
        "models": [{"name": name, **model.answering()} for name, model in plan.models.items()],
        "packages": packages(plan.environments),
        "statistics": plan.statistics,
        "study": plan.title,
        "suites": list(plan.suites),
        "unable": {suite: unable(plan, suite) for suite in plan.suites},
    }


@cache
def packages(environments: Path) -> dict[str, str]:
    """Return the pinned version of every package of the jobs' environments."""
    pins: dict[str, str] = {}
    for name in _ENVIRONMENTS:
        path = environments / f"{name}.yaml"
        for pin in read_yaml_mapping(path, "the environments")["packages"]:
            package, _, version = pin.partition("==")
            pins[package] = version
    return {name: pins[name] for name in sorted(pins, key=str.lower)}


def _about(plan: Plan, suite: str) -> dict[str, str]:
    own = plan.studied[suite].suite
    pilot = plan.pilot(suite).get("pilot")
    title = f"{own.title} ({pilot})" if pilot else own.title
    return {"description": own.description, "title": title}
