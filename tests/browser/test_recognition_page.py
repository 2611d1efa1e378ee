"""The pages about what is recognised are answered in a browser, saved and taken in, and become the tables."""

from typing import NamedTuple

import pandas as pd
import pytest
from browsing import begin, choose, current, go_on, save

from afterimage.files.parquet import read_records
from afterimage.files.stimulus import FORM_TASK
from afterimage.planning.plan import Plan
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Table
from afterimage.stages.all_stages import spec_of
from afterimage.stages.forms import import_answers, list_form_tasks, write_form
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.pope.tables import POPE_RECOGNITION as POPE_TABLE
from afterimage.suites.texture.tables_people import TEXTURE_RECOGNITION as TEXTURE_TABLE


class Case(NamedTuple):
    """A suite with its figure, and what somebody takes for what."""

    suite: str
    figure: str
    settings: dict
    form: str
    table: Table
    thing: str
    mistake: str


CASES = [
    Case("pope", "scenes", {"scenes": 30}, "pope.forms", POPE_TABLE, "ball", "disc"),
    Case(
        "texture", "materials", {}, "texture.forms:Recognition", TEXTURE_TABLE, "wet", "blistered"
    ),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.suite)
def case(request):
    return request.param


@pytest.fixture(scope="module")
def written(root, case, tmp_path_factory):
    """The first page of the form, and its tasks."""
    names = {"suite": case.suite, "form": "recognition"}
    folder = tmp_path_factory.mktemp("recognition")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        suite = {**case.settings, "ask_recognition": True}
        human = {"folder": str(folder / "human")}
        plan = Plan({"models": ["chance"], "human": human, "suites": {case.suite: suite}}, root)
        drawing = spec_of(plan, "draw_figure", suite=case.suite, figure=case.figure)
        listing = spec_of(plan, "list_form_tasks", **names)
        writing = spec_of(plan, "write_form", **names, page="01")
    stimuli = {"stimuli": str(folder / "stimuli.parquet"), "measured": folder / "measured.csv"}
    draw_figure(drawing, {}, stimuli, {})
    made_from = dict.fromkeys(("shards", "responses", "grades", "files"), ())
    made_from["stimuli"] = [stimuli["stimuli"]]
    tasks = folder / "recognition.parquet"
    list_form_tasks(listing, made_from, {"tasks": tasks, "pages": folder / "pages.csv"}, {})
    forms = root / "resources" / "forms"
    design = {"template": "page.html.j2", "style": "page.css"}
    design |= {"shared": "shared.js", "script": "page.js"}
    files = {"tasks": tasks, **{name: forms / file for name, file in design.items()}}
    page = folder / "recognition-01.html"
    sheets = [folder / f"recognition-01.{code}.csv" for code in ("en", "ja")]
    write_form(writing, files, {"page": page, "sheets": sheets}, {})
    rows = [row for row in read_records(tasks, FORM_TASK) if row["page"] == "01"]
    return page, tasks, rows


def wanted(case, row, field):
    """Return what somebody chooses who makes one mistake and recognises all else: the label in English."""
    thing = row["about"].get("thing")
    name = field["expected"] if row["attention"] else {case.thing: case.mistake}.get(thing, thing)
    return next(option["text"]["en"] for option in field["options"] if option["own_id"] == name)


def test_the_page_is_answered_saved_taken_in_and_becomes_the_table(
    open_page, case, written, fields, tmp_path
):
    path, tasks, rows = written
    page = open_page(path)
    begin(page)
    for row in rows:
        (field,) = fields(row)
        choose(page, wanted(case, row, field))
        go_on(page)
    page.get_by_text("You have answered all tasks.").wait_for()
    names = ("answers", "report", "annotators", "agreement")
    outputs = {name: tmp_path / f"{name}.csv" for name in names}
    spec = {
        **{"forms": {"recognition": f"afterimage.suites.{case.form}"}, "other_ids": []},
        **{"result": "recognition", "suite": case.suite},
    }
    files = {"tasks": [tasks], "returned": [save(page, tmp_path)]}
    import_answers(spec, files, outputs, {})
    things = [row["about"]["thing"] for row in rows if not row["attention"]]
    settings = {"confidence": 0.95, case.suite: {"recognition": str(outputs["answers"])}}
    found = frame_of(case.table, pd.DataFrame(), settings).set_index("thing")
    assert found.loc["all", "n"] == len(things)
    count = things.count(case.thing)
    assert count and found.loc["all", "k"] == len(things) - count
    assert found.loc[case.thing, "taken_for"] == f"{case.mistake} {count}"


def test_no_picture_s_thing_is_told_by_the_page(open_page, written, fields):
    path, _, rows = written
    page = open_page(path)
    begin(page)
    (field,) = fields(rows[0])
    shown = [text.strip() for text in current(page).locator(".option .in-en").all_text_contents()]
    assert sorted(shown) == sorted(option["text"]["en"] for option in field["options"])
    source = path.read_text(encoding="utf-8")
    for word in ("recognition", "scenes_0", "_sphere_", '"thing"', "own_id", "look_alike"):
        assert word not in source, word
