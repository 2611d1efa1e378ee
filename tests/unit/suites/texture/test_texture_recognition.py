"""The page on which people say what a drawn material looks like, and the table of their answers."""

import pandas as pd
import pytest

from afterimage.contract.finding import load_suite
from afterimage.contract.task import Answer
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts, form_texts
from afterimage.items.recognition import CANNOT_TELL, COLUMNS, ELSE
from afterimage.planning.plan import Plan
from afterimage.showing.tables.compute import frame_of
from afterimage.stages.all_stages import spec_of
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.texture import forms
from afterimage.suites.texture.materials import MATERIALS, images_of, material
from afterimage.suites.texture.tables_people import TEXTURE_RECOGNITION

STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1}
NAMES = {one.name for one in MATERIALS}


@pytest.fixture(scope="module")
def texts(root):
    return Texts(form_texts(root / "resources" / "forms", ("en", "ja"), "texture", "recognition"))


@pytest.fixture(scope="module")
def tasks(root, texts, tmp_path_factory):
    """The tasks of a study with a second copy of the materials, of which no picture is shown."""
    folder = tmp_path_factory.mktemp("materials")
    stimuli = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = Plan({"models": ["chance"], "suites": {"texture": {"scale": 2}}}, root)
        for figure in ("materials", "area_limit", "materials_2"):
            spec = spec_of(plan, "draw_figure", suite="texture", figure=figure)
            path = folder / f"{figure}.parquet"
            draw_figure(spec, {}, {"stimuli": path, "measured": folder / f"{figure}.csv"}, {})
            stimuli.append(str(path))
    return list(forms.Recognition.tasks(Inputs(stimuli=tuple(stimuli)), {}, texts))


def test_each_material_is_shown_as_a_sphere_and_a_tile_in_two_hues(tasks):
    drawn = {image.image_id: image for image in images_of("materials")}
    shown = [drawn[task.about["stimulus_id"]] for task in tasks]
    for name in NAMES:
        own = [image for image in shown if image.material == name]
        assert {image.layout.shape for image in own} == {"sphere", "tile"}
        assert {image.hue for image in own} == {"warm", "cool"}
        assert len(own) == 2
    # No shape has a hue of its own.
    assert len({(image.layout.shape, image.hue) for image in shown}) == 4
    assert all(task.about["thing"] == drawn[task.about["stimulus_id"]].material for task in tasks)


def test_the_right_name_stands_among_likely_mistakes_other_materials_and_cannot_tell(tasks):
    for task in tasks:
        (field,) = task.fields
        names = [option.id for option in field.options]
        thing = task.about["thing"]
        assert {thing, *forms.LOOK_ALIKES[thing], ELSE, CANNOT_TELL} < {*names}
        assert len(NAMES & {*names}) == 4
        assert len(names) == len({*names}) == 8 and field.shuffle
        for language in ("en", "ja"):
            assert len({option.text[language] for option in field.options}) == 8


def test_materials_that_share_a_word_are_offered_for_each_other():
    assert set(forms.others(material("glossy"))) == {"transparent", "metallic", "wet"}
    assert forms.others(material("rough"))[:2] == ["cracked", "grainy"]
    assert forms.others(material("woven"))[0] == "fluffy"


def test_every_look_alike_is_no_material():
    assert set(forms.LOOK_ALIKES) == NAMES
    others = [one for named in forms.LOOK_ALIKES.values() for one in named]
    assert not NAMES & {*others} and len(others) == len({*others})


def test_the_table_has_what_each_material_was_taken_for(tasks, tmp_path):
    (task, other) = [one for one in tasks if one.about["thing"] == "wet"]
    said = {"a": "wet", "b": "blistered", "c": "glossy", "d": CANNOT_TELL}
    answers = [
        Answer(who, "recognition", one.id, one.fields[0].id, word, one.about)
        for one in (task, other)
        for who, word in said.items()
    ]
    rows = list(forms.Recognition.rows(answers))
    assert all(tuple(row) == COLUMNS == forms.Recognition.COLUMNS for row in rows)
    path = tmp_path / "recognition.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    settings = {**STATISTICS, "texture": {"recognition": str(path)}}
    wet = frame_of(TEXTURE_RECOGNITION, pd.DataFrame(), settings).set_index("thing").loc["wet"]
    assert (wet["k"], wet["n"], wet["people"], wet["share"]) == (2, 8, 4, 25)
    assert wet["taken_for"] == "blistered 2; cannot tell 2; glossy 2"
    assert wet["low"] < 25 < wet["high"]


def test_the_page_is_written_where_it_is_asked_for_and_of_drawn_materials_alone():
    suite = load_suite("texture")
    names = ["collect", "verify", "classify", "judge"]
    assert [form.name for form in suite.forms(suite.settings())] == names
    asked = suite.settings(ask_recognition=True)
    assert [form.name for form in suite.forms(asked)] == [*names, "recognition"]
    photographs = suite.settings(ask_recognition=True, data="photographs")
    assert [form.name for form in suite.forms(photographs)] == names


@pytest.mark.parametrize(("asked", "awaited"), [(True, ["texture_recognition"]), (False, [])])
def test_the_first_page_waits_for_the_table_only_where_people_are_asked(root, asked, awaited):
    plan = Plan({"models": ["chance"], "suites": {"texture": {"ask_recognition": asked}}}, root)
    assert spec_of(plan, "make_overview")["awaited"] == awaited
    assert "texture_recognition" not in plan.tables
