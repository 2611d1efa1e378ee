"""Circled letters: the letter inside the oval, its neighbours outside (task 3)."""

from functools import cache

import blindtest_samples as samples
import numpy as np
import pytest
from scipy import ndimage

from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.polygons import Region
from afterimage.suites.blindtest.figures import texts


@cache
def specs(figure="circled_letter"):
    every = 1 if figure == "circled_letter" else 5
    return samples.specs(figure, 5)[::every]


@cache
def layouts(figure="circled_letter"):
    """Line, index, stroke width and oval (x, y, half axes) of every stimulus."""
    result = []
    for spec in specs(figure):
        line = texts.text_line(spec.parameters)
        index, width = spec.parameters["letter_index"], spec.parameters["line_width_px"]
        result.append((line, index, width, texts.oval(line, index, width)))
    return result


def radius(points, oval, change):
    """Distance of points from the oval's middle, in half axes made longer by ``change``."""
    x, y, a, b = oval
    offsets = (np.asarray(points) - (x, y)) / (a + change, b + change)
    return np.sqrt((offsets**2).sum(axis=-1))


def middle(line, index):
    left, top, right, bottom = line.ink_box(index)
    return (left + right) / 2, (top + bottom) / 2


@pytest.mark.parametrize("figure", ["circled_letter", "circled_letter_copy001"])
class TestGeometry:
    def test_all_ink_of_the_letter_lies_inside_the_strokes_inner_edge(self, figure):
        for line, index, width, oval in layouts(figure):
            outline = np.concatenate(line.glyph(index))
            assert radius(outline, oval, 0).max() < 1
            angles = np.linspace(0, 2 * np.pi, 360)
            ellipse = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * oval[2:] + oval[:2]
            apart = np.linalg.norm(outline[:, None] - ellipse[None], axis=-1).min()
            assert apart >= width / 2 + 0.9

    def test_the_middles_of_all_other_letters_lie_outside_the_strokes_outer_edge(self, figure):
        for line, index, width, oval in layouts(figure):
            others = [middle(line, other) for other in range(len(line.text)) if other != index]
            assert radius(others, oval, width / 2).min() > 1

    def test_the_oval_is_centred_on_the_letter(self, figure):
        for line, index, _, oval in layouts(figure):
            assert oval[:2] == pytest.approx(middle(line, index))

    def test_text_and_oval_lie_on_the_canvas(self, figure):
        for line, _, width, (x, y, a, b) in layouts(figure):
            reach = (a + width / 2, b + width / 2)
            left, top, right, bottom = line.ink_box()
            assert min(left, top, x - reach[0], y - reach[1]) >= 0
            assert max(right, bottom, x + reach[0], y + reach[1]) <= 512


class TestDesign:
    def test_padding_only_scales_the_text(self):
        sizes = {}
        for spec, (line, *_) in zip(specs(), layouts(), strict=True):
            key = (spec.factors["word"], spec.factors["font"], spec.factors["padding"])
            sizes.setdefault(key, set()).add(line.size_px)
            left, _, right, _ = line.ink_box()
            assert (left + right) / 2 == pytest.approx(256, abs=3)
        assert len(sizes) == 24
        assert all(len(found) == 1 for found in sizes.values())
        for word in {key[0] for key in sizes}:
            by_padding = [sizes[word, "OpenSans", p] for p in ("25", "50", "100", "200")]
            assert sorted(by_padding, key=max, reverse=True) == by_padding

    def test_ovals_move_to_the_right_with_the_index(self):
        series = {}
        for spec, (_, _, _, oval) in zip(specs(), layouts(), strict=True):
            key = tuple(spec.factors[name] for name in ("word", "font", "padding", "line_width"))
            series.setdefault(key, []).append(oval[0])
        assert len(series) == 72
        assert all((np.diff(xs) > 0).all() for xs in series.values())

    def test_the_key_is_the_letter_in_lower_case(self):
        for spec in specs():
            word, index = spec.factors["word"], int(spec.factors["letter_index"])
            assert spec.factors["truth"] == word[index].lower()


class TestPixels:
    @pytest.mark.parametrize("padding", ["25", "200"])
    def test_no_pixel_of_the_stroke_touches_the_letter(self, padding):
        chosen = [
            (spec, layout)
            for spec, layout in zip(specs(), layouts(), strict=True)
            if spec.factors["padding"] == padding and spec.factors["line_width"] == "6"
        ]
        for spec, (line, index, *_) in chosen[::3]:
            image = samples.draw("circled_letter", spec.parameters).pixels.astype(int)
            red = image[..., 0] - image[..., 1] > 0
            canvas = Canvas(WHITE, 512, 512)
            canvas.paint(Region(line.glyph(index)), BLACK)
            letter = canvas.pixels()[..., 0] < 255
            assert letter.any()
            assert not (red & letter).any()

    def test_the_stroke_is_one_closed_ring(self):
        for spec in specs()[::37]:
            image = samples.draw("circled_letter", spec.parameters).pixels.astype(int)
            ring = image[..., 0] - image[..., 1] > 127
            assert ndimage.label(ring, np.ones((3, 3)))[1] == 1
            assert ndimage.label(~ring)[1] == 2
