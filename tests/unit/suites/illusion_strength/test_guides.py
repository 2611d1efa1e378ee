"""Aids over the figures: clear of every target, drawn from the first one alone, and counted in rows of their own."""

import numpy as np
import pandas as pd
import pytest
from illusion_samples import draw_illusion, shown
from scipy import ndimage
from yes_no_answers import answers_of, looks, recites

from afterimage.contract.finding import load_suite
from afterimage.suites.illusion_strength import seeing
from afterimage.suites.illusion_strength.grid import DESIGN, first_position
from afterimage.suites.illusion_strength.questions import load_prompts, questions, select
from afterimage.suites.illusion_strength.seeing import measure_stimulus
from afterimage.suites.illusion_strength.tables_yes_no import PERCEIVE_RECALL
from afterimage.suites.illusion_strength.tables_yes_no import PERCEIVE_RECALL_DOSE as DOSE
from afterimage.suites.illusions.guides import DRAWS
from afterimage.suites.illusions.names import GRID_FIGURES

SUITE = load_suite("illusion_strength")
STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1, "coverage": "95 %"}
#: Variant, strength, difference and shift of the images that are looked at.
CELLS = (("A", 1.0, 1.0, (6, -6)), ("B", 1.0, -0.5, (-6, 6)), ("B", 0.0, 0.0, (0, 0)))
#: Figures whose targets are grey, or lie among colours: there the control shows where they are.
_BY_CONTROL = (
    *("munker", "saturation_constancy", "lightness_constancy", "twisted_cord"),
    *("surround_contrast", "irradiation", "chubb", "mach_bands"),
)
_PLACES = ((48, 144, 160, 528), (512, 144, 624, 528))


def parameters(variant, strength, difference, shift):
    return {
        "variant": variant,
        "strength": strength,
        "difference": difference,
        "shift": list(shift),
    }


def target_pixels(figure, cell, plain):
    """Where the targets are: what has a colour among grey inducers, else what the control shows on its ground."""
    if figure == "cornsweet":
        mask = np.zeros(plain.shape[:2], dtype=bool)
        for left, top, right, bottom in _PLACES:
            mask[top:bottom, left:right] = True
        return np.roll(mask, (cell[3][1], cell[3][0]), (0, 1))
    if figure in _BY_CONTROL:
        control = draw_illusion(figure, parameters(cell[0], 0.0, *cell[2:])).pixels
        return (control != control[0, 0]).any(axis=2)
    return np.ptp(plain.astype(int), axis=2) > 8


@pytest.fixture(scope="module")
def drawn():
    """By figure and cell: the figure, and the same with an aid."""
    return {
        (figure, cell): (
            draw_illusion(figure, parameters(*cell)),
            DRAWS[figure](**parameters(*cell), guide=True),
        )
        for figure in GRID_FIGURES
        for cell in CELLS
    }


def test_every_figure_has_an_aid_and_without_one_is_what_it_was():
    assert tuple(sorted(DRAWS)) == tuple(sorted(GRID_FIGURES))
    given = parameters(*CELLS[0])
    assert (DRAWS["fick"](**given).pixels == draw_illusion("fick", given).pixels).all()


def test_no_pixel_of_an_aid_is_within_4_px_of_a_target_and_no_target_changes(drawn):
    for (figure, cell), (plain, aided) in drawn.items():
        aid = (plain.pixels != aided.pixels).any(axis=2)
        solid = target_pixels(figure, cell, plain.pixels)
        assert solid.sum() > 100, figure
        # On one grey a bar of this grey cannot be seen.
        if (figure, *cell[1:3]) == ("cornsweet", 0.0, 0.0):
            continue
        assert aid.sum() > 100, (figure, cell)
        assert ndimage.distance_transform_edt(~solid)[aid].min() > 4, (figure, cell)
        assert (plain.realised, plain.factors) == (aided.realised, aided.factors)


def test_every_aided_image_measures_what_it_was_drawn_with(drawn):
    for (figure, (variant, strength, difference, _)), (_, aided) in drawn.items():
        factors = {
            **aided.factors,
            "variant": variant,
            "strength": f"{strength:g}",
            "difference": f"{difference:g}",
        }
        found = measure_stimulus(figure, aided.pixels, factors)
        assert found.holds, (figure, found)


def green(pixels):
    return (pixels == (0, 128, 0)).all(axis=2)


