"""The grid: which cells there are, what is drawn, and that the pixels show the difference that the record names."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from illusion_samples import draw_illusion

from afterimage.drawing.canvas import flipped, mirrored
from afterimage.errors import AfterimageError
from afterimage.stages.measurements import measurer
from afterimage.suites.illusion_strength.grid import DESIGN, ONE_SIDED, first_position, strengths
from afterimage.suites.illusion_strength.seeing import (
    SCALES,
    TOLERANCE,
    measure_fraction,
    measure_stimulus,
)
from afterimage.suites.illusion_strength.suite import SUITE, Settings, figure_named
from afterimage.suites.illusion_strength.suite import drawing as drawing_spec
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, VARIANTS
from afterimage.suites.illusions.observer import measure
from afterimage.suites.illusions.parametric import realised_fraction

FULL = Settings(
    illusions=[name for name in ILLUSIONS if name != "ponzo"],
    strengths=[-1, -0.5, 0, 0.5, 1],
    differences=[-1, -0.75, -0.5, -0.25, -0.125, 0, 0.125, 0.25, 0.5, 0.75, 1],
    prompt_file="resources/prompts/illusion_strength.yaml",
    prompts=["directional"],
)
#: Both signs of both axes, the middle, and the smallest step.
REDUCED = replace(FULL, strengths=[-1, 0, 0.5], differences=[-1, -0.125, 0, 0.5])


def drawn(figure, settings=REDUCED):
    """Each stimulus of a figure's grid with its drawing."""
    return [
        (spec, draw_illusion(figure, spec.parameters)) for spec in DESIGN.specs(figure, settings)
    ]


@pytest.fixture(scope="module")
def fick():
    return drawn("fick")


class TestCells:
    def test_the_full_grid_has_220_images_of_an_illusion_and_132_without_negative_strengths(self):
        counts = {name: len(DESIGN.ids(name, FULL)) for name in FULL.illusions}
        assert counts.pop("orbison") == 132
        assert set(counts.values()) == {220}
        assert sum(counts.values()) + 132 == 2992

    def test_ids_name_the_cell_and_factors_say_the_same(self):
        specs = {spec.stimulus_id: spec.factors for spec in DESIGN.specs("fick", FULL)}
        assert specs["fick_B_s-0.5_d+0.125_a"] == {
            "variant": "B",
            "strength": "-0.5",
            "difference": "0.125",
            "replicate": "B-",
        }
        assert tuple(specs) == DESIGN.ids("fick", FULL)
        assert {factors["replicate"] for factors in specs.values()} == {"A-", "A+", "B-", "B+"}

    def test_the_order_of_levels_in_the_configuration_changes_nothing(self):
        shuffled = replace(
            FULL, strengths=[1, 0, -1, 0.5, -0.5], differences=FULL.differences[::-1]
        )
        assert list(DESIGN.specs("hering", shuffled)) == list(DESIGN.specs("hering", FULL))
        assert drawing_spec("hering", shuffled) == drawing_spec("hering", FULL)

    def test_no_two_illusions_share_a_position(self):
        for former, later in pairwise(GRID_FIGURES):
            end = first_position(former, FULL) + len(DESIGN.ids(former, FULL))
            assert end <= first_position(later, FULL)

    def test_a_minus_zero_is_zero(self):
        assert DESIGN.ids("fick", replace(FULL, strengths=[-0.0], differences=[0])) == (
            "fick_A_s+0_d+0_a",
            "fick_A_s+0_d+0_b",
            "fick_B_s+0_d+0_a",
            "fick_B_s+0_d+0_b",
        )

    def test_the_contact_sheet_shows_nine_cells_of_every_illusion_that_are_drawn(self):
        for settings in (FULL, replace(FULL, strengths=[0, 1], differences=[0])):
            shown = SUITE.sheets[0].shown(settings)
            assert len(shown) == 9 * 14
            for figure, name in shown:
                assert name in DESIGN.ids(figure, settings)


class TestRealised:
    def test_bars_have_the_difference_of_their_even_lengths_not_the_nominal_one(self, fick):
        found = {
            (spec.factors["difference"], drawing.factors["realised"]) for spec, drawing in fick
        }
        # An eighth of 36 px is 4.5 px; 4 px keep both bars on whole pixels.
        assert found == {("-1", "-1"), ("-0.125", "-0.111111"), ("0", "0"), ("0.5", "0.5")}

    def test_a_drawing_that_does_not_say_what_it_realised_is_refused(self):
        with pytest.raises(AfterimageError, match="fick: the drawing names 0 nominal differences"):
            realised_fraction("fick", 0.5, {"length_px": 1.0})
        with pytest.raises(AfterimageError, match="fick: differs by 2 at difference 0"):
            realised_fraction("fick", 0.0, {"x_nominal_px": 0.0, "x_realised_px": 2.0})


