"""Lines: crossings exactly 0, 1 or 2, and no figure near a doubt (paper, task 1)."""

from collections import Counter
from functools import cache

import blindtest_samples as samples
import numpy as np
import pytest
from scipy import ndimage

from afterimage.suites.blindtest.figures import lines

FIGURES = ("line_intersection", "line_intersection_final")
RED, BLUE = (255, 0, 0), (0, 0, 255)


@cache
def specs(figure):
    return samples.specs(figure)


def lines_px(spec):
    """Vertices of both lines on the smallest canvas, px, and the thickest stroke there."""
    red, blue = (np.array(spec.parameters[name]) for name in ("red", "blue"))
    if spec.factors["canvas"] == "1000x500":
        return red, blue, 4 * 100 / 72
    return red * 384, blue * 384, 4 * 384 / 360


def base_figures(figure):
    return {spec.factors["base_figure"]: spec for spec in specs(figure)}.values()


def along(line, count=4001):
    x = np.linspace(line[0, 0], line[-1, 0], count)
    return np.stack([x, np.interp(x, line[:, 0], line[:, 1])], axis=-1)


@pytest.mark.parametrize("figure", FIGURES)
class TestGeometry:
    def test_the_key_is_the_number_of_sign_changes_along_the_lines(self, figure):
        for spec in base_figures(figure):
            red, blue, _ = lines_px(spec)
            above = np.sign(along(red)[:, 1] - along(blue)[:, 1])
            # A sample may hit a crossing exactly.
            assert str(np.count_nonzero(np.diff(above[above != 0]))) == spec.factors["truth"]

    def test_classes_are_balanced_exactly(self, figure):
        counts = Counter(spec.factors["truth"] for spec in base_figures(figure))
        expected = (17, 17, 16) if figure == "line_intersection" else (100, 100, 100)
        assert counts == dict(zip("012", expected, strict=True))

    def test_no_vertex_comes_near_the_other_line(self, figure):
        for spec in base_figures(figure):
            red, blue, thickest = lines_px(spec)
            for line, other in ((red, blue), (blue, red)):
                apart = np.linalg.norm(line[:, None] - along(other)[None], axis=-1)
                assert apart.min() >= 4 * thickest - 0.01

    def test_crossings_are_steep_and_away_from_all_vertices(self, figure):
        for spec in base_figures(figure):
            red, blue, thickest = lines_px(spec)
            for point in lines.crossings(red, blue):
                reach = np.linalg.norm(np.concatenate([red, blue]) - point, axis=-1)
                assert reach.min() >= 4 * thickest - 1e-6
            assert all(angle >= 12 for angle in lines.crossing_angles_deg(red, blue))

    def test_one_figure_is_the_same_in_all_widths_and_sizes(self, figure):
        drawn = {}
        for spec in specs(figure):
            lines = (str(spec.parameters["red"]), str(spec.parameters["blue"]))
            drawn.setdefault(spec.factors["base_figure"], set()).add(lines)
        renderings = Counter(spec.factors["base_figure"] for spec in specs(figure))
        assert all(len(lines) == 1 for lines in drawn.values())
        assert set(renderings.values()) == {3 if figure == "line_intersection" else 6}

    def test_no_two_figures_are_alike(self, figure):
        lines = {str([s.parameters["red"], s.parameters["blue"]]) for s in base_figures(figure)}
        assert len(lines) == len(base_figures(figure))


class TestReleases:
    def test_figures_of_v1_fill_the_same_height(self):
        for spec in base_figures("line_intersection"):
            y = np.array([*spec.parameters["red"], *spec.parameters["blue"]])[:, 1]
            assert (y.min(), y.max()) == (72.5, 422.5)

    def test_figures_of_final_keep_the_originals_rules(self):
        levels = (0.04, 0.4, 0.85, 1.25, 1.65, 2.1, 2.5, 2.9, 3.35, 3.75, 4.15, 4.6, 4.96)
        for spec in base_figures("line_intersection_final"):
            red, blue = (np.array(spec.parameters[name]) for name in ("red", "blue"))
            assert np.isin(np.round(np.concatenate([red, blue])[:, 1] * 5, 9), levels).all()
            assert (red[:, 1] != blue[:, 1]).all()
            for line in (red, blue):
                for rim in (0.04 / 5, 4.96 / 5):
                    at_rim = np.isclose(line[:, 1], rim)
                    assert not (at_rim[:-1] & at_rim[1:]).any()

    @pytest.mark.parametrize(("figure", "on_top"), [*zip(FIGURES, (BLUE, RED), strict=True)])
    def test_the_line_on_top_is_the_originals(self, figure, on_top):
        spec = next(spec for spec in specs(figure) if spec.factors["truth"] == "1")
        drawing = samples.draw(figure, spec.parameters)
        x, y = np.array(drawing.realised["crossings"][0])
        if figure == "line_intersection_final":
            side = drawing.pixels.shape[0]
            x, y = x * side, (1 - y) * side
        assert tuple(drawing.pixels[int(y), int(x)]) == on_top


class TestPixels:
    @pytest.mark.parametrize("figure", FIGURES)
    def test_each_colour_is_one_line_broken_only_where_the_other_crosses_it(self, figure):
        thinnest = [
            spec
            for spec in specs(figure)
            if spec.factors["line_width"] == "2" and spec.factors["canvas"] in ("1000x500", "384")
        ]
        for spec in thinnest[:60]:
            image = samples.draw(figure, spec.parameters).pixels.astype(int)
            lower, upper = (0, 2) if figure == "line_intersection" else (2, 0)
            crossings = int(spec.factors["truth"])
            pieces = {
                channel: ndimage.label(
                    (image[..., channel] - image[..., 2 - channel] > 100), np.ones((3, 3))
                )[1]
                for channel in (lower, upper)
            }
            assert pieces == {upper: 1, lower: 1 + crossings}

    def test_the_ink_reaches_the_width_that_is_stated(self):
        for spec in specs("line_intersection")[:9]:
            drawing = samples.draw("line_intersection", spec.parameters)
            width = int(spec.factors["line_width"]) * 100 / 72
            assert drawing.realised["line_width_px"] == pytest.approx(width, abs=1e-3)
            red = np.array(spec.parameters["red"])
            # A column's ink is the width over the cosine of the slope; taken where blue is far.
            x = int((red[0, 0] + red[1, 0]) / 2)
            slope = (red[1, 1] - red[0, 1]) / (red[1, 0] - red[0, 0])
            column = drawing.pixels[:, x].astype(float)
            ink = ((255 - column[:, 1]) / 255).sum()
            blue = np.array(spec.parameters["blue"])
            blue_slope = (blue[1, 1] - blue[0, 1]) / (blue[1, 0] - blue[0, 0])
            assert ink == pytest.approx(
                width * (np.hypot(1, slope) + np.hypot(1, blue_slope)), rel=0.02
            )
