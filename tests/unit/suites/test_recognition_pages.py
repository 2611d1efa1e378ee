"""The pages on which people say what a drawing shows: their pictures and options, and the tables of the answers."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from afterimage.contract.finding import load_suite
from afterimage.contract.task import Answer
from afterimage.files.png import decode_png
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts, form_texts
from afterimage.items.recognition import CANNOT_TELL, COLUMNS, ELSE
from afterimage.planning.plan import Plan
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Table
from afterimage.stages.all_stages import spec_of
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.pope import forms as pope
from afterimage.suites.pope.scene import _DRAWN, COLOURS
from afterimage.suites.pope.tables import POPE_RECOGNITION
from afterimage.suites.texture import forms as texture
from afterimage.suites.texture.materials import MATERIALS, images_of, material
from afterimage.suites.texture.tables_people import TEXTURE_RECOGNITION

STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1}


class Told(NamedTuple):
    """What is known of a suite's page.

    Attributes:
        settings: Those of the study whose images are drawn.
        figures: The figures that are drawn.
        form: What makes tasks of them, and rows of the answers.
        table: The table of the answers.
        alike: Thing to what it may be taken for.
        things: All that is asked about.
        said: What four people say of the first of them, and what that was taken for, per picture.
        other: Another thing.
        plain: The suite's other pages.
    """

    settings: dict[str, Any]
    figures: tuple[str, ...]
    form: Any
    table: Table
    alike: dict[str, tuple[str, ...]]
    things: set[str]
    said: tuple[list[str], Callable[[int], str]]
    other: str
    plain: list[str]


SUITES = {
    "pope": Told(
        *({"scenes": 30}, ("scenes",), pope, POPE_RECOGNITION, pope.LOOK_ALIKES, {*_DRAWN}),
        (["ball", "disc", "disc", CANNOT_TELL], lambda n: f"disc {2 * n}; cannot tell {n}"),
        *("box", []),
    ),
    # With a second copy of the materials, of which no picture is shown.
    "texture": Told(
        *({"scale": 2}, ("materials", "area_limit", "materials_2"), texture.Recognition),
        *(TEXTURE_RECOGNITION, texture.LOOK_ALIKES, {one.name for one in MATERIALS}),
        (
            ["wet", "blistered", "glossy", CANNOT_TELL],
            lambda n: f"blistered {n}; cannot tell {n}; glossy {n}",
        ),
        *("matte", ["collect", "verify", "classify", "judge"]),
    ),
}


@pytest.fixture(scope="module", params=SUITES)
def page(request, root, tmp_path_factory):
    """A suite's name, what is known of its page, and the tasks."""
    suite, told = request.param, SUITES[request.param]
    folder, stimuli = tmp_path_factory.mktemp(suite), []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = Plan({"models": ["chance"], "suites": {suite: told.settings}}, root)
        for figure in told.figures:
            files = {"stimuli": folder / f"{figure}.parquet", "measured": folder / f"{figure}.csv"}
            draw_figure(spec_of(plan, "draw_figure", suite=suite, figure=figure), {}, files, {})
            stimuli.append(str(files["stimuli"]))
    texts = form_texts(root / "resources" / "forms", ("en", "ja"), suite, "recognition")
    tasks = list(told.form.tasks(Inputs(stimuli=tuple(stimuli)), {}, Texts(texts)))
    return SimpleNamespace(suite=suite, told=told, tasks=tasks)


def answer(task, said, who="p1"):
    (field,) = task.fields
    return Answer(who, "recognition", task.id, field.id, said, task.about)


def test_the_right_name_stands_among_likely_mistakes_others_and_cannot_tell(page):
    for task in page.tasks:
        (field,) = task.fields
        names = [option.id for option in field.options]
        thing = task.about["thing"]
        assert {thing, *page.told.alike[thing], ELSE, CANNOT_TELL} < {*names}
        assert len(page.told.things & {*names}) == 8 - 2 - len(page.told.alike[thing])
        assert len(names) == len({*names}) == 8 and field.shuffle
        assert all(set(option.text) == {"en", "ja"} for option in field.options)
        for language in ("en", "ja"):
            assert len({option.text[language] for option in field.options}) == 8


def test_no_look_alike_is_itself_asked_about(page):
    assert set(page.told.alike) == page.told.things
    likely_mistakes = [one for named in page.told.alike.values() for one in named]
    assert not page.told.things & {*likely_mistakes}


def test_what_comes_back_says_whether_the_thing_was_recognised(page):
    thing, mistake, *_ = page.told.said[0]
    task = next(one for one in page.tasks if one.about["thing"] == thing)
    said = [thing, mistake, CANNOT_TELL]
    rows = list(page.told.form.rows(answer(task, one) for one in said))
    assert [row["recognised"] for row in rows] == ["1", "0", "0"]
    assert [row["said"] for row in rows] == said
    assert all(tuple(row) == COLUMNS == page.told.form.COLUMNS for row in rows)
    assert {row["thing"] for row in rows} == {thing}


