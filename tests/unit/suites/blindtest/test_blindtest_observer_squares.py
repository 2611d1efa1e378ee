"""Counting nested squares drawn by matplotlib, as the originals were."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.seeing import measure_squares


def outlines(boxes, points) -> np.ndarray:
    """Outlines of (left, bottom, width, height) in 30 units on 770 of 1000 px."""
    figure = Figure(figsize=(10, 10), dpi=100)
    axes = figure.add_axes([0.125, 0.11, 0.77, 0.77], xlim=(-15, 15), ylim=(-15, 15))
    axes.axis("off")
    for left, bottom, width, height in boxes:
        right, top = left + width, bottom + height
        xs, ys = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
        axes.plot(xs, ys, "k-", linewidth=points)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def nested(generator, depth):
    """The original's rule: 0.75 of the side less 0.75 units, shifted at random inside."""
    centre, side = generator.uniform(-5, 5, 2), generator.uniform(8, 18)
    boxes = [(*(centre - side / 2), side, side)]
    for _ in range(depth - 1):
        inner = 0.75 * side - 0.75
        centre = centre + generator.uniform(-1, 1, 2) * (side - inner - 0.75) / 2
        side = inner
        boxes.append((*(centre - side / 2), side, side))
    return boxes


@pytest.mark.parametrize("points", [2, 3, 4])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_nested_squares_are_counted_at_every_line_width(depth, points):
    generator = np.random.default_rng(depth)
    for _ in range(2):
        assert measure_squares(outlines(nested(generator, depth), points)) == str(depth)


def test_a_rectangle_is_no_square():
    with pytest.raises(AfterimageError, match="looked for squares and found an outline of"):
        measure_squares(outlines([(-5, -5, 10, 10), (-3, -3, 6, 4)], 3))


def test_a_filled_square_is_no_outline():
    image = np.full((200, 200, 3), 255, dtype=np.uint8)
    image[50:120, 50:120] = 0
    with pytest.raises(AfterimageError, match="found a filled shape of 70 x 70 px"):
        measure_squares(image)


def test_squares_side_by_side_are_not_nested():
    with pytest.raises(AfterimageError, match="not inside the next larger one"):
        measure_squares(outlines([(-10, -5, 8, 8), (2, -5, 6, 6)], 3))


def test_an_empty_image_is_an_error():
    with pytest.raises(AfterimageError, match="found an empty image"):
        measure_squares(np.full((100, 100, 3), 255, dtype=np.uint8))
