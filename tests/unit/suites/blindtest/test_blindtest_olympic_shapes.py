"""Shapes: each crosses the other row and keeps apart from its own (task 4)."""

from functools import cache
from itertools import combinations

import blindtest_samples as samples
import numpy as np
import pytest
from scipy import ndimage

from afterimage.suites.blindtest.figures import shapes

FIGURES = ("olympic_shapes", "olympic_shapes_final", "olympic_shapes_copy001")
SMALLEST_PX = 385


@cache
def specs(figure):
    return samples.specs(figure, 11)


def base_figures(figure):
    return {spec.factors["base_figure"]: spec for spec in specs(figure)}.values()


def outlines(spec, corners=360):
    """Points along the middle of each stroke, as fractions of the side, shape (n, corners, 2)."""
    size, result = spec.parameters["size"], []
    for centre in np.array(spec.parameters["centres"]):
        if spec.parameters["shape"] == "circles":
            angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
            result.append(centre + size / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=-1))
        else:
            points = shapes.pentagon(centre, size / (2 * np.sin(np.radians(36))))
            closed = np.vstack([points, points[:1]])
            steps = np.linspace(0, 5, corners, endpoint=False)
            result.append(
                np.stack([np.interp(steps, range(6), closed[:, k]) for k in (0, 1)], axis=-1)
            )
    return np.array(result)


def is_inside(points, spec, number):
    """Tell which points lie inside a shape."""
    centre, size = np.array(spec.parameters["centres"][number]), spec.parameters["size"]
    if spec.parameters["shape"] == "circles":
        return np.linalg.norm(points - centre, axis=-1) < size / 2
    apothem = size / (2 * np.tan(np.radians(36)))
    angles = np.radians(36 + 72 * np.arange(5))
    normals = np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
    return ((points - centre) @ normals.T < apothem).all(axis=-1)


def rows(spec):
    heights = np.round([y for _, y in spec.parameters["centres"]], 5)
    return [np.flatnonzero(heights == height) for height in np.unique(heights)]


@pytest.mark.parametrize("figure", FIGURES)
class TestGeometry:
    def test_every_shape_crosses_one_or_two_of_the_other_row(self, figure):
        for spec in base_figures(figure):
            drawn = outlines(spec)
            upper, lower = rows(spec)
            for row, others in ((upper, lower), (lower, upper)):
                for shape in row:
                    crossed = [
                        0 < is_inside(drawn[shape], spec, other).sum() < len(drawn[shape])
                        for other in others
                    ]
                    assert sum(crossed) in (1, 2)

    def test_strokes_in_one_row_stay_a_pixel_apart_on_the_smallest_canvas(self, figure):
        for spec in base_figures(figure):
            drawn = outlines(spec) * SMALLEST_PX
            width = SMALLEST_PX / 277.2
            # A corner of a pentagon is longer than half a stroke.
            corner = 1.0 if spec.parameters["shape"] == "circles" else 1 / np.sin(np.radians(54))
            for row in rows(spec):
                for a, b in combinations(row, 2):
                    apart = np.linalg.norm(drawn[a][:, None] - drawn[b][None], axis=-1).min()
                    assert apart - width * corner >= 1

    def test_everything_lies_on_the_canvas(self, figure):
        for spec in base_figures(figure):
            drawn = outlines(spec)
            assert drawn.min() > 0.02
            assert drawn.max() < 0.98

    def test_the_key_is_the_number_of_centres_and_both_rows_differ_by_one_at_most(self, figure):
        for spec in base_figures(figure):
            upper, lower = rows(spec)
            assert str(len(upper) + len(lower)) == spec.factors["truth"] == spec.factors["count"]
            assert abs(len(upper) - len(lower)) == int(spec.factors["count"]) % 2

    def test_the_layout_is_the_stated_one(self, figure):
        for spec in base_figures(figure):
            upper, lower = rows(spec)
            first_x = [spec.parameters["centres"][row[0]][0] for row in (upper, lower)]
            layout = {
                (1, True): "top_longer",
                (-1, False): "bottom_longer",
                (0, True): "bottom_shifted_right",
                (0, False): "bottom_shifted_left",
            }[len(upper) - len(lower), bool(first_x[1] > first_x[0])]
            assert layout == spec.factors["layout"]


class TestPixels:
    def test_the_shapes_hang_together_and_are_all_visible_in_the_faintest_rendering(self):
        for figure in FIGURES[:2]:
            for spec in specs(figure):
                if spec.factors["canvas"] != "384x385" or spec.factors["line_width"] != "0.5":
                    continue
                image = samples.draw(figure, spec.parameters).pixels.astype(int)
                ink = ndimage.maximum_filter(255 - image.min(axis=-1), size=3)
                assert ndimage.label(ink >= 40, np.ones((3, 3)))[1] == 1
                for outline in outlines(spec) * spec.parameters["side_px"]:
                    column, row = np.floor(outline).astype(int).T
                    assert ink[row, column].min() >= 40

    def test_colours_differ_between_all_shapes_of_an_image(self):
        for spec in specs("olympic_shapes"):
            if spec.factors["colour"] == "black" or spec.factors["canvas"] != "769x770":
                continue
            image = samples.draw("olympic_shapes", spec.parameters).pixels
            ink = image[(image < 255).any(axis=-1)]
            found = {
                colour
                for colour in shapes.PALETTE
                if (ink == np.array(colour)).all(axis=-1).sum() > 10
            }
            assert len(found) == int(spec.factors["count"])

    def test_release_v1_spreads_colours_and_final_takes_the_first(self):
        def colours(figure):
            spec = next(
                s
                for s in specs(figure)
                if s.factors["colour"] == "colored" and s.factors["canvas"] == "1155"
            )
            image = samples.draw(figure, spec.parameters).pixels
            return [
                index
                for index, colour in enumerate(shapes.PALETTE)
                if (image == np.array(colour)).all(axis=-1).any()
            ]

        assert colours("olympic_shapes") == [0, 2, 5, 7, 9]
        assert colours("olympic_shapes_final") == [0, 1, 2, 3, 4]