@pytest.mark.parametrize(
    "figure, axis, places",
    [
        # Shafts of 330 and 270 px: the lines stand at the ends of the first.
        ("mueller_lyer", 0, [171, 501]),
        # Discs of 106 and 86 px.
        ("ebbinghaus", 1, [283, 389]),
        # Bars of 396 and 324 px: the standing one's length about the other's middle.
        ("fick", 0, [138, 534]),
    ],
)
def test_dashes_stand_where_the_first_target_ends(figure, axis, places):
    pixels = DRAWS[figure](1.0, 1.0, "A", (0, 0), True).pixels
    found = np.flatnonzero(green(pixels).sum(axis=axis) > 100)
    assert found == pytest.approx(np.repeat(places, 2) + np.tile([-1, 0], 2), abs=1)


@pytest.mark.parametrize("figure", ["surround_contrast", "cornsweet"])
def test_a_bar_has_the_colour_of_the_first_target(figure):
    for variant in "AB":
        pixels = DRAWS[figure](1.0, 1.0, variant, (0, 0), True).pixels
        assert set(pixels[326:346, 300:372].ravel()) == {148}
        left, right = pixels[300, (168, 504), 0]
        assert (left, right) == ((148, 108) if variant == "A" else (108, 148))


def test_the_continuation_shows_that_the_other_line_is_off():
    pixels = DRAWS["poggendorff"](1.0, 1.0, "A", (0, 0), True).pixels
    rows, columns = np.nonzero(green(pixels))
    slope, height = np.polyfit(columns + 0.5 - 336, rows + 0.5, 1)
    # The left part is 20 px down.
    assert (-slope, height) == (pytest.approx(1.19175, abs=0.02), pytest.approx(356, abs=1))


def test_without_the_setting_nothing_moves_and_with_it_the_aided_images_come_last():
    plain, aided = SUITE.settings(), SUITE.settings(guides=True, prompts=["same"])
    assert not plain.guides
    for settings, module in ((plain, "figures"), (aided, "guides")):
        parts = {figure.draw for figure in SUITE.figures(settings)}
        assert all(part.startswith(f"afterimage.suites.illusions.{module}") for part in parts)
    for figure in ("fick", "orbison"):
        assert "guides" not in SUITE.drawing(figure, plain)
        without_aid, both = DESIGN.ids(figure, plain), DESIGN.ids(figure, aided)
        assert both == (*without_aid, *(f"{name}_guide" for name in without_aid))
        assert first_position(figure, aided) == 2 * first_position(figure, plain)
        specs = list(DESIGN.specs(figure, SUITE.drawing(figure, aided)))
        assert specs[: len(without_aid)] == [
            spec._replace(factors={**spec.factors, "guide": "no"})
            for spec in DESIGN.specs(figure, SUITE.drawing(figure, plain))
        ]
        assert {spec.factors["guide"] for spec in specs[len(without_aid) :]} == {"yes"}
        assert all(spec.parameters["guide"] for spec in specs[len(without_aid) :])


def test_the_observer_is_right_about_aided_images_which_are_asked_yes_or_no_alone(root):
    grid = {"strengths": [1], "differences": [-0.125, 0], "guides": True}
    prompts = ["directional", "same", "different"]
    for figure in ("triangle_bisection", "oppel_kundt"):
        prompt_file = select(
            load_prompts(root / "resources/prompts/illusion_strength.yaml"), prompts, [figure]
        )
        for spec in DESIGN.specs(figure, grid):
            if not spec.stimulus_id.endswith("a_guide"):
                continue
            drawing = DRAWS[figure](**spec.parameters)
            made = list(
                questions([shown(figure, spec, drawing)], prompt_file, {"prompts": prompts}, [])
            )
            assert [question.prompt for question in made] == ["same", "different"]
            for question in made:
                assert seeing.answer(drawing.pixels, question.turns[0].parts[1]) == question.key


def test_answers_with_and_without_an_aid_are_counted_apart():
    aided = answers_of({"m": looks}).assign(guide="yes")
    aided["stimulus_id"] += "_guide"
    answers = pd.concat([answers_of({"m": recites}), aided], ignore_index=True)
    frame = PERCEIVE_RECALL.rows(answers, STATISTICS)
    rows = frame[(frame["illusion"] == "all") & (frame["inducer"] == "both")]
    rows = rows[(rows["prompt"] == "same") & (rows["model"] == "m")].set_index("guide")
    assert list(rows.index) == ["no", "yes"]
    assert list(rows["perturbed"]) == [0, 100]
    assert rows["pairs"].nunique() == 1
    dose = DOSE.rows(answers, STATISTICS)
    dose = dose[dose["model"] == "m"]
    assert set(dose.groupby(["guide"])["accuracy"].max()) == {100}
    assert dose[dose["guide"] == "yes"]["accuracy"].min() == 100
