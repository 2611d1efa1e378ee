"""The page about silhouettes is answered in a browser, saved and taken in, and becomes the table."""

import pandas as pd
import pytest
from browsing import begin, choose, current, go_on, save

from afterimage.files.form_task import FORM_TASK
from afterimage.files.parquet import read_records
from afterimage.jobs.forms import import_answers, list_form_tasks, write_form
from afterimage.jobs.stimuli import draw_figure
from afterimage.planning.plan import Plan
from afterimage.planning.stages import spec_of
from afterimage.showing.compute import frame_of
from afterimage.suites.pope.forms import recognition
from afterimage.suites.pope.tables.pope_recognition import TABLE

NAMES = {"suite": "pope", "form": "recognition"}


@pytest.fixture(scope="module")
def written(root, tmp_path_factory):
    """The first page of the form, and its tasks."""
    folder = tmp_path_factory.mktemp("recognition")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        pope = {"scenes": 30, "ask_recognition": True}
        human = {"folder": str(folder / "human")}
        plan = Plan({"models": ["chance"], "human": human, "suites": {"pope": pope}}, root)
        drawing = spec_of(plan, "draw_figure", suite="pope", figure="scenes")
        listing = spec_of(plan, "list_form_tasks", **NAMES)
        writing = spec_of(plan, "write_form", **NAMES, page="01")
    stimuli = {"stimuli": str(folder / "stimuli.parquet"), "measured": folder / "measured.csv"}
    draw_figure(drawing, {}, stimuli, {})
    made_from = dict.fromkeys(("shards", "responses", "grades", "files"), ())
    made_from["stimuli"] = [stimuli["stimuli"]]
    tasks = folder / "recognition.parquet"
    list_form_tasks(listing, made_from, {"tasks": tasks, "pages": folder / "pages.csv"}, {})
    forms = root / "resources" / "forms"
    design = {"template": "page.html.j2", "style": "page.css", "script": "page.js"}
    files = {"tasks": tasks, **{name: forms / file for name, file in design.items()}}
    page = folder / "recognition-01.html"
    sheets = [folder / f"recognition-01.{code}.csv" for code in ("en", "ja")]
    write_form(writing, files, {"page": page, "sheets": sheets}, {})
    own = [row for row in read_records(tasks, FORM_TASK) if row["page"] == "01"]
    return page, tasks, own


def wanted(row, field):
    """Return what somebody chooses who takes every ball for a disc and recognises all else: the label in English."""
    thing = row["about"].get("thing")
    name = field["expected"] if row["attention"] else "disc" if thing == "ball" else thing
    return next(option["text"]["en"] for option in field["options"] if option["own_id"] == name)


def test_the_page_is_answered_saved_taken_in_and_becomes_the_table(
    open_page, written, fields, tmp_path
):
    path, tasks, rows = written
    page = open_page(path)
    begin(page)
    for row in rows:
        (field,) = fields(row)
        choose(page, wanted(row, field))
        go_on(page)
    assert page.get_by_text("You have answered all tasks.").is_visible()
    names = ("answers", "report", "annotators", "agreement")
    outputs = {name: tmp_path / f"{name}.csv" for name in names}
    spec = {
        **{"forms": {"recognition": recognition.__name__}, "other_ids": []},
        **{"result": "recognition", "suite": "pope"},
    }
    files = {"tasks": [tasks], "returned": [save(page, tmp_path)]}
    import_answers(spec, files, outputs, {})
    asked = [row["about"]["thing"] for row in rows if not row["attention"]]
    settings = {"confidence": 0.95, "pope": {"recognition": str(outputs["answers"])}}
    found = frame_of(TABLE, pd.DataFrame(), settings).set_index("thing")
    assert found.loc["all", "n"] == len(asked)
    assert found.loc["all", "k"] == len(asked) - asked.count("ball")
    assert asked.count("ball") and found.loc["ball", "taken_for"] == f"disc {asked.count('ball')}"


def test_no_picture_s_thing_is_told_by_the_page(open_page, written, fields):
    path, _, rows = written
    page = open_page(path)
    begin(page)
    (field,) = fields(rows[0])
    shown = [text.strip() for text in current(page).locator(".option .in-en").all_text_contents()]
    assert sorted(shown) == sorted(option["text"]["en"] for option in field["options"])
    source = path.read_text(encoding="utf-8")
    for told in ("recognition", "scenes_0", '"thing"', "own_id", "look"):
        assert told not in source, told
