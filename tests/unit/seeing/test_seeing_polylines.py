"""Counting crossings on figures drawn by matplotlib, as the originals were, not by this package."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.seeing.fits import fit_polylines


def pixels_of(figure: Figure) -> np.ndarray:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def wide_figure(lower, upper, points, colours=("red", "blue")) -> np.ndarray:
    """A figure like the first release's: 1000 x 500 px, autoscaled, the second line on top."""
    figure = Figure(figsize=(10, 5), dpi=100)
    axes = figure.add_subplot()
    for ordinates, colour in zip((lower, upper), colours, strict=True):
        axes.plot([0, 1, 2], ordinates, color=colour, linewidth=points)
    axes.axis("off")
    return pixels_of(figure)


def square_figure(lower, upper, points, side) -> np.ndarray:
    """A figure like the later release's: drawn large, data range 0 to 5, resized."""
    figure = Figure(figsize=(5, 5), dpi=500)
    axes = figure.add_axes([0, 0, 1, 1], xlim=(0, 5), ylim=(0, 5))
    for ordinates, colour in ((lower, "blue"), (upper, "red")):
        axes.plot([0.04, 2.5, 4.96], ordinates, color=colour, linewidth=points)
    axes.axis("off")
    return np.asarray(Image.fromarray(pixels_of(figure)).resize((side, side)))


@pytest.mark.parametrize(
    ("first", "second", "crossings"),
    [([0, 5, 2], [1, 10, 7], 0), ([0, 5, 9], [2, 10, 7], 1), ([8, 1, 9], [2, 10, 3], 2)],
)
@pytest.mark.parametrize("points", [2, 3, 4])
def test_crossings_of_a_wide_figure_are_counted_at_every_line_width(
    first, second, crossings, points
):
    assert fit_polylines(wide_figure(first, second, points)).crossings == crossings


@pytest.mark.parametrize("side", [384, 768, 1152])
@pytest.mark.parametrize("points", [2, 4])
def test_crossings_of_a_square_figure_are_counted_at_every_size(points, side):
    image = square_figure([1.25, 4.96, 0.04], [0.85, 0.4, 4.6], points, side)
    assert fit_polylines(image).crossings == 1


@pytest.mark.parametrize("gap_px", [-5.5, -1.1, 1.1, 5.5])
@pytest.mark.parametrize("vertex", [0, 1, 2])
def test_the_side_decides_where_lines_visually_touch_at_a_vertex(vertex, gap_px):
    first = np.array([2.0, 10.0, 0.0])
    second = np.array([8.0, 4.0, 6.0])
    second[vertex] = first[vertex] + gap_px / 35
    above = np.sign(second - first)
    crossings = int(np.count_nonzero(above[1:] != above[:-1]))
    assert fit_polylines(wide_figure(first, second, 4)).crossings == crossings


@pytest.mark.parametrize("signs", [(1, -1, 1), (1, 1, -1), (-1, -1, -1)])
def test_lines_that_hide_each_other_most_of_the_way_are_told_apart(signs):
    first = np.array([0.0, 10.0, 4.0])
    gaps_px = np.array(signs) * np.array([4.0, 3.0, 5.0])
    image = wide_figure(first, first + gaps_px / 35, 4)
    fitted = fit_polylines(image)
    found = np.abs(fitted.y[0] - fitted.y[1])
    assert found == pytest.approx(np.abs(gaps_px), abs=0.2)
    assert fitted.crossings == np.count_nonzero(np.diff(signs))


def test_vertices_are_found_to_a_fraction_of_a_pixel_under_the_caps():
    fitted = fit_polylines(wide_figure([0, 5, 9], [2, 10, 7], 3))
    assert fitted.x == pytest.approx([160.2, 512.5, 864.8], abs=0.15)
    assert fitted.width == pytest.approx(3 * 100 / 72, abs=0.1)


def test_neither_the_colours_nor_which_line_is_on_top_matter():
    first, second = [0, 5, 9], [2, 10, 7]
    one = fit_polylines(wide_figure(first, second, 4))
    other = fit_polylines(wide_figure(second, first, 4, colours=("green", "darkorange")))
    assert one.crossings == other.crossings == 1


def test_a_single_line_is_an_error_that_says_what_was_looked_for():
    image = wide_figure([0, 5, 9], [2, 10, 7], 2, colours=("red", "red"))
    with pytest.raises(AfterimageError, match="two polylines in two colours and found one"):
        fit_polylines(image)


def test_an_empty_image_is_an_error():
    with pytest.raises(AfterimageError, match="found an empty image"):
        fit_polylines(np.full((100, 200, 3), 255, dtype=np.uint8))
