"""Grids: complete lines of one width, and words that touch none of them (task 6)."""

from collections import Counter
from functools import cache

import blindtest_samples as samples
import numpy as np
import pytest
from scipy import ndimage

from afterimage.drawing.text import TextLine, typeface
from afterimage.suites.blindtest.figures.texts import GRID_WORDS
from afterimage.suites.blindtest.names import GRID_SHAPES


@cache
def specs(figure="grid"):
    return samples.specs(figure)


def of(figure="grid", **wanted):
    return [s for s in specs(figure) if all(s.factors[n] == v for n, v in wanted.items())]


def ink(spec, **changes):
    image = samples.draw("grid", {**spec.parameters, **changes}).pixels
    return 1 - image[..., 0] / 255.0


def runs(profile):
    """Amounts of ink in the separate runs of a profile."""
    labels, count = ndimage.label(profile > 0)
    return ndimage.sum_labels(profile, labels, range(1, count + 1))


class TestDesign:
    def test_shapes_are_the_22_that_were_released_and_balanced(self):
        assert {(3, 3), (3, 4), (4, 3), (9, 10), (10, 9), (10, 10)} <= set(GRID_SHAPES)
        assert not {(10, 11), (3, 5)} & set(GRID_SHAPES)
        counts = Counter((s.factors["subtask"], s.factors["truth"]) for s in specs())
        assert set(counts.values()) == {6}
        assert len(counts) == 44

    def test_size_and_width_tell_nothing_of_the_shape(self):
        shapes = {}
        for spec in specs():
            key = (spec.factors["canvas"], spec.factors["line_width"])
            shapes.setdefault(key, []).append(spec.factors["truth"])
        assert len(shapes) == 6
        assert len({tuple(found) for found in shapes.values()}) == 1


class TestLines:
    @pytest.mark.parametrize("canvas", ["500", "1250"])
    def test_all_lines_are_complete_and_of_one_width(self, canvas):
        for spec in of(subtask="blank", canvas=canvas):
            drawn = ink(spec)
            rows, columns = (int(spec.factors[name]) for name in ("rows", "columns"))
            width = int(spec.factors["line_width"]) * int(canvas) / 2000
            # No line of the other direction runs through the middle of a cell.
            cell = int(canvas) / columns, int(canvas) / rows
            for profile, count in (
                (drawn[:, int(cell[0] / 2)], rows + 1),
                (drawn[int(cell[1] / 2)], columns + 1),
            ):
                found = runs(profile)
                assert len(found) == count
                assert found == pytest.approx(np.full(count, width), abs=0.02)
            for border in (drawn[0], drawn[-1], drawn[:, 0], drawn[:, -1]):
                assert (border == 1).all()
            assert ndimage.label(drawn == 0)[1] == rows * columns

    def test_the_largest_size_is_drawn_alike(self):
        for spec in of(subtask="blank", canvas="2000")[::9]:
            rows, columns = (int(spec.factors[name]) for name in ("rows", "columns"))
            assert ndimage.label(ink(spec) == 0)[1] == rows * columns

    def test_copies_have_margins_and_all_their_lines(self):
        for spec in of("grid_copy001", subtask="blank", canvas="500"):
            drawn = ink(spec)
            rows, columns = (int(spec.factors[name]) for name in ("rows", "columns"))
            inset = np.array(spec.parameters["inset"]) * 500
            assert (drawn.sum(axis=0) > 0).sum() == pytest.approx(500 - inset[[0, 2]].sum(), abs=2)
            cells = ndimage.label(drawn == 0)[1]
            assert rows * columns <= cells <= rows * columns + 1


class TestWords:
    def test_there_is_one_word_of_the_list_per_cell(self):
        assert len(GRID_WORDS) == len(set(GRID_WORDS))
        assert all(3 <= len(word) <= 6 and word.isascii() and word.islower() for word in GRID_WORDS)
        font = typeface("LiberationSans")
        for word in GRID_WORDS:
            left, _, right, _ = TextLine(word, font, 1.0, (0.0, 0.0)).ink_box()
            assert right - left <= 3.2
        for spec in specs():
            count = int(spec.factors["rows"]) * int(spec.factors["columns"])
            is_text = spec.factors["subtask"] == "text"
            assert len(spec.parameters["words"]) == count * is_text
            assert set(spec.parameters["words"]) <= set(GRID_WORDS)

    def test_words_differ_between_grids_and_not_between_renderings(self):
        words = {}
        for spec in of(subtask="text"):
            words.setdefault(spec.factors["base_figure"], set()).add(
                tuple(spec.parameters["words"])
            )
        assert all(len(found) == 1 for found in words.values())
        assert len({found.pop()[:4] for found in words.values()}) == 22

    def test_words_come_from_the_seed(self):
        first, again, other = (
            samples.specs("grid", seed)[-1].parameters["words"] for seed in (1, 1, 2)
        )
        assert first == again != other

    @pytest.mark.parametrize("canvas", ["500", "1250"])
    def test_no_word_touches_a_line(self, canvas):
        chosen = of(subtask="text", canvas=canvas, line_width="20")
        for spec in chosen if canvas == "500" else chosen[::6]:
            lines = ink(spec, words=[])
            text = np.abs(ink(spec) - lines) > 0
            assert text.any()
            assert not (ndimage.binary_dilation(text, iterations=2) & (lines > 0)).any()

    def test_every_cell_has_its_word_inside(self):
        for spec in of(subtask="text", canvas="500", line_width="20")[::5]:
            lines = ink(spec, words=[])
            cells, count = ndimage.label(lines == 0)
            text = ink(spec) - lines > 0.3
            found = ndimage.maximum(text, cells, range(1, count + 1))
            assert count == len(spec.parameters["words"])
            assert found.all()
