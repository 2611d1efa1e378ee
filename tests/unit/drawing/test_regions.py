"""Areas inside polygons, and text set from glyph outlines."""

import numpy as np
import pytest

from afterimage.drawing import text
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.polygons import Region
from afterimage.drawing.text import TextLine, typeface
from afterimage.errors import AfterimageError

SQUARE = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]])
HOLE = np.array([[15.0, 15.0], [15.0, 25.0], [25.0, 25.0], [25.0, 15.0]])


def ink(shape, side=64):
    """Ink per pixel, 0 to 1."""
    canvas = Canvas(WHITE, side, side)
    canvas.paint(shape, BLACK)
    return 1 - canvas.pixels()[..., 0] / 255.0


class TestRegion:
    def test_a_rectangle_on_whole_pixels_is_exact(self):
        found = ink(Region([SQUARE]))
        assert (found[10:30, 10:30] == 1).all()
        assert found.sum() == 400

    def test_a_hole_that_runs_the_other_way_stays_empty(self):
        found = ink(Region([SQUARE, HOLE]))
        assert (found[15:25, 15:25] == 0).all()
        assert found.sum() == 300

    def test_a_hole_that_runs_the_same_way_is_filled(self):
        assert ink(Region([SQUARE, HOLE[::-1]])).sum() > 390

    def test_the_direction_of_the_outermost_outline_does_not_matter(self):
        reverse = Region([SQUARE[::-1], HOLE[::-1]])
        assert np.array_equal(ink(Region([SQUARE, HOLE])), ink(reverse))

    @pytest.mark.parametrize("shift", [0.0, 0.25, 0.5, 0.83])
    def test_the_ink_of_a_triangle_is_its_area(self, shift):
        triangle = np.array([[5.0, 50.0], [58.0, 44.0], [20.0, 6.0]]) + shift
        (ax, ay), (bx, by) = triangle[1] - triangle[0], triangle[2] - triangle[0]
        assert ink(Region([triangle])).sum() == pytest.approx(abs(ax * by - ay * bx) / 2, rel=0.005)

    def test_repeated_points_change_nothing(self):
        doubled = np.repeat(SQUARE, 2, axis=0)
        assert np.array_equal(ink(Region([doubled])), ink(Region([SQUARE])))

    def test_what_lies_outside_the_canvas_is_cut_off(self):
        assert ink(Region([SQUARE - 20])).sum() == 100


class TestTypefaces:
    @pytest.mark.parametrize("name", text.FILES)
    def test_every_font_has_the_letters_of_the_alphabet(self, name):
        for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
            assert typeface(name).polygons(character, 40)

    def test_liberation_sans_has_the_advances_of_helvetica(self):
        # Thousandths of an em, from Adobe's metrics of Helvetica.
        helvetica = {"A": 667, "c": 500, "k": 500, "n": 556, "w": 722, "l": 222, "m": 833, "t": 278}
        found = {letter: typeface("LiberationSans").advance(letter) for letter in helvetica}
        assert found == pytest.approx({k: v / 1000 for k, v in helvetica.items()}, abs=0.0006)

    def test_curves_are_cut_more_finely_for_larger_text(self):
        small, large = (typeface("OpenSans").polygons("o", size) for size in (10, 200))
        assert len(large[0]) > 4 * len(small[0])

    def test_an_unknown_font_and_a_missing_glyph_are_named(self):
        with pytest.raises(
            AfterimageError, match="unknown font 'OpenSan': did you mean 'OpenSans'"
        ):
            typeface("OpenSan")
        with pytest.raises(AfterimageError, match="font 'OpenSans': has no glyph for '\u4e00'"):
            typeface("OpenSans").advance("\u4e00")

    def test_a_changed_font_file_is_refused(self, tmp_path, monkeypatch):
        (tmp_path / "OpenSans-Regular.ttf").write_bytes(b"another font")
        monkeypatch.setattr(text, "FOLDER", tmp_path)
        with pytest.raises(AfterimageError, match=r"Regular\.ttf: found SHA-256 .*expected"):
            text.Typeface("OpenSans")
        with pytest.raises(AfterimageError, match=r"Sans-Regular\.ttf: no such file"):
            text.Typeface("LiberationSans")


class TestTextLine:
    def test_the_ink_lies_inside_the_ink_box(self):
        line = TextLine("Ag", typeface("OpenSans"), 30.0, (5.0, 40.0))
        left, top, right, bottom = line.ink_box()
        rows, columns = np.nonzero(ink(Region(line.polygons())) > 0)
        assert (left - 1 < columns).all() and (columns < right).all()
        assert (top - 1 < rows).all() and (rows < bottom).all()
        assert columns.min() == pytest.approx(left, abs=1)
        assert rows.max() + 1 == pytest.approx(bottom, abs=1)

    def test_tracking_widens_every_gap_between_letters_alike(self):
        font = typeface("LiberationSans")
        tight = TextLine("abc", font, 20.0, (0.0, 0.0)).starts()
        loose = TextLine("abc", font, 20.0, (0.0, 0.0), tracking_px=3.0).starts()
        assert np.subtract(loose, tight).tolist() == pytest.approx([0, 3, 6])

    def test_a_letters_ink_is_its_area_at_any_place(self):
        font = typeface("LiberationSans-Bold")
        amounts = [
            ink(Region(TextLine("B", font, 48.0, (9.0 + shift, 50.0)).polygons())).sum()
            for shift in (0.0, 0.3, 0.5, 0.71)
        ]
        assert np.ptp(amounts) < 0.01 * np.mean(amounts)
