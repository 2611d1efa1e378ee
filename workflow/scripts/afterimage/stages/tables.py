"""Tables: the graded answers of all models become one table, in five forms, and in that of its paper."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from afterimage.contract.parts import resolve, with_name
from afterimage.contract.stimulus import UNREADABLE
from afterimage.files.human_responses import decision_source
from afterimage.files.paths import RESULTS, anchored
from afterimage.ledger.published import read_numbers
from afterimage.note import Note
from afterimage.showing.tables.declaration import Table, Text
from afterimage.showing.tables.layout import quoted_frame
from afterimage.stages.stage import Stage, each, reader_spec

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.files.attempts import Unfinished
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- specs and parts ----


def table_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that declare a table, read recorded outcomes of others, and place papers' numbers in it."""
    table, suite = at.table, plan.tables[at.table]
    shown = plan.ledger.shown(suite)
    papers = [paper["part"] for paper in plan.ledger.quoted(table).values()]
    part = with_name(plan.studied[suite].table(table).part, "TABLE")
    return [part, *([with_name(shown["part"], "grades")] if shown else []), *papers]


def unable(plan: Plan, suite: str) -> list[str]:
    """Return the reference responders for which a suite has no part, so that they can only say "I cannot tell"."""
    return [
        model
        for model, backend in plan.backends.items()
        if not plan.studied[suite].can_answer(backend.suite_part)
    ]


def read_by(plan: Plan, table: str) -> dict[str, str]:
    """Return further files of models that a suite's table reads, besides grades: model to file; mostly none."""
    suite = plan.tables[table]
    kind = plan.studied[suite].suite.table_reads.get(table)
    if kind == "seen":
        return {name: f"{RESULTS}/stimuli/{suite}/seen_by_{name}.csv" for name in plan.seeing}
    named = plan.models if kind == "responses" else ()
    return {name: f"{RESULTS}/responses/{suite}/{name}.parquet" for name in named}


def sees_probes(plan: Plan, table: str) -> bool:
    """Tell whether a table includes answers to probes."""
    return table in plan.probe_tables or table in plan.studied[plan.tables[table]].graded_tables


def table_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a table depends on, except grades and people's decisions."""
    table, suite = at.table, plan.tables[at.table]
    declared = plan.studied[suite].table(table)
    silent = unable(plan, suite)
    return {
        **({"unable": silent} if silent else {}),
        "models": list(plan.models),
        "responders": [name for name, kind in kinds(plan) if kind == "responder"],
        "yardsticks": [name for name, kind in kinds(plan) if kind != "model"],
        **({"reference_judge": True} if plan.judging.is_reference else {}),
        "part": declared.part,
        **({"title": declared.title} if declared.title else {}),
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
        "readers": reader_spec(plan, suite),
        "suite": suite,
        "table": table,
        "version": plan.studied[suite].suite.version,
    }


def names_in_print(plan: Plan, suite: str) -> list[list[str]]:
    """Return the names of models in print: those of the suite's paper in its order, then the others.

    An entry's ``label`` has priority over the paper's name, and that over the entry's name.
    """
    names = plan.ledger.names_in_print(suite)
    printed = {name: plan.labels.get(name, names.get(name, name)) for name in plan.models}
    return [list(pair) for pair in (names | printed).items()]


def kinds(plan: Plan) -> list[list[str]]:
    """Return the models in order, each with its kind: ``model``, ``recorded`` or ``responder``."""

    def kind(name: str) -> str:
        if name in plan.recorded:
            return "recorded"
        return "responder" if name in plan.responders else "model"

    return [[name, kind(name)] for name in plan.models]


def table_files(plan: Plan, suite: str) -> list[str]:
    """Return further files from which a suite's tables are made, besides grades and decisions; mostly none."""
    studied = plan.studied[suite]
    return list(studied.suite.table_files(studied.settings, studied.people))


# ---- functions of jobs ----


