"""The page on which people say what a silhouette shows: its pictures and options, and the table of the answers."""

import numpy as np
import pandas as pd
import pytest
from pope_material import settings

from afterimage.contract.task import Answer
from afterimage.files.png import decode_png
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts, form_texts
from afterimage.items.recognition import CANNOT_TELL, COLUMNS, ELSE
from afterimage.planning.plan import Plan
from afterimage.showing.tables.compute import frame_of
from afterimage.stages.all_stages import spec_of
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.pope import forms, suite
from afterimage.suites.pope.scene import _DRAWN, COLOURS
from afterimage.suites.pope.tables import POPE_RECOGNITION

STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1}


@pytest.fixture(scope="module")
def texts(root):
    return Texts(form_texts(root / "resources" / "forms", ("en", "ja"), "pope", "recognition"))


@pytest.fixture(scope="module")
def tasks(root, texts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = Plan({"models": ["chance"], "suites": {"pope": {"scenes": 30}}}, root)
        spec = spec_of(plan, "draw_figure", suite="pope", figure="scenes")
    files = {"stimuli": str(folder / "stimuli.parquet"), "measured": folder / "measured.csv"}
    draw_figure(spec, {}, files, {})
    return list(forms.tasks(Inputs(stimuli=(files["stimuli"],)), {}, texts))


def answer(task, said, who="p1"):
    (field,) = task.fields
    return Answer(who, "recognition", task.id, field.id, said, task.about)


def test_every_class_that_is_drawn_is_asked_about_at_its_smallest_and_its_largest(tasks):
    sizes = {}
    for task in tasks:
        (png,) = task.images
        sizes.setdefault(task.about["thing"], []).append(decode_png(png, task.id).shape[:2])
    assert set(sizes) == set(_DRAWN) == set(forms.LOOK_ALIKES)
    # 30 scenes have one moon.
    assert {name for name, shapes in sizes.items() if len(shapes) != 2} == {"moon"}
    assert all(np.prod(shapes[0]) <= np.prod(shapes[-1]) for shapes in sizes.values())
    assert any(np.prod(shapes[0]) < np.prod(shapes[-1]) / 1.5 for shapes in sizes.values())


def test_a_picture_shows_the_one_object_in_its_own_pixels(tasks):
    for task in tasks:
        pixels = decode_png(task.images[0], task.id)
        inked = {tuple(colour) for colour in np.unique(pixels.reshape(-1, 3), axis=0).tolist()}
        assert len(inked & {(one.red, one.green, one.blue) for one in COLOURS.values()}) == 1
        # Nothing of the object or of another is cut by the edge.
        edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
        assert len(np.unique(edge, axis=0)) == 1, task.id


def test_the_right_name_stands_among_look_alikes_other_classes_and_cannot_tell(tasks):
    for task in tasks:
        (field,) = task.fields
        names = [option.id for option in field.options]
        thing = task.about["thing"]
        assert {thing, *forms.LOOK_ALIKES[thing], ELSE, CANNOT_TELL} < {*names}
        assert len(names) == len({*names}) == 8 and field.shuffle
        assert all(set(option.text) == {"en", "ja"} for option in field.options)
        for language in ("en", "ja"):
            assert len({option.text[language] for option in field.options}) == 8


def test_what_comes_back_says_whether_the_thing_was_recognised(tasks):
    (task, *_) = [one for one in tasks if one.about["thing"] == "ball"]
    said = ["ball", "disc", CANNOT_TELL]
    rows = list(forms.rows(answer(task, one) for one in said))
    assert [row["recognised"] for row in rows] == ["1", "0", "0"]
    assert [row["said"] for row in rows] == said
    assert all(tuple(row) == COLUMNS == forms.COLUMNS for row in rows)
    assert {row["thing"] for row in rows} == {"ball"}


def test_the_table_has_k_of_n_an_interval_and_what_each_thing_was_taken_for(tasks, tmp_path):
    of = {thing: [one for one in tasks if one.about["thing"] == thing] for thing in ("ball", "box")}
    balls = ["ball", "disc", "disc", CANNOT_TELL]
    answers = [
        *(answer(of["ball"][0], said, who) for who, said in zip("abcd", balls, strict=True)),
        *(answer(of["box"][0], "box", who) for who in "abcd"),
    ]  # fmt: skip
    path = tmp_path / "recognition.csv"
    pd.DataFrame(forms.rows(answers)).to_csv(path, index=False)
    found = frame_of(
        POPE_RECOGNITION, pd.DataFrame(), {**STATISTICS, "pope": {"recognition": str(path)}}
    )
    ball, box, whole = (found.set_index("thing").loc[name] for name in ("ball", "box", "all"))
    assert (ball["k"], ball["n"], ball["people"], ball["share"]) == (1, 4, 4, 25)
    assert ball["low"] < 25 < ball["high"] and box["low"] < box["share"] == 100
    assert ball["taken_for"] == "disc 2; cannot tell 1" and box["taken_for"] == ""
    assert (whole["k"], whole["n"], whole["people"], whole["taken_for"]) == (5, 8, 4, "")


def test_the_page_is_written_where_it_is_asked_for_and_the_table_made_of_answers():
    assert suite.forms(settings()) == ()
    assert [form.name for form in suite.forms(settings(ask_recognition=True))] == ["recognition"]


@pytest.mark.parametrize(("asked", "awaited"), [(True, ["pope_recognition"]), (False, [])])
def test_the_first_page_waits_for_the_table_only_where_people_are_asked(root, asked, awaited):
    plan = Plan({"models": ["chance"], "suites": {"pope": {"ask_recognition": asked}}}, root)
    assert spec_of(plan, "make_overview")["awaited"] == awaited
    assert "pope_recognition" not in plan.tables


def test_every_look_alike_is_no_class():
    others = {one for named in forms.LOOK_ALIKES.values() for one in named}
    assert not others & set(forms.LOOK_ALIKES)
