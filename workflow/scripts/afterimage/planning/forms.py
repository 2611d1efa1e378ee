"""What pages for people, and what comes back from them, depend on: plain values."""

from typing import Any

from afterimage.contract.parts import held_in
from afterimage.items.form_texts import form_texts, page_texts
from afterimage.people.forms.tasks import opaque_id, read_salt
from afterimage.planning.human_forms import HumanForms
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites, once_if
from afterimage.planning.suites import StudySuite


def task_parts(plan: Plan, at: Names) -> list[str]:
    """Return what lists a form's tasks, with checks of its own where it has any."""
    entry = plan.forms.form(at.suite, at.form)
    return [held_in(entry.part, name) for name in ("tasks", "attention")[: 1 + entry.attention]]


def tasks_spec(forms: HumanForms, own: StudySuite, form: str) -> dict[str, Any]:
    """Return what the tasks of a form depend on, files apart."""
    entry, shown = forms.form(own.name, form), page_texts(forms.texts, forms.languages)
    return {
        "attention": forms.settings["attention"],
        "batch_size": forms.settings["batch_size"],
        "folder": forms.folder,
        "form": form,
        "instructed": {code: texts["attention"] for code, texts in shown.items()},
        "own_attention": entry.attention,
        "part": entry.part,
        "settings": entry.spec(own.words, own.settings, own.people),
        "suite": own.name,
        "texts": form_texts(forms.texts, forms.languages, own.name, form),
    }


def page_spec(forms: HumanForms, suite: str, form: str) -> dict[str, Any]:
    """Return what a page depends on, its tasks and its template apart."""
    words = form_texts(forms.texts, forms.languages, suite, form)
    return {
        "about": {
            code: {"instructions": list(texts["instructions"]), "title": texts["title"]}
            for code, texts in words.items()
        },
        "languages": forms.languages,
        "page": page_texts(forms.texts, forms.languages),
    }


def session_parts(plan: Plan, at: Names) -> list[str]:
    """Return what places the trials of a form's sessions."""
    return [held_in(plan.forms.form(at.suite, at.form).part, "session")]


def session_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a page of sessions depends on, its tasks and its template apart."""
    forms, own = plan.forms, plan.studied[at.suite]
    entry = forms.form(at.suite, at.form)
    return {
        **page_spec(forms, at.suite, at.form),
        "number": at.page,
        "page": page_texts(forms.texts, forms.languages, ("page", "session")),
        "part": entry.part,
        "session": dict(forms.settings["session"]),
        "settings": entry.spec(own.words, own.settings, own.people),
    }


# ---- what has come back ----


def answer_parts(plan: Plan, at: Names) -> list[str]:
    """Return what turns the answers to the forms of a result into rows."""
    parts = answers_spec(plan.forms, at.suite, at.result)["forms"].values()
    return [held_in(part, name) for part in parts for name in ("rows", "COLUMNS")]


def answers_spec(forms: HumanForms, suite: str, result: str) -> dict[str, Any]:
    """Return what a result depends on, the files that came back and the tasks apart."""
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


def _forms(plan: Plan) -> list[dict[str, str]]:
    return [{"suite": suite, "form": form} for suite, form in plan.forms.names]


def _sessions(plan: Plan) -> list[dict[str, str]]:
    sessions = plan.forms.sessions()
    return [names for names in _forms(plan) if names["form"] in sessions]


STAGES = (
    Stage(
        "list_form_tasks",
        "forms:list_form_tasks",
        "stimuli",
        parts=task_parts,
        spec=lambda plan, at: tasks_spec(plan.forms, plan.studied[at.suite], at.form),
        jobs=_forms,
    ),
    Stage(
        "write_form",
        "forms:write_form",
        "tables",
        spec=lambda plan, at: {**page_spec(plan.forms, at.suite, at.form), "number": at.page},
        jobs=once_if(lambda plan: plan.forms.sessions(are=False)),
    ),
    Stage(
        "write_session",
        "forms:write_session",
        "stimuli",
        parts=session_parts,
        spec=session_spec,
        jobs=_sessions,
    ),
    Stage(
        "import_answers",
        "forms:import_answers",
        "tables",
        parts=answer_parts,
        spec=lambda plan, at: answers_spec(plan.forms, at.suite, at.result),
        jobs=each_of_suites("result", lambda plan, suite: plan.forms.results(suite)),
    ),
)
