"""Listing tasks, writing pages, taking in what came back: from files to files."""

import csv
import sys
from types import SimpleNamespace

import pytest
from form_samples import (
    FORMS,
    LANGUAGES,
    answered,
    as_csv,
    choice_task,
    fields_of,
    form_module,
    page_spec,
    tasks_spec,
)

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records
from afterimage.files.stimulus import FORM_TASK
from afterimage.people.forms.tasks import opaque_id, read_salt
from afterimage.stages.forms import check_returned, import_answers, list_form_tasks, write_form

DESIGN = {
    "template": FORMS / "page.html.j2",
    "style": FORMS / "page.css",
    "shared": FORMS / "shared.js",
    "script": FORMS / "page.js",
}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A form of twelve tasks on two pages, listed and written."""
    module = form_module([choice_task(f"t{number}") for number in range(12)])
    monkeypatch.setitem(sys.modules, "surfaces", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "surfaces.verify", module)
    spec = tasks_spec(folder=str(tmp_path / "human"), batch_size=6, attention=0.05)
    tasks = tmp_path / "tasks" / "surfaces" / "verify.parquet"
    made_from = dict.fromkeys(("stimuli", "shards", "responses", "grades", "files"), ())
    listed = {"tasks": tasks, "pages": tmp_path / "pages.csv"}
    number = list_form_tasks(spec, made_from, listed, {})
    return SimpleNamespace(
        folder=tmp_path,
        module=module,
        number=number,
        rows=list(read_records(tasks, FORM_TASK)),
        tasks=tasks,
    )


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def option(place):
    return lambda row, field: field["options"][place]["option_id"]


def test_pages_are_listed_with_their_number_of_tasks(study):
    assert study.number == len(study.rows) == 14
    pages = read(study.folder / "pages.csv")
    assert [(row["page"], row["tasks"]) for row in pages] == [("01", "7"), ("02", "7")]
    assert {row["page_checksum"] for row in pages} == {r["page_checksum"] for r in study.rows}


def test_the_salt_is_kept_outside_the_tasks(study):
    salt = read_salt(study.folder / "human")
    assert study.rows[0]["form_id"] == opaque_id(salt, "surfaces", "verify")
    assert salt.encode() not in study.tasks.read_bytes()


def write(study, page, folder="forms"):
    html = study.folder / folder / f"verify-{page}.html"
    sheets = {code: html.with_suffix(f".{code}.csv") for code in LANGUAGES}
    spec = {**page_spec(), "number": page, "languages": list(sheets)}
    files = {"page": html, "sheets": list(sheets.values())}
    write_form(spec, {"tasks": study.tasks, **DESIGN}, files, {})
    return html, sheets


def test_a_page_and_its_sheets_hold_the_same_tasks(study):
    html, sheets = write(study, "02")
    text = html.read_text(encoding="utf-8")
    for row in study.rows:
        assert (row["task_id"] in text) == (row["page"] == "02")
    for path in sheets.values():
        with path.open(encoding="utf-8-sig", newline="") as file:
            ids = [line["task_id"] for line in csv.DictReader(file)]
        assert ids == [row["task_id"] for row in study.rows if row["page"] == "02"]


def test_writing_twice_gives_the_same_bytes(study):
    assert write(study, "01")[0].read_bytes() == write(study, "01", "again")[0].read_bytes()


def test_a_page_that_does_not_exist_is_named_with_those_that_do(study):
    with pytest.raises(AfterimageError, match=r"page '03' does not exist.*pages 01 to 02"):
        write(study, "03")


def returned(study, name, rows):
    path = study.folder / name
    path.write_text(as_csv(rows), encoding="utf-8")
    return path


def take_in(study, *files):
    outputs = {
        name: study.folder / f"{name}.csv"
        for name in ("answers", "report", "annotators", "agreement")
    }
    spec = {
        "forms": {"verify": "surfaces.verify"},
        "other_ids": ["other"],
        "result": "votes",
        "suite": "surfaces",
    }
    sentence = import_answers(spec, {"tasks": [study.tasks], "returned": files}, outputs, {})
    return sentence, {name: read(path) for name, path in outputs.items()}


def test_two_careful_people_and_a_careless_one_are_told_apart(study):
    def careful(row, field):
        if row["attention"]:
            return next(
                o["option_id"] for o in field["options"] if o["own_id"] == field["expected"]
            )
        return field["options"][int(row["own_id"][1:]) % 3]["option_id"]

    def careless(row, field):
        # The same always; where a check asks for just that, another.
        options = {o["own_id"]: o["option_id"] for o in field["options"]}
        return options["right" if field["expected"] == "left" else "left"]

    files = [
        returned(study, f"{name}.csv", answered(study.rows, choose, annotator=name))
        for name, choose in (("p1", careful), ("p2", careful), ("p3", careless))
    ]
    sentence, made = take_in(study, *files)
    assert (
        "36 answers of 3 people in 3 files; not counted: none; careless: 1 of 3 (33.3%)" in sentence
    )
    assert "\n" not in sentence
    assert len(made["answers"]) == 36
    assert {row["annotator_id"]: row["careless"] for row in made["annotators"]} == {
        "p1": "false", "p2": "false", "p3": "true"
    }  # fmt: skip
    assert made["annotators"][2]["reason"] == (
        "failed 2 of 2 attention checks; the same answer in 100.0% of 12"
    )
    assert 0 < float(made["agreement"][0]["fleiss_kappa"]) < 1
    assert 0 < float(made["agreement"][0]["krippendorff_alpha"]) < 1


def test_what_does_not_count_is_in_the_report_with_file_and_lines(study):
    rows = answered(study.rows, option(0))
    rows[0]["answer"] = ""
    rows[1]["answer"] = "nonsense"
    rows[2]["task_checksum"] = "older"
    again = answered(study.rows[3:4], option(1), answered_at="2025-07-01T00:00:00Z")
    files = [returned(study, "a.csv", rows), returned(study, "b.csv", again)]
    sentence, made = take_in(study, *files)
    assert "not counted: 1 blank, 1 duplicate, 1 stale, 1 unreadable" in sentence
    found = {(row["kind"], row["file"].rpartition("/")[2], row["lines"]) for row in made["report"]}
    assert found == {
        ("blank_answer", "a.csv", "line 2"),
        ("unreadable_answer", "a.csv", "line 3"),
        ("stale_answer", "a.csv", "line 4"),
        ("duplicate_answer", "a.csv", "line 5"),
    }


def test_rows_of_the_suite_s_other_forms_are_left_to_their_own_result(study):
    rows = answered(study.rows, option(0))
    rows.append({**rows[0], "form_id": "other", "task_id": "elsewhere"})
    sentence, made = take_in(study, returned(study, "both.csv", rows))
    assert "not counted: none" in sentence
    assert len(made["answers"]) == 12


def test_a_sheet_that_nobody_filled_in_is_nobody_s_answers(study):
    _, sheets = write(study, "01")
    sentence, made = take_in(study, sheets["ja"])
    assert sentence == (
        "surfaces, votes: 0 answers of 0 people in 1 file; not counted: 7 blank; careless: 0 of 0."
    )
    assert made["answers"] == made["agreement"] == []


def test_a_file_that_cannot_be_read_leaves_earlier_results_alone(study):
    take_in(study, returned(study, "a.csv", answered(study.rows, option(0))))
    before = (study.folder / "answers.csv").read_bytes()
    rows = answered(study.rows, option(0))
    rows[5]["task_id"] = "kkkkkkkkkkkk"
    with pytest.raises(AfterimageError, match=r"b\.csv: unknown task 'kkkkkkkkkkkk' in line 7"):
        take_in(study, returned(study, "b.csv", rows))
    assert (study.folder / "answers.csv").read_bytes() == before


def test_checking_says_the_same_and_writes_nothing(study):
    path = returned(study, "a.csv", answered(study.rows, option(0)))
    before = sorted(study.folder.rglob("*"))
    sentence, report, annotators = check_returned([study.tasks], [path])
    assert sentence.startswith(
        "12 answers of 1 person in 1 file; not counted: none; careless: 1 of 1"
    )
    assert report == []
    assert len(annotators) == 1
    assert sorted(study.folder.rglob("*")) == before


def test_the_command_prints_the_sentence_and_on_the_other_channel_what_is_wrong(study, capsys):
    rows = answered(study.rows, option(0))
    rows[1]["answer"] = "nonsense"
    path = returned(study, "a.csv", rows)
    assert main(["human", "check", str(path), "--tasks", str(study.folder / "tasks")]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    assert "1 unreadable" in printed.out
    assert "a.csv, line 3: unreadable answer" in printed.err
    assert "p1 (verify): " in printed.err


def test_the_command_fails_in_one_sentence(study, capsys):
    path = returned(study, "a.csv", [{**answered(study.rows, option(0))[0], "form_id": "x"}])
    assert main(["human", "check", str(path), "--tasks", str(study.folder / "tasks")]) == 1
    assert "a.csv: unknown form 'x' in line 2" in capsys.readouterr().err
    assert main(["human", "check", str(path), "--tasks", str(study.folder / "nowhere")]) == 1
    assert "holds no tasks" in capsys.readouterr().err


def test_forms_that_share_a_result_must_agree_on_its_columns(study, monkeypatch):
    other = form_module([choice_task("x")])
    other.COLUMNS = ("only",)
    monkeypatch.setitem(sys.modules, "surfaces.judge", other)
    forms = {"verify": "surfaces.verify", "judge": "surfaces.judge"}
    spec = {"forms": forms, "other_ids": [], "result": "votes", "suite": "surfaces"}
    with pytest.raises(AfterimageError, match="share the result 'votes', but their COLUMNS differ"):
        import_answers(spec, {"tasks": [study.tasks], "returned": []}, {}, {})


def test_every_field_of_every_task_is_on_exactly_one_page(study):
    ids = [field["field_id"] for row in study.rows for field in fields_of(row)]
    assert len(ids) == len(set(ids)) == 14
