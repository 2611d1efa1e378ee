"""What a suite's tables depend on beside their files: plain values."""

from typing import Any

from afterimage.contract.parts import with_name
from afterimage.files.paths import RESULTS
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each, told_readers


def table_parts(plan: Plan, at: Names) -> list[str]:
    """Return what declares a table, what reads others' outcomes, and what says where papers' numbers stand in it."""
    table, suite = at.table, plan.tables[at.table]
    shown = plan.ledger.shown(suite)
    papers = [paper["part"] for paper in plan.ledger.quoted(table).values()]
    own = with_name(plan.studied[suite].table(table).part, "TABLE")
    return [own, *([with_name(shown["part"], "grades")] if shown else []), *papers]


def unable(plan: Plan, suite: str) -> list[str]:
    """Return the reference responders to which a suite has told nothing: all that they say is that they cannot tell."""
    return [
        model
        for model, backend in plan.backends.items()
        if not plan.studied[suite].can_answer(backend.suite_part)
    ]


def read_by(plan: Plan, table: str) -> dict[str, str]:
    """Return the files of models, beside grades, that a suite's table reads: model to file; mostly none."""
    suite = plan.tables[table]
    kind = plan.studied[suite].suite.table_reads.get(table)
    if kind == "seen":
        return {name: f"{RESULTS}/stimuli/{suite}/seen_by_{name}.csv" for name in plan.seeing}
    named = plan.models if kind == "responses" else ()
    return {name: f"{RESULTS}/responses/{suite}/{name}.parquet" for name in named}


def sees_probes(plan: Plan, table: str) -> bool:
    """Tell whether a table is about answers to probes, too."""
    return table in plan.probe_tables or table in plan.studied[plan.tables[table]].graded_tables


def table_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a table depends on, grades and people's decisions apart."""
    table, suite = at.table, plan.tables[at.table]
    own = plan.studied[suite].table(table)
    silent = unable(plan, suite)
    return {
        **({"unable": silent} if silent else {}),
        "models": list(plan.models),
        "responders": [name for name, kind in kinds(plan) if kind == "responder"],
        "yardsticks": [name for name, kind in kinds(plan) if kind != "model"],
        **({"reference_judge": True} if plan.judging.is_reference else {}),
        "part": own.part,
        **({"title": own.title} if own.title else {}),
        **({"recorded": recorded} if (recorded := plan.ledger.shown(suite)) else {}),
        **({"quoted": quoted} if (quoted := plan.ledger.quoted(table)) else {}),
        **({"probes": plan.probes.get(suite, {})} if sees_probes(plan, table) else {}),
        **({"read": list(read)} if (read := read_by(plan, table)) else {}),
        **({"names": names_in_print(plan, suite)} if table in plan.printed else {}),
        **(
            {"missing": [len(lost.names), lost.named]}
            if (lost := plan.missing[suite]).names
            else {}
        ),
        "statistics": plan.statistics,
        "settings": plan.studied[suite].table_settings(table),
        "readers": told_readers(plan, suite),
        "suite": suite,
        "table": table,
        "version": plan.studied[suite].suite.version,
    }


def names_in_print(plan: Plan, suite: str) -> list[list[str]]:
    """Return how models are called in print: those of the suite's paper in its order, and then the others.

    What an entry says (key ``label``) goes first, its own name last.
    """
    names = plan.ledger.names_in_print(suite)
    own = {name: plan.labels.get(name, names.get(name, name)) for name in plan.models}
    return [list(pair) for pair in (names | own).items()]


def kinds(plan: Plan) -> list[list[str]]:
    """Return the models in order, each with whose row it has: a model's, a recorded one's, a responder's."""

    def kind(name: str) -> str:
        if name in plan.recorded:
            return "recorded"
        return "responder" if name in plan.responders else "model"

    return [[name, kind(name)] for name in plan.models]


def table_files(plan: Plan, suite: str) -> list[str]:
    """Return the files, beside grades and decisions, that a suite's tables are made from; of most suites none."""
    own = plan.studied[suite]
    return list(own.suite.table_files(own.settings, own.people))


MAKE_TABLE = Stage(
    "make_table",
    "tables:make_table",
    "tables",
    parts=table_parts,
    spec=table_spec,
    jobs=each("table", lambda plan: plan.tables),
)
STAGES = (MAKE_TABLE,)
