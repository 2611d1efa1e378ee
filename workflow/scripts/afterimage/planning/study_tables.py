"""What the tables depend on that belong to no suite: of costs, of efforts, of two editions, of all values.

Which suites and models each is about.
"""

from pathlib import Path
from typing import Any

from afterimage.contract.design import EditionSettings
from afterimage.contract.finding import pairs_table
from afterimage.contract.parts import with_name
from afterimage.errors import config_key, fault
from afterimage.planning.plan import Plan
from afterimage.planning.prices import entry_prices, prices_of
from afterimage.planning.stage import Names, Stage, once_if, told_readers

#: Tables that belong to no suite.
TABLES_OF_NO_SUITE = frozenset(
    (
        *("batch_agreement", "claims", "claims_clean", "cost", "knowledge_all", "robustness"),
        *("thinking", "twins"),
    )
)

# ---- what the answers took ----


def cost_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of costs depends on, the answers apart."""
    models = [
        {"by_item": name in plan.responders, "name": name, **prices_of(plan, name)}
        for name in plan.models
    ]
    judge = plan.judging.judge
    if judge is None:
        return {"judge": None, "models": models, **told_readers(plan)}
    is_free = plan.judging.is_reference
    asked = {"by_item": is_free, "name": judge.name, **entry_prices(judge.entry, is_free)}
    return {"judge": asked, "models": models, **told_readers(plan)}


# ---- one model at several efforts ----


def thinking_models(plan: Plan) -> list[str]:
    """Return the models whose family has several efforts in this study, in the order of the study."""
    efforts: dict[str, set[str | int | None]] = {}
    for name, entry in plan.models.items():
        efforts.setdefault(entry.family or name, set()).add(entry.effort)
    return [name for name, entry in plan.models.items() if len(efforts[entry.family or name]) > 1]


def thinking_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of efforts depends on, the answers apart."""
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
        **told_readers(plan),
    }


# ---- another edition ----


def twin_models(plan: Plan) -> dict[str, list[str]]:
    """Return the suites that draw, with the models that have answered both editions; nothing without ``twins``.

    Raises:
        AfterimageError: The folder has no grades of any of them, or is the study's own.
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
    """Return what the other run has: grades and items of these suites."""
    suites = twin_models(plan)
    shards = (Path(str(plan.twins), "items", suite).glob("*.parquet") for suite in suites)
    return {
        "public_grades": [
            _twin_grades(plan, suite, one) for suite in suites for one in suites[suite]
        ],
        "public_shards": sorted(path.as_posix() for of_suite in shards for path in of_suite),
    }


def twins_parts(plan: Plan, at: Names) -> list[str]:
    """Return the tables of all pairs of models of these suites."""
    return list(dict.fromkeys(_pairs_table(plan, suite) for suite in twin_models(plan)))


def twins_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table depends on, the answers apart."""
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
        **told_readers(plan, *suites),
    }


def _pairs_table(plan: Plan, suite: str) -> str:
    return with_name(plan.studied[suite].table(pairs_table(suite)).part, "TABLE")


def _twin_grades(plan: Plan, suite: str, model: str) -> str:
    return f"{plan.twins}/grades/{suite}/{model}.parquet"


# ---- all values ----


def values_spec(plan: Plan, at: Names) -> dict[str, dict[str, str]]:
    """Return the page that shows a table, by the table's name."""
    own = {table: f"{suite}.html" for table, suite in plan.tables.items()}
    return {"pages": {**own, **dict.fromkeys(sorted(TABLES_OF_NO_SUITE), "index.html")}}


STAGES = (
    Stage("make_cost", "study_tables:make_cost", "tables", spec=cost_spec),
    Stage(
        "make_thinking",
        "study_tables:make_thinking",
        "tables",
        spec=thinking_spec,
        jobs=once_if(thinking_models),
    ),
    Stage(
        "make_twins",
        "study_tables:make_twins",
        "tables",
        parts=twins_parts,
        spec=twins_spec,
        jobs=once_if(twin_models),
    ),
    Stage("write_values", "study_tables:write_values", "tables", spec=values_spec),
)
