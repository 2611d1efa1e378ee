"""Which forms a study has, and which files have come back."""

from pathlib import Path

import pytest
from form_samples import FORMS

from afterimage.contract.suite import Figure, Form, Suite
from afterimage.errors import AfterimageError
from afterimage.people.forms.tasks import make_salt, opaque_id
from afterimage.planning.human_forms import HumanForms
from afterimage.planning.plan import Plan
from afterimage.planning.suites import StudySuite
from afterimage.stages.forms import answers_spec, page_spec, tasks_spec

SETTINGS = {"folder": "human", "languages": [], "batch_size": 30, "attention": 0.05}
NAMED = (
    Form("actual", "responses", "forms.actual", ("stimuli",)),
    Form("apparent", "responses", "forms.apparent", ("stimuli",)),
    Form(
        "review", "review", "forms.review", ("items", "files"), files=lambda settings, people: ["x"]
    ),
)


@pytest.fixture(autouse=True)
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def suite(name, *forms):
    value = Suite("A suite", (Figure("f", "design"),), "questions", forms=lambda settings: forms)
    return StudySuite(name, value, {})


def plan(forms=NAMED, settings=SETTINGS):
    return HumanForms(settings, {"illusion_vqa": suite("illusion_vqa", *forms)}, FORMS)


def came_back(name, *forms, encoding="utf-8", text=""):
    salt = make_salt("human")
    path = Path("human/illusion_vqa") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    ids = "\n".join(opaque_id(salt, "illusion_vqa", form) for form in forms)
    path.write_bytes(f"{text}{ids}".encode(encoding))


def test_a_suite_without_forms_has_none():
    human = HumanForms(SETTINGS, {"x": suite("x")}, FORMS)
    assert human.names == []
    assert human.awaited() == []
    assert human.results("x") == {}


def test_nothing_has_come_back_is_a_normal_state_said_in_one_sentence():
    human = plan()
    assert human.results("illusion_vqa") == {}
    (sentence,) = human.awaited()
    assert "illusion_vqa (actual, apparent, review)" in sentence
    assert "human/illusion_vqa/" in sentence
    assert "\n" not in sentence


def test_each_suite_that_waits_has_a_line_of_its_own(root):
    """A run prints no line above 200 characters."""
    forms = {"forms": ["vqa", "description_scores", "review"]}
    suites = {"illusion_vqa": {}, "texture": {}, "illusionbench": {"pages": forms}}
    lines = Plan({"models": ["chance"], "suites": suites}, root).forms.awaited()
    assert [name in line for name, line in zip(suites, lines, strict=True)] == [True] * 3
    assert max(map(len, lines)) <= 200


def test_a_form_that_turned_out_to_have_no_task_is_not_waited_for(study):
    listed = study / "results" / "human" / "tasks" / "illusion_vqa" / "review_pages.csv"
    listed.parent.mkdir(parents=True)
    listed.write_text("page,tasks,page_checksum\n")
    assert "(actual, apparent)" in plan().awaited()[0]
    listed.write_text("page,tasks,page_checksum\n01,3,bcdfghjkmnpq\n")
    assert "(actual, apparent, review)" in plan().awaited()[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
def test_files_find_their_forms_whatever_excel_wrote(encoding):
    came_back("x.csv", "actual", encoding=encoding, text="回答\n")
    human = plan()
    assert human.returned["illusion_vqa", "actual"] == ["human/illusion_vqa/x.csv"]
    assert human.returned["illusion_vqa", "apparent"] == []
    assert human.results("illusion_vqa") == {
        "responses": "<results>/human/answers/illusion_vqa/responses.csv"
    }
    assert human.result_forms("illusion_vqa", "responses") == ["actual"]
    assert "(apparent, review)" in human.awaited()[0]


def test_a_file_with_answers_to_two_forms_goes_to_both_and_into_a_result_once():
    came_back("x.csv", "actual", "apparent", "review")
    human = plan()
    assert human.result_files("illusion_vqa", "responses") == ["human/illusion_vqa/x.csv"]
    assert human.result_files("illusion_vqa", "review") == ["human/illusion_vqa/x.csv"]
    assert human.awaited() == []


def test_files_may_lie_in_folders_and_what_a_spreadsheet_left_lying_is_passed_over():
    came_back("week 1/x.csv", "actual")
    came_back("~$x.csv", "actual")
    came_back(".x.csv.swp.csv", "actual")
    came_back("notes.md", "actual")
    assert plan().returned["illusion_vqa", "actual"] == ["human/illusion_vqa/week 1/x.csv"]


def test_a_file_of_another_study_is_refused_at_once():
    came_back("x.csv", text="form_id\nkkkkkkkkkkkk\n")
    with pytest.raises(
        AfterimageError, match=r"x\.csv: holds no answer to a form of 'illusion_vqa'"
    ):
        _ = plan().returned


def test_a_workbook_is_refused_with_what_to_do():
    came_back("x.xlsx", "actual")
    with pytest.raises(AfterimageError, match=r"x\.xlsx: is a workbook; expected it saved as CSV"):
        _ = plan().returned


def test_files_without_the_salt_of_their_pages_are_refused(study):
    came_back("x.csv", "actual")
    (study / "human" / "salt.txt").unlink()
    with pytest.raises(
        AfterimageError, match=r"x\.csv has come back, but human/salt\.txt is missing"
    ):
        _ = plan().returned


def test_what_people_did_may_not_lie_below_results():
    with pytest.raises(AfterimageError, match=r"human\.folder.*below results"):
        plan(settings={**SETTINGS, "folder": "results/people"})


def test_all_languages_are_shown_with_english_first_unless_named():
    assert plan().languages == ["en", "ja"]
    assert plan(settings={**SETTINGS, "languages": ["ja"]}).languages == ["ja"]


def test_an_unknown_input_of_a_form_is_named():
    with pytest.raises(AfterimageError, match="form 'x' of 'illusion_vqa': unknown input 'image'"):
        plan(forms=[Form("x", "y", "forms.x", ("image",))])


def test_an_unknown_form_is_named():
    with pytest.raises(AfterimageError, match=r"unknown form 'actuall'.*'actual'"):
        plan().reads("illusion_vqa", "actuall", "items")


def test_figures_and_files_are_asked_for_where_the_form_reads_them():
    human = plan()
    assert human.figures("illusion_vqa", "actual", ["fick", "ponzo"]) == ["fick", "ponzo"]
    assert human.figures("illusion_vqa", "review", ["fick"]) == []
    assert human.files("illusion_vqa", "review") == ["x"]
    assert human.files("illusion_vqa", "actual") == []


def test_a_button_s_wording_changes_pages_and_no_task():
    human = plan()
    spec = tasks_spec(human, suite("illusion_vqa", *NAMED), "actual")
    assert "next" not in str(spec["instructed"])
    assert page_spec(human, "illusion_vqa", "actual")["page"]["en"]["next"] == "Next"


def test_rows_of_other_results_are_known_by_their_forms():
    came_back("x.csv", "actual")
    spec = answers_spec(plan(), "illusion_vqa", "responses")
    assert spec["forms"] == {"actual": "forms.actual"}
    assert spec["other_ids"] == [opaque_id(make_salt("human"), "illusion_vqa", "review")]
