"""Pages for people: listing a form's tasks, writing its pages, taking in what comes back, and what that decides."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import part_in, resolve
from afterimage.contract.task import Shown
from afterimage.errors import AfterimageError
from afterimage.files.attempts import NOT_ALL
from afterimage.files.csv_rows import write_csv
from afterimage.files.paths import atomic_path, write_text
from afterimage.items.form_texts import form_texts, page_texts
from afterimage.people.forms.tasks import make_salt, opaque_id, read_salt
from afterimage.stages.stage import Stage, each_of_suites, once_if

if TYPE_CHECKING:
    from afterimage.people.forms.page import Design
    from afterimage.planning.human_forms import HumanForms
    from afterimage.planning.plan import Plan
    from afterimage.planning.suites import StudySuite
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


logger = logging.getLogger(__name__)


# ---- tasks ----


def task_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that list a form's tasks and, if it has any, its attention checks."""
    entry = plan.forms.form(at.suite, at.form)
    return [part_in(entry.part, name) for name in ("tasks", "attention")[: 1 + entry.attention]]


def tasks_spec(forms: HumanForms, studied: StudySuite, form: str) -> dict[str, Any]:
    """Return what the tasks of a form depend on, except files."""
    entry, shown = forms.form(studied.name, form), page_texts(forms.texts, forms.languages)
    return {
        "attention": forms.settings["attention"],
        "batch_size": forms.settings["batch_size"],
        "folder": forms.folder,
        "form": form,
        "instructed": {code: texts["attention"] for code, texts in shown.items()},
        "own_attention": entry.attention,
        "part": entry.part,
        "settings": entry.spec(studied.words, studied.settings, studied.people),
        "suite": studied.name,
        "texts": form_texts(forms.texts, forms.languages, studied.name, form),
    }


def _forms(plan: Plan) -> list[dict[str, str]]:
    return [{"suite": suite, "form": form} for suite, form in plan.forms.names]


#: Columns of the list of a form's pages.
PAGE_COLUMNS = ("page", "tasks", "page_checksum")


