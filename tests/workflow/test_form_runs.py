"""Pages for people in whole runs: written, awaited, answered in a browser, taken in, and what reruns when."""

import csv
import json

import pytest
from browsing import begin, current, go_on, save
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.stimulus import FORM_TASK

STUDY = {
    "models": ["chance"],
    "suites": {
        "illusion_vqa": {
            "illusions": ["fick", "ebbinghaus", "ponzo"],
            "human_filter": {"responses": "forms"},
        }
    },
    "statistics": {"resamples": 500},
}
SUITE = "illusion_vqa"
FORMS = ("actual", "apparent")
LIST = {form: f"Listing the tasks of the form {form} ({SUITE})" for form in FORMS}
WRITE = {form: f"Writing page 01 of the form {form} ({SUITE})" for form in FORMS}
IMPORT = f"Taking in people's answers: responses ({SUITE})"
FILTER = f"Deciding which figures of {SUITE} count"
DECISIONS = f"results/human/{SUITE}_decisions.csv"
ANSWERS = f"results/human/answers/{SUITE}/responses.csv"


class Study(Workspace):
    """A study that waits for people, finished as far as it goes without them."""

    def rows(self, name):
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def tasks(self, form):
        return list(
            read_records(self.folder / f"results/human/tasks/{SUITE}/{form}.parquet", FORM_TASK)
        )

    def page(self, form):
        return self.folder / f"results/human/forms/{SUITE}/{form}-01.html"


@pytest.fixture(scope="module")
def study(drawn_study, tmp_path_factory):
    study = Study.copy(drawn_study, tmp_path_factory.mktemp("forms") / "study")
    study.configure(STUDY)
    study.said = study.run()
    return study


def test_without_answers_the_pages_are_written_and_all_else_is_finished(study):
    for form in FORMS:
        assert study.page(form).is_file()
        for language in ("en", "ja"):
            assert study.page(form).with_suffix(f".{language}.csv").is_file()
    assert {row["source"] for row in study.rows(DECISIONS)} == {"paper"}
    assert (study.folder / "results/tables/genuine_vqa.csv").is_file()
    awaited = [line for line in study.said.splitlines() if "Waiting for people" in line]
    assert len(awaited) == 1
    assert "illusion_vqa (actual, apparent)" in awaited[0]
    assert "human/illusion_vqa/" in awaited[0]
    assert study.planned() == {}


def test_a_button_s_wording_rewrites_the_pages_and_asks_for_no_answer_again(study):
    before = [row["task_checksums"] for row in study.tasks("actual")]
    study.edit("resources/forms/ja.yaml", "^  next: 次へ$", "  next: つぎへ")
    assert set(study.planned()) == set(WRITE.values())
    study.run()
    assert "つぎへ" in study.page("actual").read_text(encoding="utf-8")
    assert [row["task_checksums"] for row in study.tasks("actual")] == before
    assert study.planned() == {}


def test_what_was_deleted_comes_back_as_it_was_because_the_salt_was_kept(study):
    content = {form: study.page(form).read_bytes() for form in FORMS}
    study.page("actual").unlink()
    assert set(study.planned()) == {WRITE["actual"]}
    for path in (study.folder / "results" / "human" / "tasks" / SUITE).glob("apparent*"):
        path.unlink()
    study.page("apparent").with_suffix(".ja.csv").unlink()
    study.run()
    assert {form: study.page(form).read_bytes() for form in FORMS} == content
    assert study.page("apparent").with_suffix(".ja.csv").is_file()


def test_a_page_that_does_not_exist_is_one_sentence(study):
    finished = study.snakemake(f"results/human/forms/{SUITE}/actual-07.html")
    assert finished.returncode != 0
    assert "page '07' does not exist" in finished.stdout
    assert "pages 01 to 01" in finished.stdout


def answer(page, rows, choose):
    begin(page, "p1")
    for row in rows:
        (field,) = json.loads(row["content"])["fields"]
        wanted = field["expected"] if row["attention"] else choose(row, field)
        (option,) = [o["option_id"] for o in field["options"] if o["own_id"] == wanted]
        current(page).locator(f'input[value="{option}"]').check()
        go_on(page)


