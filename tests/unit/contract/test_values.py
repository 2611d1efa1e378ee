"""A suite's value: what is refused, how parts are named, which stimuli a design has."""

import sys
from dataclasses import dataclass
from types import ModuleType

import pytest

from afterimage import suites
from afterimage.contract import finding
from afterimage.contract.design import Design, Reader, images_digest, questions_digest
from afterimage.contract.finding import load_suite
from afterimage.contract.front import Front, Score
from afterimage.contract.model import Backend
from afterimage.contract.parts import resolve
from afterimage.contract.question import AnswerOf, Option, Question, SingleQuestion, Turn, ask
from afterimage.contract.settings import SuiteSettings, prompts_in_use, schema_of, setting
from afterimage.contract.stimulus import Shown
from afterimage.contract.suite import Chart, Figure, Suite
from afterimage.errors import AfterimageError, Setting
from afterimage.planning.schemas import completed
from afterimage.stages.items import item_row

DESIGN = Design({"count": (1, 2)}, "{figure}_{count}")
ASKED = SingleQuestion("How many?", "integer", options=("1", "2"))


def look(pixels, asked):
    return "2"


look.__module__ = "afterimage.suites.made_up"


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Put a value where a suite of one file, or a folder's, would hold it, and find it."""

    def find(in_folder=False, **fields):
        monkeypatch.setattr(finding, "BUILT_IN", tmp_path)
        name = "afterimage.suites.made_up" + (".suite" if in_folder else "")
        if in_folder:
            (tmp_path / "made_up").mkdir()
            (tmp_path / "made_up" / "suite.py").touch()
        else:
            (tmp_path / "made_up.py").touch()
        module = ModuleType(name)
        module.look = look
        given = {
            "title": "Made up",
            "figures": (Figure("f", DESIGN, look, look),),
            "questions": ASKED,
        }
        monkeypatch.setitem(sys.modules, name, module)
        module.SUITE = Suite(**{**given, **fields})
        return load_suite("made_up")

    return find


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Suite('A')", "suite 'half' has no figures; expected at least one Figure."),
        ("Suite(figurs=())", "suite 'half': no field 'figurs'; nearest: figures."),
        ("Chart('c', ())", "suite 'half': Chart lacks the field 'part'."),
        ("Judge(qq=1)", "suite 'half': Judge: no field 'qq'; expected one of: "),
    ],
)
def test_a_field_that_is_unknown_or_missing_is_one_sentence(tmp_path, monkeypatch, text, sentence):
    (tmp_path / "half.py").write_text(f"from afterimage.contract.suite import *\n{text}\n")
    monkeypatch.setattr(finding, "BUILT_IN", tmp_path)
    monkeypatch.setattr(suites, "__path__", [str(tmp_path)])
    with pytest.raises(AfterimageError) as caught:
        load_suite("half")
    assert str(caught.value).startswith(sentence)


