"""Pages to open: those of the suite illusion_vqa for two illusions, and one with every kind of field."""

import csv
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from form_samples import (
    choice_task,
    fields_of,
    listed,
    rating_task,
    rendered,
    words_task,
    writing_task,
)

from afterimage.files.parquet import read_records
from afterimage.files.stimulus import FORM_TASK
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.forms import list_form_tasks, write_form
from afterimage.stages.stimuli import draw_figure

FIGURES = ("fick", "ebbinghaus")


@pytest.fixture(scope="session")
def illusion_study(root, tmp_path_factory):
    """Both forms of the suite for two illusions: the plan, the tasks, and one page each."""
    folder = tmp_path_factory.mktemp("illusion_forms")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = Plan(
            {
                "models": ["chance"],
                "human": {"folder": str(folder / "human")},
                "suites": {"illusion_vqa": {"illusions": list(FIGURES)}},
            },
            root,
        )
        specs = {
            form: spec_of(plan, "list_form_tasks", suite="illusion_vqa", form=form)
            for form in ("actual", "apparent")
        }
        looks = {
            form: spec_of(plan, "write_form", suite="illusion_vqa", form=form, page="01")
            for form in specs
        }
    records = []
    for figure in FIGURES:
        records.append(str(folder / figure / "stimuli.parquet"))
        spec = spec_of(plan, "draw_figure", suite="illusion_vqa", figure=figure)
        files = {"stimuli": records[-1], "measured": folder / figure / "measured.csv"}
        draw_figure(spec, {}, files, {})
    design = {
        name: root / "resources" / "forms" / file
        for name, file in (
            ("template", "page.html.j2"),
            ("style", "page.css"),
            ("shared", "shared.js"),
            ("script", "page.js"),
        )
    }
    study = SimpleNamespace(folder=folder, plan=plan, tasks={}, pages={}, rows={})
    for form, spec in specs.items():
        study.tasks[form] = folder / "tasks" / f"{form}.parquet"
        study.pages[form] = folder / "forms" / f"{form}-01.html"
        made_from = {"stimuli": records, "shards": [], "responses": [], "grades": [], "files": []}
        listed = {"tasks": study.tasks[form], "pages": folder / f"{form}_pages.csv"}
        list_form_tasks(spec, made_from, listed, {})
        sheets = [folder / "forms" / f"{form}-01.{code}.csv" for code in ("en", "ja")]
        written = {"page": study.pages[form], "sheets": sheets}
        write_form(looks[form], {"tasks": study.tasks[form], **design}, written, {})
        study.rows[form] = list(read_records(study.tasks[form], FORM_TASK))
    return study


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """A page with every kind of field: its file and its tasks."""
    rows = listed(
        [choice_task("one"), words_task("two"), writing_task("three"), rating_task("four")]
    )
    path = tmp_path_factory.mktemp("sample") / "page.html"
    path.write_text(rendered(rows), encoding="utf-8")
    return SimpleNamespace(
        path=path, rows=rows, content=[json.loads(row["content"]) for row in rows]
    )


@pytest.fixture
def read_saved():
    """Read a file that a page saved."""

    def read(path: Path) -> list[dict]:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    return read


@pytest.fixture
def fields():
    """Return the fields of a listed task."""
    return fields_of