def test_pages_answered_in_a_browser_decide_what_the_tables_count(study, open_page):
    before = {row["figure"]: row["keep"] for row in study.rows(DECISIONS)}
    assert before == {"fick": "true", "ebbinghaus": "true", "ponzo": "false"}

    def neutral_for_fick(row, field):
        # Somebody whom Fick's figure does not deceive, and all others do.
        options = [option["own_id"] for option in field["options"]]
        figure, _, condition = row["about"]["image_id"].partition("_A_")
        illusory = {"ebbinghaus": "left", "fick": "red", "ponzo": "upper"}[figure]
        assert illusory in options
        return "same" if figure == "fick" or condition == "control_genuine" else illusory

    returned = study.folder / "human" / SUITE
    returned.mkdir()
    for form in FORMS:
        page = open_page(study.page(form))
        answer(page, study.tasks(form), neutral_for_fick)
        save(page, returned)
    planned = study.planned()
    assert {IMPORT, FILTER, "Making the table genuine_vqa"} <= set(planned)
    assert not any(
        job.startswith(("Drawing the stimuli", "Measuring", "Listing")) for job in planned
    )
    said = study.run()
    assert "Waiting" not in said

    decisions = {row["figure"]: (row["keep"], row["source"]) for row in study.rows(DECISIONS)}
    assert decisions == {
        "fick": ("false", "participants"),
        "ebbinghaus": ("true", "participants"),
        "ponzo": ("true", "participants"),
    }
    table = study.rows("results/tables/genuine_vqa.csv")
    chance = next(row for row in table if row["model"] == "chance")
    assert chance["n"] == "4"
    assert study.planned() == {}


def test_a_changed_file_is_taken_in_again_and_nothing_else_if_it_says_the_same(study):
    path = next((study.folder / "human" / SUITE).glob("*.csv"))
    path.write_bytes(path.read_bytes().decode("utf-8-sig").encode("cp932"))
    assert set(study.planned(ANSWERS)) == {IMPORT}
    study.run(ANSWERS)
    assert study.planned() == {}


def test_an_answer_to_what_is_not_on_the_page_stops_the_taking_in_and_loses_nothing(study):
    before = (study.folder / ANSWERS).read_bytes()
    path = next((study.folder / "human" / SUITE).glob("*.csv"))
    whole = path.read_bytes()
    task = study.rows(path.relative_to(study.folder))[1]["task_id"]
    path.write_bytes(whole.replace(task.encode(), b"zzzzzzzzzzzz"))
    finished = study.snakemake(ANSWERS)
    assert finished.returncode != 0
    log = (study.folder / f"results/logs/import_answers/{SUITE}/responses.log").read_text()
    assert f"{path.name}: unknown task 'zzzzzzzzzzzz' in line 3" in log
    path.write_bytes(whole)
    study.run(ANSWERS)
    assert (study.folder / ANSWERS).read_bytes() == before


def test_a_file_of_another_study_stops_the_run_before_anything_is_done(study):
    stray = study.folder / "human" / SUITE / "stray.csv"
    stray.write_text("form_id,task_id\nx,y\n")
    finished = study.snakemake("--dry-run")
    stray.unlink()
    assert finished.returncode != 0
    assert "stray.csv: holds no answer to a form of 'illusion_vqa'" in finished.stdout
    assert "Traceback" not in finished.stdout


def test_a_reworded_question_makes_its_answers_stale_and_they_are_listed(study):
    study.edit(
        "resources/prompts/illusion_vqa.yaml",
        "stem: Which line is longer, the red line or the blue line\\?",
        "stem: Which of the lines is longer, the red line or the blue line?",
    )
    assert LIST["actual"] in study.planned(ANSWERS)
    study.run(ANSWERS)
    report = study.rows(ANSWERS.replace(".csv", "_report.csv"))
    assert {(row["kind"], row["form"]) for row in report} == {("stale_answer", "actual")}
    assert sum(int(row["count"]) for row in report) >= 4
    assert not any(
        "fick" in row["image_id"] and row["question"] == "actual" for row in study.rows(ANSWERS)
    )
