"""A whole form is answered in a browser, saved, taken in, and decides."""

import functools
import http.server
import threading
from importlib import import_module
from itertools import pairwise

import pytest
from browsing import begin, choose, current, go_on, reload, save, task_number

from afterimage.files.human_responses import kept_figures
from afterimage.stages.all_stages import spec_of
from afterimage.stages.forms import import_answers
from afterimage.stages.human_filter import apply_human_filter
from afterimage.suites.illusion_vqa.prompt_file import load_prompts, render

#: What both forms are made by.
FORM = "afterimage.suites.illusion_vqa.forms"


def wanted(bank, row, field):
    """Return what somebody who sees what the illusions suggest chooses: the label in English."""
    if row["attention"]:
        name = field["expected"]
    else:
        figure, _, condition = row["about"]["image_id"].partition("_A_")
        entry = bank["figures"][figure]["wordings"]["default"]
        same = condition == "control_genuine"
        name = entry["neutral"] if same else entry["illusory"]["A"]
    return next(o["text"]["en"] for o in field["options"] if o["own_id"] == name)


@pytest.fixture(scope="module")
def bank(root):
    return load_prompts(root / "resources" / "prompts" / "illusion_vqa.yaml")


def answer_all(page, rows, bank, fields, code="abc12"):
    """Answer a page as a person does, closing and reopening it in the middle."""
    begin(page, code)
    for row in rows:
        assert task_number(page) == row["order"]
        (field,) = fields(row)
        choose(page, wanted(bank, row, field))
        if row["order"] == len(rows) // 2:
            reload(page)
            assert task_number(page) == row["order"]
            assert (
                page.locator("#progress-text").inner_text()
                == f"{row['order']} of {len(rows)} answered"
            )
            assert current(page).get_by_role("radio", checked=True).count() == 1
        go_on(page)


def test_a_form_is_answered_interrupted_saved_taken_in_and_decides(
    open_page, illusion_study, bank, fields, read_saved, tmp_path
):
    study, files = illusion_study, []
    for form in ("actual", "apparent"):
        page = open_page(study.pages[form])
        answer_all(page, study.rows[form], bank, fields)
        page.get_by_text("You have answered all tasks.").wait_for()
        files.append(save(page, tmp_path))
        page.locator("#downloaded", has_text="Saved as answers-").wait_for()
    rows = read_saved(files[0])
    assert [int(row["order"]) for row in rows] == list(range(1, 10))
    assert all(row["annotator_id"] == "abc12" and row["answer"] for row in rows)

    outputs = {
        name: tmp_path / f"{name}.csv" for name in ("answers", "report", "annotators", "agreement")
    }
    spec = {
        "forms": dict.fromkeys(("actual", "apparent"), FORM),
        "other_ids": [], "result": "responses", "suite": "illusion_vqa",
    }  # fmt: skip
    sentence = import_answers(
        spec, {"tasks": list(study.tasks.values()), "returned": files}, outputs, {}
    )
    assert "16 answers of 1 person in 2 files; not counted: none; careless: 0 of 1" in sentence

    names = ("figures", "images", "ignored", "decisions", "people")
    filtered = {name: tmp_path / f"{name}.csv" for name in names}
    settings = {
        **spec_of(study.plan, "apply_human_filter", suite="illusion_vqa"),
        "paper_drops": [],
        "participants": ["abc12"],
    }
    apply_human_filter(settings, {"responses": [outputs["answers"]]}, filtered, {})
    assert kept_figures(filtered["decisions"]) == {"fick", "ebbinghaus"}
    assert filtered["ignored"].read_text().count("\n") == 1


def test_every_question_is_the_prompt_file_s_for_its_figure(
    open_page, illusion_study, bank, fields
):
    rows = illusion_study.rows["apparent"]
    page = open_page(illusion_study.pages["apparent"])
    for row in rows:
        if row["attention"]:
            continue
        figure = row["about"]["image_id"].partition("_A_")[0]
        stem, options = render(bank, figure, "A", "apparent")
        section = page.locator(f"#task-{row['order']}")
        assert section.locator("legend .in-en").text_content() == stem
        shown = section.locator(".option .in-en").all_text_contents()
        assert shown == [text for _, text in options]


def test_twins_do_not_follow_each_other(illusion_study):
    for rows in illusion_study.rows.values():
        figures = [row["about"].get("image_id", "check").split("_")[0] for row in rows]
        assert all(one != two for one, two in pairwise(figures))


NAMES = (
    "illusion", "fick", "ebbinghaus", "genuine", "fake", "control", "not_parallel",
    "neutral", "expected", "attention", "actual-", "salt", "/actual", "own_id", "chance",
)  # fmt: skip


@pytest.mark.parametrize("form", ["actual", "apparent"])
def test_neither_source_nor_storage_nor_file_tells_what_is_what(
    open_page, illusion_study, bank, fields, tmp_path, form
):
    page = open_page(illusion_study.pages[form])
    answer_all(page, illusion_study.rows[form], bank, fields)
    told = {
        "source": illusion_study.pages[form].read_text(encoding="utf-8"),
        "document": page.content(),
        "storage": page.evaluate("JSON.stringify(Object.entries(localStorage))"),
        "file": (saved := save(page, tmp_path)).read_text(encoding="utf-8-sig"),
        "file name": saved.name,
        "sheet": (illusion_study.folder / "forms" / f"{form}-01.en.csv").read_text(
            encoding="utf-8"
        ),
    }
    for place, text in told.items():
        # Pictures are long runs of letters in which any short word may stand by chance.
        for name in NAMES:
            assert name not in strip_pictures(text).lower(), (place, name)
        for row in illusion_study.rows[form]:
            for field in fields(row):
                for option in field["options"]:
                    assert f'"{option["own_id"]}"' not in text, place


def strip_pictures(text):
    parts = text.split("data:image/png;base64,")
    return parts[0] + "".join(part.partition('"')[2] for part in parts[1:])


def test_the_same_option_has_another_id_in_every_task(illusion_study, fields):
    ids = [
        option["option_id"]
        for rows in illusion_study.rows.values()
        for row in rows
        for field in fields(row)
        for option in field["options"]
    ]
    assert len(ids) == len(set(ids))


def test_the_page_works_from_a_static_web_server(open_page, illusion_study, tmp_path):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    handler = functools.partial(Quiet, directory=str(illusion_study.pages["actual"].parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = open_page(f"http://127.0.0.1:{server.server_port}/actual-01.html")
        begin(page)
        current(page).get_by_role("radio").first.check()
        reload(page)
        assert page.locator("#progress-text").inner_text() == "1 of 9 answered"
        assert current(page).locator("img").evaluate("image => image.naturalWidth") == 672
        server.shutdown()


def test_the_forms_module_returns_what_the_filter_reads():
    assert import_module(FORM).COLUMNS == ("participant_id", "image_id", "question", "option_id")
