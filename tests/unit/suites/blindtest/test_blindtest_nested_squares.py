"""Nested squares: strictly nested with white between, and the size tells nothing (task 5)."""

from functools import cache
from itertools import pairwise

import blindtest_samples as samples
import numpy as np
import pytest
from scipy import ndimage

THICKEST_PX = 4 * 100 / 72


@cache
def specs(figure="nested_squares"):
    return samples.specs(figure)


def base_figures():
    return {spec.factors["base_figure"]: spec for spec in specs()}.values()


def edges(square):
    left, top, side = square
    return np.array([left, top, left + side, top + side])


class TestGeometry:
    def test_each_square_lies_inside_the_one_before_with_white_at_the_thickest_line(self):
        for spec in base_figures():
            squares = [edges(square) for square in spec.parameters["squares"]]
            for outer, inner in pairwise(squares):
                gaps = (inner - outer) * (1, 1, -1, -1)
                assert gaps.min() - THICKEST_PX >= 3.9

    def test_the_innermost_square_shows_its_inside(self):
        for spec in base_figures():
            assert spec.parameters["squares"][-1][2] - THICKEST_PX >= 15

    def test_all_squares_lie_on_the_canvas(self):
        for spec in base_figures():
            left, top, right, bottom = edges(spec.parameters["squares"][0])
            assert min(left, top) > 100
            assert max(right, bottom) < 900

    def test_depths_are_balanced_and_are_the_key(self):
        depths = [spec.factors["truth"] for spec in base_figures()]
        assert {depth: depths.count(depth) for depth in "2345"} == dict.fromkeys("2345", 10)
        for spec in specs():
            assert len(spec.parameters["squares"]) == int(spec.factors["depth"])

    def test_the_outermost_side_is_drawn_alike_for_every_depth(self):
        sides = {depth: [] for depth in "2345"}
        for figure in ("nested_squares", *(f"nested_squares_copy{n:03d}" for n in range(1, 12))):
            for spec in specs(figure)[::3]:
                sides[spec.factors["depth"]].append(spec.parameters["squares"][0][2] * 30 / 770)
        for found in sides.values():
            assert len(found) == 120
            assert 9.25 <= min(found) < 10
            assert 17.2 < max(found) <= 18.01
            # A uniform law on 9.25..18 has this mean; 120 draws scatter by 0.23.
            assert np.mean(found) == pytest.approx(13.625, abs=0.8)


class TestLayouts:
    def test_three_line_widths_show_one_figure_as_the_authors_images_do(self):
        assert len(layouts(specs())) == len({s.factors["base_figure"] for s in specs()}) == 40

    def test_each_line_width_may_have_figures_of_its_own(self):
        apart = samples.specs("nested_squares", squares_per_width=True)
        assert [spec.stimulus_id for spec in apart] == [spec.stimulus_id for spec in specs()]
        assert len(layouts(apart)) == len({s.factors["base_figure"] for s in apart}) == 120
        cells = [(spec.factors["depth"], spec.factors["line_width"]) for spec in apart]
        assert {cells.count(cell) for cell in cells} == {10}

    def test_the_setting_reaches_the_drawing_of_squares_alone(self):
        suite = samples.study_suite(squares_per_width=True)
        differs = {
            name: "squares_per_width" in suite.drawing_spec(name)["settings"]
            for name in suite.figures
        }
        assert [name for name, is_told in differs.items() if is_told] == ["nested_squares"]


def layouts(found):
    return {str(spec.parameters["squares"]) for spec in found}


class TestPixels:
    def test_the_ink_is_one_ring_per_square_at_every_width(self):
        for spec in specs()[::7]:
            ink = samples.draw("nested_squares", spec.parameters).pixels[..., 0] < 255
            assert ndimage.label(ink, np.ones((3, 3)))[1] == int(spec.factors["depth"])
            assert ndimage.label(~ink)[1] == int(spec.factors["depth"]) + 1

    def test_lines_have_the_stated_width(self):
        for spec in specs()[:3]:
            left, top, side = spec.parameters["squares"][0]
            image = samples.draw("nested_squares", spec.parameters).pixels
            row = image[int(top + side / 40), int(left) - 10 : int(left) + 11, 0].astype(float)
            width = int(spec.factors["line_width"]) * 100 / 72
            assert ((255 - row) / 255).sum() == pytest.approx(width, abs=0.03)