class TestMeasured:
    @pytest.mark.parametrize("figure", GRID_FIGURES)
    def test_every_cell_shows_the_difference_that_it_was_drawn_with(self, figure):
        rows = []
        for spec in DESIGN.specs(figure, REDUCED):
            # Each variant at one of the two shifts, which are whole pixels.
            if spec.factors["replicate"] in ("A-", "B+"):
                drawing = draw_illusion(figure, spec.parameters)
                factors = {**spec.factors, **drawing.factors}
                rows.append(measure_stimulus(figure, drawing.pixels, factors))
        assert len(rows) == 8 * len(strengths(figure, REDUCED))
        for row in rows:
            assert row.holds, row.remark
            sign = np.sign(float(row.columns["difference"]))
            assert row.columns["direction"] == {1: "first", -1: "second", 0: "neutral"}[sign]

    @pytest.mark.parametrize("figure", [name for name in GRID_FIGURES if name not in ONE_SIDED])
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_reversing_both_axes_reverses_what_is_measured(self, figure, variant):
        half = 0.5 if 0.5 in strengths(figure, FULL) else 1.0
        for strength, difference in ((1.0, 0.5), (half, -0.125)):
            there, back = (
                measure_fraction(
                    figure, variant, _pixels(figure, variant, sign * strength, sign * difference)
                )
                for sign in (1, -1)
            )
            assert np.sign(there) == np.sign(difference)
            assert back == pytest.approx(-there, abs=TOLERANCE)

    @pytest.mark.parametrize(
        ("figure", "mirror"),
        [
            ("cafe_wall", mirrored),
            ("zoellner", mirrored),
            ("mueller_lyer", flipped),
            ("ebbinghaus", mirrored),
            ("delboeuf", mirrored),
            ("munker", lambda image: image[::-1, ::-1]),
            ("triangle_bisection", flipped),
            ("saturation_constancy", mirrored),
            ("lightness_constancy", mirrored),
            ("ponzo", flipped),
        ],
    )
    def test_reversing_both_axes_gives_the_mirror_image_pixel_by_pixel(self, figure, mirror):
        image, reverse = (
            _pixels(figure, "A", sign * 0.5, sign * 0.25, shift=(0, 0)) for sign in (1, -1)
        )
        assert np.array_equal(mirror(image), reverse)

    def test_an_image_of_another_difference_stops_the_run(self, fick):
        spec, drawing = next(
            (spec, drawing) for spec, drawing in fick if spec.factors["difference"] == "0.5"
        )
        for realised in ("-0.5", "0", "0.6"):
            factors = {**spec.factors, "realised": realised}
            record = {"stimulus_id": spec.stimulus_id, "figure": "fick", "factors": factors}
            measuring = measurer({"measure": figure_named("fick").measure})
            rows = measuring.measure(record, drawing.pixels)
            with pytest.raises(AfterimageError) as error:
                measuring.require(rows)
            assert f"{spec.stimulus_id}.png: found 0.5, expected difference" in str(error.value)

    def test_a_picture_without_targets_is_a_finding_not_a_crash(self):
        blank = np.full((672, 672, 3), 255, dtype=np.uint8)
        factors = {"variant": "A", "strength": "0", "difference": "0", "realised": "0"}
        found = measure_stimulus("fick", blank, factors)
        assert not found.holds
        assert np.isnan(found.columns["measured"])
        assert "found no red pixel" in found.remark

    def test_an_unknown_illusion_is_one_sentence(self):
        with pytest.raises(AfterimageError, match="unknown illusion 'fik': did you mean 'fick'"):
            measure_fraction("fik", "A", np.zeros((672, 672, 3), dtype=np.uint8))

    def test_the_scales_know_every_illusion_and_say_which_option_a_positive_difference_makes_true(
        self,
    ):
        assert tuple(SCALES) == GRID_FIGURES

    def test_half_size_shows_the_same_fraction(self):
        image = _pixels("hering", "A", 0.0, 1.0)
        half = image.reshape(336, 2, 336, 2, 3).mean(axis=(1, 3)).round().astype(np.uint8)
        assert measure(half, "line_straightness").value == pytest.approx(9, abs=0.3)
        assert measure_fraction("hering", "A", half) == pytest.approx(1, abs=0.03)


def _pixels(figure, variant, strength, difference, shift=(-6, -6)):
    parameters = {
        "strength": strength,
        "difference": difference,
        "variant": variant,
        "shift": list(shift),
    }
    return draw_illusion(figure, parameters).pixels