# The largest number of unreadable images that a table names.
_MAX_NAMED = 5
_SOURCES = {
    "paper": "the paper's own decision, taken over (no people were asked here)",
    "config": "the paper's own decision as changed by the configuration (no people were asked here)",
    "participants": "modal answers of the participants of this study",
    "synthetic": "modal answers of simulated participants",
}


class Made(NamedTuple):
    """The contents of a table.

    Attributes:
        table: The declaration; one without rows if there are no answers.
        grades: The answers, including recorded ones of others.
        settings: The table's settings.
        unfinished: Models that have not answered everything; their answers are left out.
        notes: General notes about the answers.
        source: Source of people's decisions; None if there are none.
    """

    table: Table
    grades: pd.DataFrame
    settings: Mapping[str, Any]
    unfinished: Sequence[Unfinished]
    notes: tuple[str, ...]
    source: str | None


def make_table(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Compute one table and write it as each of ``outputs`` (csv, markdown, latex, html, json, the paper's two).

    Args:
        spec: ``part`` (where the table is declared); ``statistics``, the suite's ``settings`` of it and what its
            ``readers`` are told (the study's language, a pilot); ``probes`` for tables about them, which alone see
            their answers; ``suite`` and its ``version``, which the table says; ``unable``, models that cannot answer
            the suite and have no rows; ``missing``, how many images are not there, in words; ``yardsticks``, who
            answers and is no model, ``responders`` among them; ``reference_judge``, true where one judges;
            ``recorded`` (``part``, ``folder``) for suites that show others' outcomes; ``names``, pairs of a model's
            name and its name in print, of tables in their paper's form; ``quoted``, where papers print models of their
            own (``part``, ``names``, ``source`` of each).
        inputs: ``grades``, the models' files, in the order of the table's rows; ``decisions``, the human filter's, of
            suites that have one: every table says where they came from.
            ``recorded``, the files of that folder. ``read``, a file of each model that ``spec`` names under that key.
            ``published``, the printed numbers of the papers of ``quoted``. ``unpacked``, files of stimuli among which
            some may be unreadable; tables name them.
            A model that has not answered everything has a row that says so, and no numbers.
        outputs: Form to file.
    """
    from afterimage.showing.tables.compute import frame_of
    from afterimage.showing.tables.table_files import write_table

    made = answers_of(spec, inputs)
    table, frame, settings = made.table, made.grades, made.settings
    notes = list(made.notes)
    table = replace(table, notes=(*table.notes, lambda grades, settings: notes))
    result = frame_of(table, frame, settings)
    quoted = _quoted(spec, inputs, table, result)
    if len(quoted):
        notes += _notes_of_papers(spec["quoted"])
    if made.source == "synthetic":
        # A CSV has no caption for this.
        result = result.assign(human_filter="synthetic")
    write_table(table, result, outputs, settings, frame, made.unfinished, quoted)


def answers_of(spec: Mapping[str, Any], inputs: Files) -> Made:
    """Read the contents of a table; ``spec`` and ``inputs`` are those of :func:`make_table`."""
    import pandas as pd

    from afterimage.showing.answers import read_grades, unfinished_grades, without

    table = resolve(with_name(spec["part"], "TABLE"))
    source = next(map(decision_source, inputs["decisions"]), None)
    settings = {
        **spec["statistics"],
        **spec["settings"],
        **spec["readers"],
        "human_source": None if source is None else _SOURCES.get(source),
        "synthetic_humans": source == "synthetic",
        **{name: spec.get(name, ()) for name in ("responders", "yardsticks")},
        "reference_judge": spec.get("reference_judge", False),
        "names": spec.get("names", ()),
    }
    if "read" in spec:
        settings["read"] = dict(zip(spec["read"], inputs["read"], strict=True))
    unfinished = unfinished_grades(inputs["grades"])
    frame = read_grades(inputs["grades"], with_probes="probes" in spec)
    frame = without(frame, unfinished)
    if unable := spec.get("unable"):
        frame = frame[~frame["model"].isin(unable)].reset_index(drop=True)
    notes = [*_notes(spec, frame), *_unreadable(inputs.get("unpacked", ()))]
    if "recorded" in spec:
        recorded = resolve(with_name(spec["recorded"]["part"], "grades"))
        others = recorded(anchored(spec["recorded"]["folder"]), settings)
        frame = pd.concat([frame, others]).reset_index(drop=True)
    if frame.empty:
        table = _of_nobody(table)
    return Made(table, frame, settings, unfinished, tuple(notes), source)


def _quoted(
    spec: Mapping[str, Any], inputs: Files, table: Table, frame: pd.DataFrame
) -> pd.DataFrame:
    """Return the rows of the papers' own models."""
    from afterimage.ledger.verdicts import quoted_rows

    if "quoted" not in spec:
        return frame.iloc[:0]
    numbers = read_numbers(inputs["published"])
    confidence = spec["statistics"]["confidence"]
    return quoted_frame(
        table, frame, quoted_rows(numbers, spec["quoted"], spec["table"], confidence)
    )


def _notes_of_papers(papers: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the notes about rows of papers."""
    for paper in papers.values():
        yield Note(
            "(paper): as printed by {source}; on the paper's own images, compared with no model here.",
            source=paper["source"],
        )
    yield (
        "A row (paper) has counts and an interval, as if answers were independent, where the printed "
        "digits are those of a count out of a known number; otherwise only the number is given "
        "(docs/ledger.md)."
    )


_ONE_MISSING = (
    "Incomplete: {missing:,} of the {named:,} images that its files name is not there and was "
    "not asked about."
)
_MISSING = (
    "Incomplete: {missing:,} of the {named:,} images that its files name are not there and were "
    "not asked about."
)


def _notes(spec: Mapping[str, Any], frame: pd.DataFrame) -> Iterator[str]:
    """Yield general notes about the study's answers."""
    from afterimage.showing.tables.judgement_columns import other_models_note, unread_note

    if unable := spec.get("unable"):
        yield Note(
            "Omitted: {unable}; the suite provides no answers for them.",
            unable=", ".join(unable),
        )
    yield from filter(None, (unread_note(frame), other_models_note(frame)))
    if "missing" in spec:
        missing, named = spec["missing"]
        yield Note(_ONE_MISSING if missing == 1 else _MISSING, missing=missing, named=named)
    if "version" in spec:
        yield Note(
            "Suite {suite}, version {version}.", suite=spec["suite"], version=spec["version"]
        )


def _unreadable(stimuli: Sequence[str]) -> Iterator[str]:
    """Yield a sentence with the images that could not be decoded and were not asked about."""
    from afterimage.files.stimulus import read_stimuli

    records = [record for path in stimuli for record in read_stimuli(path)]
    realised = (json.loads(record["parameters"])["realised"] for record in records)
    found = [
        parameters[UNREADABLE].rstrip(".") for parameters in realised if UNREADABLE in parameters
    ]
    if found:
        more = f" and {len(found) - _MAX_NAMED:,} more" if len(found) > _MAX_NAMED else ""
        yield (
            Note(
                "Incomplete: {found:,} of {records:,} images cannot be read, and nothing was asked about "
                "them: {named}{more}.",
                found=len(found),
                records=len(records),
                named="; ".join(found[:_MAX_NAMED]),
                more=more,
            )
        )


def _of_nobody(table: Table) -> Table:
    """Return a table without rows and notes for the case without answers, so that declarations can ignore it."""
    import pandas as pd

    names = list(table.csv_names or ("model",))
    return Table(
        table.name,
        table.title,
        rows=lambda grades, settings: pd.DataFrame(columns=names),
        columns=(Text("Model", "model"), Text("Numbers", "model")),
        paper=table.paper,
    )


MAKE_TABLE = Stage(
    "make_table",
    make_table,
    "tables",
    parts=table_parts,
    spec=table_spec,
    jobs=each("table", lambda plan: plan.tables),
)
STAGES = (MAKE_TABLE,)
