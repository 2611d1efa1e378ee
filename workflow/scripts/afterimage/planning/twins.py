"""Which answers to another edition a study is compared with, and what the table about that depends on."""

from pathlib import Path
from typing import Any

from afterimage.contract.editions import EditionSettings
from afterimage.contract.finding import pairs_table
from afterimage.contract.parts import with_name
from afterimage.errors import config_key, fault
from afterimage.planning.plan import Plan
from afterimage.planning.stage_parts import told_readers


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
        suite: [model for model in plan.models if Path(_grades(plan, suite, model)).is_file()]
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
        "public_grades": [_grades(plan, suite, one) for suite in suites for one in suites[suite]],
        "public_shards": sorted(path.as_posix() for of_suite in shards for path in of_suite),
    }


def twins_parts(plan: Plan) -> list[str]:
    """Return the tables of all pairs of models of these suites."""
    return list(dict.fromkeys(_pairs(plan, suite) for suite in twin_models(plan)))


def twins_spec(plan: Plan) -> dict[str, Any]:
    """Return what the table depends on, the answers apart."""
    suites = twin_models(plan)
    return {
        "confidence": plan.statistics["confidence"],
        "suites": {
            suite: {
                "part": _pairs(plan, suite),
                "told": plan.studied[suite].table_settings(pairs_table(suite)),
            }
            for suite in suites
        },
        **told_readers(plan, *suites),
    }


def _pairs(plan: Plan, suite: str) -> str:
    return with_name(plan.studied[suite].table(pairs_table(suite)).part, "TABLE")


def _grades(plan: Plan, suite: str, model: str) -> str:
    return f"{plan.twins}/grades/{suite}/{model}.parquet"
