"""Touching and overlapping discs drawn by matplotlib, as the originals were."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from afterimage.errors import AfterimageError
from afterimage.seeing.fits import fit_discs, gap_px
from afterimage.suites.blindtest.seeing import measure_circles

BLUE, MAGENTA = (0, 117 / 255, 1), (234 / 255, 0, 1)
DIRECTIONS = {"horizontal": 0, "vertical": 90, "diagonal_1": -45, "diagonal_2": 45}


def two_discs(side, diameter, gap, degrees, colours=(BLUE, MAGENTA), patch=Circle) -> np.ndarray:
    figure = Figure(figsize=(5, 5), dpi=side / 5)
    axes = figure.add_axes([0, 0, 1, 1], xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    step = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    step = step * diameter * (1 + gap) / 2
    for centre, colour in zip((0.5 - step, 0.5 + step), colours, strict=True):
        sizes = (diameter / 2,) if patch is Circle else (diameter, diameter)
        axes.add_patch(patch(centre, *sizes, facecolor=colour, edgecolor="none"))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("gap", "answer"),
    [
        (-0.15, "overlap=Yes;touch=Yes"),
        (-0.05, "overlap=Yes;touch=Yes"),
        (0.0, "overlap=No;touch=Yes"),
        (0.05, "overlap=No;touch=No"),
        (0.5, "overlap=No;touch=No"),
    ],
)
@pytest.mark.parametrize("side", [385, 770])
def test_tangent_is_told_from_the_nearest_overlap_and_the_nearest_gap(side, direction, gap, answer):
    assert measure_circles(two_discs(side, 1 / 7, gap, DIRECTIONS[direction])) == answer


@pytest.mark.parametrize("gap", [-0.15, 0.0, 0.3])
def test_the_gap_is_measured_to_a_fraction_of_a_pixel(gap):
    first, second = fit_discs(two_discs(1155, 0.25, gap, 45))
    assert gap_px(first, second) == pytest.approx(gap * 0.25 * 1155, abs=0.2)


def test_a_column_cropped_from_the_canvas_changes_nothing():
    image = two_discs(385, 0.2, 0.0, 0)
    assert measure_circles(image[:, :384]) == measure_circles(image)


def test_other_colours_on_either_side_give_the_same_answer():
    image = two_discs(385, 0.2, -0.05, 90, colours=((0.8, 0, 0), (0, 0.6, 0)))
    assert measure_circles(image) == "overlap=Yes;touch=Yes"


def test_squares_are_no_discs():
    with pytest.raises(AfterimageError, match="not round"):
        measure_circles(two_discs(385, 0.2, 0.3, 0, patch=Rectangle))


def test_one_disc_is_an_error():
    with pytest.raises(AfterimageError, match="two discs in two colours and found one"):
        measure_circles(two_discs(385, 0.2, 0.3, 0, colours=(BLUE, BLUE)))