def list_form_tasks(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Write a form's tasks, with the meaning of their opaque ids, and the list of its pages; return their number.

    The study's salt is drawn for the first form.

    Args:
        spec: What :func:`stages.forms.tasks_spec` returned.
        inputs: The sources of the tasks: ``stimuli``, ``shards`` (of items), ``responses``, ``grades``, ``files``.
        outputs: ``tasks``, the Parquet file to write, schema FORM_TASK, which participants must not get; ``pages``, the
            CSV file to write, columns ``PAGE_COLUMNS``.

    Raises:
        AfterimageError: A model whose answers people are to see has not answered everything.
    """
    from afterimage.files.parquet import write_records
    from afterimage.files.stimulus import FORM_TASK, Inputs
    from afterimage.people.forms.task_list import list_tasks
    from afterimage.showing.answers import unfinished_grades, unfinished_responses

    form = resolve(spec["part"])
    of_grades = unfinished_grades(inputs.get("grades", ()))
    for gap in (*unfinished_responses(inputs["responses"]), *of_grades):
        if gap.state != NOT_ALL:
            continue
        raise AfterimageError(
            f"model '{gap.model}' on {gap.suite} is {gap.sentence}; this form is made from its answers, and people are "
            "to see all of them: it waits (docs/reliability.md)."
        )
    listed: Counter[tuple[str, str]] = Counter()
    made_from = Inputs(
        stimuli=tuple(inputs["stimuli"]),
        items=tuple(inputs["shards"]),
        responses=tuple(inputs["responses"]),
        grades=tuple(inputs["grades"]),
        files=tuple(inputs["files"]),
    )

    def counted(rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
        for row in rows:
            listed[row["page"], row["page_checksum"]] += 1
            yield row

    rows = counted(list_tasks(form, made_from, spec, make_salt(spec["folder"])))
    # Photographs are large; only a few at a time are in memory twice.
    written = write_records(outputs["tasks"], rows, FORM_TASK, batch_size=32)
    pages_made = [
        {"page": page, "tasks": number, "page_checksum": checksum}
        for (page, checksum), number in sorted(listed.items())
    ]
    write_csv(outputs["pages"], pages_made, PAGE_COLUMNS)
    logger.info("%d tasks on %d pages", written, len(pages_made))
    return written


# ---- pages ----


def page_spec(forms: HumanForms, suite: str, form: str) -> dict[str, Any]:
    """Return what a page depends on, except its tasks and its template."""
    words = form_texts(forms.texts, forms.languages, suite, form)
    return {
        "about": {
            code: {"instructions": list(texts["instructions"]), "title": texts["title"]}
            for code, texts in words.items()
        },
        "languages": forms.languages,
        "page": page_texts(forms.texts, forms.languages),
    }


def write_form(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write one page of a form, and the same tasks as a sheet in every language.

    Args:
        spec: What :func:`stages.forms.page_spec` returned; its ``number`` says which page,
            ``"01"`` or so.
        inputs: ``tasks``, the form's; ``template``, ``style``, ``shared`` and ``script``, the page's design.
        outputs: ``page``; ``sheets``, the CSV file of each of the languages.

    Raises:
        AfterimageError: The form has no such page.
    """
    from afterimage.people.forms.page import render_page, render_sheet

    rows = _rows_of_page(inputs["tasks"], spec["number"])
    write_text(outputs["page"], render_page(rows, spec, _design(inputs)))
    for language, path in zip(spec["languages"], outputs["sheets"], strict=True):
        with atomic_path(path) as temporary:
            temporary.write_bytes(render_sheet(rows, language).encode())


def session_parts(plan: Plan, at: Names) -> list[str]:
    """Return the part that chooses the trials of a form's sessions."""
    return [part_in(plan.forms.form(at.suite, at.form).part, "session")]


def session_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a page of sessions depends on, except its tasks and its template."""
    forms, studied = plan.forms, plan.studied[at.suite]
    entry = forms.form(at.suite, at.form)
    return {
        **page_spec(forms, at.suite, at.form),
        "number": at.page,
        "page": page_texts(forms.texts, forms.languages, ("page", "session")),
        "part": entry.part,
        "session": dict(forms.settings["session"]),
        "settings": entry.spec(studied.words, studied.settings, studied.people),
    }


def _sessions(plan: Plan) -> list[dict[str, str]]:
    sessions = plan.forms.sessions()
    return [names for names in _forms(plan) if names["form"] in sessions]


def write_session(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write one page of a form of sessions.

    Args:
        spec: What :func:`stages.forms.session_spec` returned, and ``number``, which page.
        inputs: As of :func:`write_form`.
        outputs: ``page``.

    Raises:
        AfterimageError: The form has no such page.
    """
    from afterimage.people.forms.page import render_session

    rows = _rows_of_page(inputs["tasks"], spec["number"])
    form = resolve(spec["part"])
    shown = [Shown(row["own_id"], dict(row["about"])) for row in rows if not row["attention"]]
    session = form.session(shown, spec["settings"])
    write_text(outputs["page"], render_session(rows, session, spec, _design(inputs)))


def _rows_of_page(tasks: str, page: str) -> list[dict[str, Any]]:
    from afterimage.files.parquet import read_records
    from afterimage.files.stimulus import FORM_TASK

    rows = [row for row in read_records(tasks, FORM_TASK) if row["page"] == page]
    if not rows:
        pages = sorted({row["page"] for row in read_records(tasks, FORM_TASK, ["page"])})
        listed = f"pages {pages[0]} to {pages[-1]}" if pages else "no page, for want of tasks"
        raise AfterimageError(f"page '{page}' does not exist: {tasks} has {listed}.")
    return rows


def _design(inputs: Files) -> Design:
    from afterimage.people.forms.page import Design

    template, style, shared, script = (
        Path(inputs[name]).read_text(encoding="utf-8")
        for name in ("template", "style", "shared", "script")
    )
    return Design(template, style, f"{shared}\n{script}")


# ---- what comes back ----


def answer_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that turn the answers to the forms of a result into rows."""
    parts = answers_spec(plan.forms, at.suite, at.result)["forms"].values()
    return [part_in(part, name) for part in parts for name in ("rows", "COLUMNS")]


def answers_spec(forms: HumanForms, suite: str, result: str) -> dict[str, Any]:
    """Return what a result depends on, except the returned files and the tasks."""
    salt = read_salt(forms.folder) or ""
    others = [
        opaque_id(salt, suite, form)
        for form, entry in forms.forms[suite].items()
        if entry.result != result
    ]
    return {
        "forms": {form: forms.form(suite, form).part for form in forms.result_forms(suite, result)},
        "other_ids": sorted(others),
        "result": result,
        "suite": suite,
    }


def import_answers(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> str:
    """Turn the returned files into the file that a suite reads, and a report; return the report's sentence.

    Args:
        spec: ``suite``, ``result``, ``forms`` (those of the result, each with its part) and ``other_ids`` (the opaque
            ids of the suite's other forms, whose rows are left to their own result).
        inputs: ``tasks``, those of these forms; ``returned``, the files.
        outputs: ``answers`` (with the columns of the suite's form), ``report`` (rows that did not count, and why),
            ``annotators`` (the carefulness of each) and ``agreement``.

    Raises:
        AfterimageError: A file cannot be read, or has rows that belong to no page of this study.
    """
    from afterimage.people.forms import joining, quality
    from afterimage.people.forms.returned_files import read_returned

    parts = {form: resolve(part) for form, part in spec["forms"].items()}
    columns = {tuple(part.COLUMNS) for part in parts.values()}
    if len(columns) > 1:
        raise AfterimageError(
            f"forms {', '.join(parts)} of '{spec['suite']}' share the result '{spec['result']}', but their COLUMNS "
            "differ; expected the same."
        )
    tasks = inputs["tasks"]
    listed = _without_images(tasks)
    rows = [
        row
        for path in inputs["returned"]
        for row in read_returned(path)
        if row.form_id not in spec["other_ids"]
    ]
    joined = joining.join(listed, rows)
    annotators = quality.annotator_rows(joined.given)
    agreement = quality.agreement_rows(joined.given)
    answers = joining.answers(joined.given)
    made = [
        row
        for form, part in parts.items()
        for row in part.rows([answer for answer in answers if answer.form == form])
    ]
    write_csv(outputs["answers"], made, columns.pop())
    write_csv(outputs["report"], joined.report, joining.REPORT_COLUMNS)
    write_csv(outputs["annotators"], annotators, quality.ANNOTATOR_COLUMNS)
    write_csv(outputs["agreement"], agreement, quality.AGREEMENT_COLUMNS)
    for row in joined.report:
        logger.info("%s", ", ".join(f"{key} {value}" for key, value in row.items()))
    where = f"{spec['suite']}, {spec['result']}: "
    sentence = where + _sentence(
        len(answers), len(inputs["returned"]), joined.report, annotators, agreement
    )
    looked_at = joined.report or any(row["careless"] == "true" for row in annotators)
    logger.log(logging.WARNING if looked_at else logging.INFO, "%s", sentence)
    return sentence


def check_returned(
    tasks: Sequence[str | os.PathLike[str]], returned: Sequence[str | os.PathLike[str]]
) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
    """Check returned files without writing anything.

    Args:
        tasks: The tasks of all forms to which they may belong.
        returned: The files.

    Returns:
        The report's sentence, rows that would not count (``REPORT_COLUMNS``), and annotators (``ANNOTATOR_COLUMNS``).

    Raises:
        AfterimageError: A file cannot be read, or has rows that belong to no page of this study.
    """
    from afterimage.people.forms import joining, quality
    from afterimage.people.forms.returned_files import read_returned

    listed = _without_images(tasks)
    joined = joining.join(listed, [row for path in returned for row in read_returned(path)])
    annotators = quality.annotator_rows(joined.given)
    sentence = _sentence(
        len(joining.answers(joined.given)),
        len(returned),
        joined.report,
        annotators,
        quality.agreement_rows(joined.given),
    )
    return sentence, joined.report, annotators


def _without_images(tasks: Iterable[str | os.PathLike[str]]) -> list[dict[str, Any]]:
    from afterimage.files.parquet import columns_but, read_records
    from afterimage.files.stimulus import FORM_TASK

    columns = columns_but(FORM_TASK, "images")
    return [row for path in tasks for row in read_records(path, FORM_TASK, columns)]


def _sentence(
    answers: int,
    files: int,
    report: Sequence[Mapping[str, Any]],
    annotators: Sequence[Mapping[str, Any]],
    agreement: Sequence[Mapping[str, Any]],
) -> str:
    faults: Counter[str] = Counter()
    for row in report:
        faults[row["kind"]] += row["count"]
    times = faults.pop("impossible_time", 0)
    people = {row["annotator_id"] for row in annotators}
    careless = {row["annotator_id"] for row in annotators if row["careless"] == "true"}
    share = f" ({len(careless) / len(people):.1%})" if people else ""
    listed = (
        ", ".join(f"{faults[kind]} {kind.removesuffix('_answer')}" for kind in sorted(faults))
        or "none"
    )
    agreed = "; ".join(
        f"{row['form']}: Fleiss' kappa {_shown(row['fleiss_kappa'])}, "
        f"Krippendorff's alpha {_shown(row['krippendorff_alpha'])}"
        for row in agreement
    )
    return (
        f"{_number(answers, 'answer')} of {_number(len(people), 'person', 'people')} in {_number(files, 'file')}; "
        f"not counted: {listed}; careless: {len(careless)} of {len(people)}{share}"
        + (f"; {_number(times, 'time')} of answers cannot be" if times else "")
        + (f"; agreement: {agreed}." if agreed else ".")
    )


def _number(count: int, singular: str, plural: str = "") -> str:
    return f"{count} {singular if count == 1 else plural or f'{singular}s'}"


def _shown(coefficient: float | str) -> str:
    return "undefined" if coefficient == "" else f"{coefficient:.3f}"


# ---- stages ----


STAGES = (
    Stage(
        "list_form_tasks",
        list_form_tasks,
        "stimuli",
        parts=task_parts,
        spec=lambda plan, at: tasks_spec(plan.forms, plan.studied[at.suite], at.form),
        jobs=_forms,
    ),
    Stage(
        "write_form",
        write_form,
        "tables",
        spec=lambda plan, at: {**page_spec(plan.forms, at.suite, at.form), "number": at.page},
        jobs=once_if(lambda plan: plan.forms.sessions(are=False)),
    ),
    Stage(
        "write_session",
        write_session,
        "stimuli",
        parts=session_parts,
        spec=session_spec,
        jobs=_sessions,
    ),
    Stage(
        "import_answers",
        import_answers,
        "tables",
        parts=answer_parts,
        spec=lambda plan, at: answers_spec(plan.forms, at.suite, at.result),
        jobs=each_of_suites("result", lambda plan, suite: plan.forms.results(suite)),
    ),
)
