"""Counting outlines drawn by matplotlib in two interlaced rows, as the originals were."""

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.seeing import measure_shapes

TAB10 = matplotlib.colormaps["tab10"].colors


def rows(kind, upper, lower, size, side, points, colours, alpha=1.0, shift=1, slip=0.0):
    """The original's layout; points are of a square of 277 points."""
    figure = Figure(figsize=(5, 5), dpi=side / 5)
    axes = figure.add_axes([0, 0, 1, 1], xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    if kind == "circles":
        pitch, drop = 1.05 * size, size / 2
    else:
        radius = size / (2 * np.sin(np.pi / 5))
        pitch = 2 * radius * np.cos(np.pi / 10) + 0.1 * size
        drop = radius * (np.cos(np.pi / 5) + np.sin(np.pi / 10))
    first = 0.5 - (max(upper, lower) - 1) * pitch / 2
    shifts = (0, shift * pitch / 2) if upper >= lower else (pitch / 2, 0)
    centres = [(first + shifts[0] + pitch * index, 0.6) for index in range(upper)]
    centres += [(first + shifts[1] + pitch * index, 0.6 - drop) for index in range(lower)]
    centres[-1] = (centres[-1][0] + slip * size, centres[-1][1])
    for index, (x, y) in enumerate(centres):
        style = {
            "fill": False,
            "edgecolor": colours[index % len(colours)],
            "linewidth": points * 360 / 277,
            "alpha": alpha,
        }
        if kind == "circles":
            axes.add_patch(Circle((x, y), size / 2, **style))
        else:
            angles = np.pi / 2 + np.arange(5) * 2 * np.pi / 5
            corners = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)
            axes.add_patch(Polygon(corners, closed=True, **style))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


@pytest.mark.parametrize("count", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("colours", [("black",), TAB10], ids=["black", "coloured"])
@pytest.mark.parametrize(("kind", "size"), [("circles", 0.1), ("pentagons", 0.05)])
def test_faint_small_outlines_are_counted_whichever_row_is_longer(kind, size, colours, count):
    more, fewer = -(-count // 2), count // 2
    for upper, lower in {(more, fewer), (fewer, more)}:
        image = rows(kind, upper, lower, size, 385, 0.5, colours)
        assert measure_shapes(image) == str(count)


@pytest.mark.parametrize("side", [770, 1155])
def test_large_outlines_are_counted_on_large_canvases(side):
    assert measure_shapes(rows("circles", 4, 3, 1 / 7, side, 1, TAB10)) == "7"
    assert measure_shapes(rows("pentagons", 3, 4, 1 / 14, side, 1, TAB10)) == "7"


@pytest.mark.parametrize("colour", [("black",), TAB10], ids=["black", "coloured"])
def test_translucent_pentagons_are_counted(colour):
    assert measure_shapes(rows("pentagons", 5, 4, 0.0625, 385, 0.5, colour, alpha=0.6)) == "9"


def test_an_outer_circle_slightly_out_of_place_is_counted_once():
    assert measure_shapes(rows("circles", 3, 3, 0.1, 385, 0.5, ("black",), slip=0.025)) == "6"


def test_a_row_shifted_to_the_left_is_counted():
    assert measure_shapes(rows("circles", 4, 4, 0.1, 385, 0.5, ("black",), shift=-1)) == "8"


def test_an_empty_image_is_an_error():
    with pytest.raises(AfterimageError, match="found an empty image"):
        measure_shapes(np.full((385, 385, 3), 255, dtype=np.uint8))
