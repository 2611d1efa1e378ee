"""What something looks like is decided by the templates that are handed over."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from afterimage.errors import AfterimageError
from afterimage.seeing.marks import Plate, find_plate, read_glyph
from afterimage.seeing.pieces import likeness, paper, pieces

GREY, RED, BLUE = (184, 184, 184), (200, 30, 40), (30, 60, 190)


def drawn(paint, background=GREY, size=200):
    image = Image.new("RGB", (size, size), background)
    paint(ImageDraw.Draw(image))
    return np.asarray(image)


def bar(rows, columns, shape=(8, 8)):
    mask = np.zeros(shape, bool)
    mask[rows, columns] = True
    return mask


TEMPLATES = {
    "full": bar(slice(None), slice(None)),
    "left": bar(slice(None), slice(0, 4)),
    "upper": bar(slice(0, 4), slice(None)),
}


class TestPieces:
    def test_each_piece_has_its_box_its_colour_and_its_ink(self):
        def paint(brush):
            brush.rectangle((20, 30, 79, 59), fill=RED)
            brush.rectangle((120, 100, 159, 179), fill=BLUE)

        found = {piece.bbox: piece for piece in pieces(drawn(paint))}
        assert set(found) == {(20.0, 30.0, 60.0, 30.0), (120.0, 100.0, 40.0, 80.0)}
        red, blue = found.values()
        assert (tuple(red.colour), red.ink) == (RED, 60 * 30)
        assert (tuple(blue.colour), blue.ink) == (BLUE, 40 * 80)
        assert blue.coverage.shape == (80, 40)

    def test_specks_are_no_pieces_and_an_empty_paper_has_none(self):
        with pytest.raises(AfterimageError, match=r"looked for objects on paper .* found none"):
            list(pieces(drawn(lambda brush: brush.rectangle((50, 50, 53, 53), fill=RED))))

    def test_paper_of_several_colours_is_refused(self):
        with pytest.raises(AfterimageError, match="found several colours"):
            paper(np.tile(np.array([[[0.0] * 3], [[200.0] * 3]]), (50, 100, 1)))

    @pytest.mark.parametrize("shape", [(8, 8), (40, 24), (25, 50)])
    def test_the_likest_template_comes_first_whatever_the_size(self, shape):
        coverage = np.zeros(shape)
        coverage[:, : shape[1] // 2] = 1
        found = likeness(coverage, TEMPLATES)
        assert [name for name, _ in found] == ["left", "full", "upper"]
        assert [like for _, like in found] == pytest.approx([1, 1 / 2, 1 / 3], abs=0.05)

    def test_another_set_of_templates_gives_other_names(self):
        found = likeness(np.ones((20, 20)), {"door": TEMPLATES["full"], "step": TEMPLATES["upper"]})
        assert found == [("door", 1.0), ("step", 0.5)]


class TestDots:
    def plate(self, inside):
        """A square lattice of dots, of which a function of place (0 to 1) says which form the glyph."""
        grid = np.linspace(0, 1, 21)
        x, y = (axis.ravel() for axis in np.meshgrid(grid, grid))
        of_glyph = inside(x, y)
        count = len(x)
        return Plate(np.stack([x, y], axis=1), np.ones(count), np.zeros((count, 3)), of_glyph)

    def test_the_glyph_is_the_template_that_parts_the_dots_best(self):
        shapes = {
            "block": bar(slice(None), slice(None), (90, 90)),
            "ring": ~bar(slice(30, 60), slice(30, 60), (90, 90)),
        }
        ring = self.plate(lambda x, y: (np.abs(x - 0.5) > 0.17) | (np.abs(y - 0.5) > 0.17))
        assert read_glyph(ring, shapes) == ("ring", 1.0)
        assert read_glyph(ring, {"block": shapes["block"]}) == ("block", 0.5)

    def test_few_dots_are_no_plate(self):
        def paint(brush):
            for index in range(79):
                x, y = 20 + 15 * (index % 11), 20 + 15 * (index // 11)
                brush.ellipse((x, y, x + 8, y + 8), fill=RED if index % 2 else BLUE)

        assert find_plate(drawn(paint, "white")) is None