def test_other_errors_of_a_suites_file_stay_what_they_are(tmp_path, monkeypatch):
    (tmp_path / "half.py").write_text("len(1)\n")
    monkeypatch.setattr(finding, "BUILT_IN", tmp_path)
    monkeypatch.setattr(suites, "__path__", [str(tmp_path)])
    with pytest.raises(TypeError, match="len"):
        load_suite("half")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"version": ""}, "suite 'made_up': version is ''; expected a text, such as '1'."),
        ({"version": 2}, "suite 'made_up': version is 2; expected a text, such as '1'."),
        ({"title": ""}, "suite 'made_up' has no title; expected one line."),
        ({"figures": ()}, "suite 'made_up' has no figures; expected at least one Figure."),
        ({"figures": ("f",)}, "suite 'made_up': figures holds a str; expected Figure."),
        (
            {"figures": (Figure("f", DESIGN), Figure("f", DESIGN))},
            "suite 'made_up': two figures are named 'f'; names are file names.",
        ),
        (
            {"tables": ("a.pope", "b.pope")},
            "suite 'made_up': two tables are named 'pope'; names are file names.",
        ),
        ({"charts": "pope"}, "suite 'made_up': charts is a str; expected a tuple of Chart."),
        (
            {"charts": (Chart("c", ("made_upp",), look),)},
            "suite 'made_up': chart 'c': unknown table 'made_upp': did you mean 'made_up'?",
        ),
        (
            {"tables_when": {"made_upp": bool}},
            "suite 'made_up': tables_when: unknown table 'made_upp': did you mean 'made_up'?",
        ),
        (
            {"tables_when": {"made_up": True}},
            "suite 'made_up': tables_when, 'made_up' is a bool; expected a function of settings and people's answers.",
        ),
        (
            {"front": Front((Score("Mean", "made_upp"),))},
            "suite 'made_up': front: unknown table 'made_upp': did you mean 'made_up'?",
        ),
        (
            {"front": Front((Score("Mean", "made_up"),), main="All")},
            "suite 'made_up': front: no score 'All'; expected one of: Mean.",
        ),
        (
            {"front": "made_up"},
            "suite 'made_up': front is a str; expected a Front or a function of the settings.",
        ),
        ({"words": {}}, "suite 'made_up': words is a dict; expected a function."),
        (
            {"settings": dict},
            "suite 'made_up': settings is a type; expected a dataclass below SuiteSettings.",
        ),
        (
            {"observer": "afterimage.nowhere"},
            "suite 'made_up': observer names 'afterimage.nowhere'; expected an existing module.",
        ),
        (
            {"paper": "afterimage.suites.made_up.papers"},
            "suite 'made_up': paper names 'afterimage.suites.made_up.papers'; expected an existing module.",
        ),
        (
            {"paper": look},
            "suite 'made_up': paper is a function; expected the name of a module.",
        ),
        (
            {"observer": lambda pixels: ""},
            "suite 'made_up': observer takes 1 argument; expected pixels and text.",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(load, fields, sentence):
    with pytest.raises(AfterimageError) as error:
        load(**fields)
    assert str(error.value) == sentence


def test_in_one_file_a_job_finds_every_part_by_name(load):
    suite = load(observer=look)
    (figure,) = suite.figures
    assert suite.observer == "afterimage.suites.made_up:look"
    assert figure.design == "afterimage.suites.made_up:SUITE.figures.0.design"
    assert resolve(figure.design) is DESIGN
    assert resolve(suite.questions) is ASKED
    assert resolve(suite.textbook)({}, "cued") == "I cannot tell."
    assert suite.answer_types == ("integer",)


def test_in_a_folder_parts_stand_in_modules_of_their_own_and_all_that_do_not_are_said_at_once(load):
    with pytest.raises(AfterimageError) as error:
        load(in_folder=True)
    assert str(error.value) == (
        "suite 'made_up': values in suite.py: questions, figures.0.design; expected of each the name of a module of "
        "its own, since no job imports suite.py."
    )


def test_a_module_alone_stands_for_the_part_s_usual_name(load):
    suite = load(observer="afterimage.suites.blindtest.seeing:answer")
    assert suite.observer == "afterimage.suites.blindtest.seeing:answer"


def test_a_design_has_every_combination_but_those_that_are_skipped():
    design = Design(
        {"variant": "AB", "strength": (-1, 0.5)},
        "{figure}_{variant}_s{strength:+g}",
        skip=lambda cell: cell["variant"] == "B" and cell["strength"] < 0,
    )
    assert design.ids("x", {}) == ("x_A_s-1", "x_A_s+0.5", "x_B_s+0.5")
    specs = list(design.specs("x", {}))
    assert [spec.stimulus_id for spec in specs] == list(design.ids("x", {}))
    assert specs[0].parameters == {"variant": "A", "strength": -1}
    assert specs[0].factors == {"variant": "A", "strength": "-1"}


def test_a_corrected_question_is_no_other_image():
    images = [Shown("a", "a.png", {"set": "s"}, ("Is it?",))]
    other = [images[0]._replace(questions=("Was it?",))]
    moved = [images[0]._replace(file="b.png")]
    assert images_digest(images) == images_digest(other) != images_digest(moved)
    assert questions_digest(images) != questions_digest(other)
    (shown,) = Reader(lambda figure, settings: images).shown("f", {})
    assert shown.figure == "f"


def test_a_question_becomes_a_complete_item():
    first, second = Shown("a", factors={"x": "1"}, figure="f"), Shown("b", figure="f")
    turns = (*ask(second, "Like this.", first, "And this?"), Turn("assistant", (AnswerOf("a/0"),)))
    question = Question(first, "1/p", turns, "choice", "yes", (Option("yes", "Yes."),), prompt="p")
    item = item_row(question, "made_up", lambda name: {"pixels_sha256": name, "png": b""})
    assert item["item_id"] == "a/1/p"
    assert (item["figure"], item["factors"]) == ("f", {"x": "1"})
    assert [image["pixels_sha256"] for image in item["images"]] == ["b", "a"]
    assert [part["image"] for part in item["messages"][0]["parts"]] == [0, None, 1, None]
    assert item["messages"][1]["parts"] == [{"type": "answer", "text": "a/0", "image": None}]
    assert item["options"] == [{"option_id": "yes", "text": "Yes."}]


@dataclass(frozen=True)
class Settings(SuiteSettings):
    sets: dict[str, str] = setting(description="Folders.", minProperties=1)
    data: str | None = setting(None, "A folder.")
    share: float = setting(0.5, "A share.", minimum=0, maximum=1)
    prompts: list[str] = prompts_in_use(["direct"], "Prompts.")


def test_settings_are_checked_by_what_their_dataclass_says():
    schema = schema_of(Settings, "made_up", "A suite.")
    assert schema["required"] == ["sets"]
    assert completed({"sets": {"a": "b"}}, schema, Setting("c", None)) == {
        "sets": {"a": "b"}, "data": None, "share": 0.5, "prompts": ["direct"],
    }  # fmt: skip
    for wrong, sentence in (
        ({"share": 2}, "c: key 'share': found 2; expected at most 1."),
        ({"data": 3}, "c: key 'data': found 3; expected a text or nothing (null)."),
        ({"shar": 1}, "c: unknown key 'shar': did you mean 'share'?"),
        ({"prompts": []}, "c: key 'prompts': is empty ([]); expected at least 1 entry."),
    ):
        with pytest.raises(AfterimageError) as error:
            completed({"sets": {"a": "b"}, **wrong}, schema, Setting("c", None))
        assert str(error.value) == sentence


def test_settings_are_attributes_and_can_be_chosen_by_name():
    own = Settings(sets={"a": "b"})
    assert {name: own[name] for name in ("share", "data")} == {"share": own.share, "data": None}
    assert list(own) == ["sets", "data", "share", "prompts"]
    with pytest.raises(AttributeError):
        own.share = 1.0


def test_answers_that_depend_on_more_than_the_request_are_never_kept():
    with pytest.raises(ValueError, match="is not journaled"):
        Backend(look, reads_metadata=True)
