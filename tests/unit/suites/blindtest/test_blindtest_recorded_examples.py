"""Others' recorded answers beside the images of this suite that are like the authors'."""

import pytest
from studies import plain_study

from afterimage.planning.example_page import files_of_others
from afterimage.planning.plan import Plan
from afterimage.planning.stages import begin_of, spec_of
from afterimage.suites.blindtest import recorded as others
from afterimage.suites.blindtest.names import FACTORS, TASKS
from afterimage.suites.blindtest.recorded import grades

SETTINGS = {"release": "v1", "tasks": list(TASKS)}
SQUARES = {"subtask": "depth_3", "canvas": "1000", "depth": "3", "line_width": "2"}
LETTER = {
    **{"subtask": "Acknowledgement", "word": "Acknowledgement", "letter_index": "8"},
    **{"canvas": "512", "font": "LiberationSans", "padding": "25", "line_width": "4"},
}


@pytest.fixture
def answers(root):
    folder = str(root / "resources" / "recorded" / "blindtest")
    return lambda *items, **more: others.answers(items, folder, SETTINGS | more)


@pytest.fixture(scope="session")
def recorded(root):
    return grades(str(root / "resources" / "recorded" / "blindtest"), SETTINGS)


def item(factors, figure="nested_squares", prompt="nested_count_plain", key="3", name="i"):
    return {
        "item_id": name,
        "figure": figure,
        "prompt": prompt,
        "key": key,
        "factors": {"task": figure, "release": "both", "base_figure": "ours", **factors},
    }


def test_the_answers_are_those_to_one_image_of_the_same_parameters(answers, recorded):
    (found,) = answers(item(SQUARES)).values()
    models = [answer.model for answer in found]
    assert models == [
        "GPT-4o (recorded)",
        "Gemini-1.5 Pro (recorded)",
        "Claude 3 Sonnet (recorded)",
    ]
    alike = recorded[recorded["subtask"].eq("depth_3") & recorded["line_width"].eq("2")]
    shown = [(answer.text, answer.verdict) for answer in found]
    of_images = [
        [(row.answer, "right" if row.correct else "wrong") for row in image.itertuples()]
        for _, image in alike.groupby("stimulus_id")
    ]
    assert len(of_images) == 10 and shown in of_images


def test_images_whose_answers_are_public_come_first_and_two_items_have_two_images(answers):
    items = [item(SQUARES, name=str(number)) for number in range(11)]
    found = answers(*items)
    known = [all(answer.text is not None for answer in found[str(n)]) for n in range(10)]
    assert known == sorted(known, reverse=True) and any(known) and not all(known)
    # There are ten images: the eleventh item has the first one's again.
    assert found["10"] == found["0"]


def test_what_was_answered_chooses_nothing(answers, monkeypatch):
    before = answers(item(SQUARES))["i"]

    def reversed_verdicts(folder, settings):
        found = grades(folder, settings)
        return found.assign(correct=~found["correct"])

    monkeypatch.setattr(others, "grades", reversed_verdicts)
    after = answers(item(SQUARES))["i"]
    other = {"right": "wrong", "wrong": "right"}
    assert [(one.text, other[one.verdict]) for one in before] == [
        (one.text, one.verdict) for one in after
    ]


def test_every_parameter_is_the_same(answers):
    asked = {"figure": "circled_letter", "prompt": "letter_circled", "key": "d"}
    assert answers(item(LETTER, **asked))
    assert answers(item(LETTER | {"font": "OpenSans"}, **asked))
    assert not answers(item(LETTER | {"font": "another"}, **asked))
    for other in ({"padding": "26"}, {"line_width": "9"}, {"letter_index": "0"}, {"canvas": "99"}):
        assert not answers(item(LETTER | other, **asked)), other
    assert not answers(item(LETTER, **asked | {"key": "e"}))
    assert not answers(item(LETTER, **asked | {"prompt": "letter_circled_es"}))


def test_layout_and_size_of_shapes_may_differ(answers):
    shapes = {
        **{"subtask": "pentagons", "canvas": "769x770", "count": "7", "colour": "black"},
        **{"size": "0.0625", "layout": "top_longer", "line_width": "1"},
    }
    assert answers(item(shapes, figure="olympic_shapes", prompt="shapes_count", key="7"))


def test_a_task_of_which_nothing_is_recorded_has_no_answers(answers):
    factors = dict.fromkeys(("subtask", "canvas", *FACTORS["subway"]), "1")
    asked = item(factors, figure="subway", prompt="subway_count", key="1")
    assert answers(asked, tasks=["nested_squares"]) == {}


@pytest.mark.parametrize("named", ["shipped", "none"])
def test_the_page_depends_on_them_only_where_the_study_shows_them(root, monkeypatch, named):
    monkeypatch.chdir(root)
    study = plain_study(ledger={"recorded": {"blindtest": named}})
    plan = Plan(study, root)
    spec = spec_of(plan, "draw_examples", page="blindtest_examples")
    code = begin_of(plan, "draw_examples", page="blindtest_examples")
    assert ("recorded" in spec) == (named == "shipped")
    assert any("blindtest.recorded:NOTE" in name for name in code) == (named == "shipped")
    assert bool(files_of_others(plan, "blindtest_examples")) == (named == "shipped")
    assert not files_of_others(plan, "illusionbench_examples")