def test_the_table_has_k_of_n_an_interval_and_what_each_thing_was_taken_for(page, tmp_path):
    (said, taken_for), other = page.told.said, page.told.other
    answers, number = [], {}
    for thing, words in ((said[0], said), (other, [other] * 4)):
        own = [one for one in page.tasks if one.about["thing"] == thing]
        number[thing] = len(own)
        answers += [
            answer(task, word, who) for task in own for who, word in zip("abcd", words, strict=True)
        ]
    path = tmp_path / "recognition.csv"
    pd.DataFrame(page.told.form.rows(answers)).to_csv(path, index=False)
    settings = {**STATISTICS, page.suite: {"recognition": str(path)}}
    found = frame_of(page.told.table, pd.DataFrame(), settings).set_index("thing")
    first, second, whole = (found.loc[name] for name in (said[0], other, "all"))
    n, m = number[said[0]], number[other]
    assert (first["k"], first["n"], first["people"], first["share"]) == (n, 4 * n, 4, 25)
    assert first["low"] < 25 < first["high"] and second["low"] < second["share"] == 100
    assert first["taken_for"] == taken_for(n) and second["taken_for"] == ""
    assert (whole["k"], whole["n"], whole["people"]) == (n + 4 * m, 4 * (n + m), 4)
    assert whole["taken_for"] == ""


@pytest.mark.parametrize("suite", SUITES)
def test_the_page_is_written_where_it_is_asked_for(suite):
    own, plain = load_suite(suite), SUITES[suite].plain
    for asked in (False, True):
        forms = own.forms(own.settings(ask_recognition=asked))
        assert [form.name for form in forms] == [*plain, *["recognition"] * asked]


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("asked", [True, False])
def test_the_first_page_waits_for_the_table_only_where_people_are_asked(root, suite, asked):
    plan = Plan({"models": ["chance"], "suites": {suite: {"ask_recognition": asked}}}, root)
    assert spec_of(plan, "make_overview")["awaited"] == [f"{suite}_recognition"] * asked
    assert f"{suite}_recognition" not in plan.tables


# ---- silhouettes of pope ----


@pytest.mark.parametrize("page", ["pope"], indirect=True)
def test_every_class_that_is_drawn_is_asked_about_at_its_smallest_and_its_largest(page):
    sizes = {}
    for task in page.tasks:
        (png,) = task.images
        sizes.setdefault(task.about["thing"], []).append(decode_png(png, task.id).shape[:2])
    assert set(sizes) == set(_DRAWN)
    # 30 scenes have one moon.
    assert {name for name, shapes in sizes.items() if len(shapes) != 2} == {"moon"}
    assert all(np.prod(shapes[0]) <= np.prod(shapes[-1]) for shapes in sizes.values())
    assert any(np.prod(shapes[0]) < np.prod(shapes[-1]) / 1.5 for shapes in sizes.values())


@pytest.mark.parametrize("page", ["pope"], indirect=True)
def test_a_picture_shows_the_one_object_in_its_own_pixels(page):
    for task in page.tasks:
        pixels = decode_png(task.images[0], task.id)
        inked = {tuple(colour) for colour in np.unique(pixels.reshape(-1, 3), axis=0).tolist()}
        assert len(inked & {(one.red, one.green, one.blue) for one in COLOURS.values()}) == 1
        # Nothing of the object or of another is cut by the edge.
        edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
        assert len(np.unique(edge, axis=0)) == 1, task.id


# ---- materials of texture ----


@pytest.mark.parametrize("page", ["texture"], indirect=True)
def test_each_material_is_shown_as_a_sphere_and_a_tile_in_two_hues(page):
    drawn = {image.image_id: image for image in images_of("materials")}
    shown = [drawn[task.about["stimulus_id"]] for task in page.tasks]
    for name in page.told.things:
        own = [image for image in shown if image.material == name]
        assert {image.layout.shape for image in own} == {"sphere", "tile"}
        assert {image.hue for image in own} == {"warm", "cool"}
        assert len(own) == 2
    # No shape has a hue of its own.
    assert len({(image.layout.shape, image.hue) for image in shown}) == 4
    assert all(
        task.about["thing"] == drawn[task.about["stimulus_id"]].material for task in page.tasks
    )


def test_materials_that_share_a_word_are_offered_for_each_other():
    assert set(texture.likely_mistakes(material("glossy"))) == {"transparent", "metallic", "wet"}
    assert texture.likely_mistakes(material("rough"))[:2] == ["cracked", "grainy"]
    assert texture.likely_mistakes(material("woven"))[0] == "fluffy"
    likely_mistakes = [one for named in texture.LOOK_ALIKES.values() for one in named]
    assert len(likely_mistakes) == len({*likely_mistakes})


def test_of_photographs_nobody_is_asked_what_they_show():
    suite = load_suite("texture")
    photographs = suite.settings(ask_recognition=True, data="photographs")
    assert [form.name for form in suite.forms(photographs)] == SUITES["texture"].plain
