"""Following coloured paths drawn by matplotlib, as the originals were."""

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.seeing.strokes import trace_paths
from afterimage.suites.blindtest.seeing import STATIONS, measure_paths

TAB10 = matplotlib.colormaps["tab10"].colors
LABELS = {"A": (8.45, 16.5), "B": (16.5, 8.6), "C": (8.45, 0.6), "D": (0.4, 8.6)}

A_TO_B = [(8, 16), (8, 12), (12, 12), (12, 10), (16, 10)]
A_TO_C = [(9, 16), (9, 9), (6, 9), (6, 5), (9, 5), (9, 2)]
B_TO_D = [(16, 8), (13, 8), (13, 13), (5, 13), (5, 9), (2, 9)]
C_TO_D = [(8, 2), (8, 10), (2, 10)]
#: Turns at the corner at which another path turns: they touch without sharing an edge.
A_TO_D = [(10, 16), (10, 11), (4, 11), (4, 8), (2, 8)]
C_TO_B = [(10, 2), (10, 9), (16, 9)]


def network(*paths, side=512, points=10, oversampling=2, gap=None) -> np.ndarray:
    figure = Figure(figsize=(18, 18), dpi=side * oversampling / 18)
    axes = figure.add_axes([0, 0, 1, 1], xlim=(0, 18), ylim=(0, 18))
    axes.axis("off")
    for path, colour in zip(paths, TAB10, strict=False):
        axes.plot(*zip(*path, strict=True), color=colour, linewidth=points)
    if gap:
        axes.plot(*zip(*gap, strict=True), color="white", linewidth=3 * points)
    for label, (x, y) in LABELS.items():
        axes.text(x, y, label, fontsize=100, fontweight="bold")
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
    return np.asarray(image.resize((side, side), Image.Resampling.LANCZOS))


@pytest.mark.parametrize("side", [512, 1024])
@pytest.mark.parametrize("points", [10, 20])
def test_crossing_paths_are_told_apart_at_every_size_and_line_width(points, side):
    image = network(A_TO_B, A_TO_C, B_TO_D, C_TO_D, side=side, points=points, oversampling=1)
    assert measure_paths(image) == "AB=1;AC=1;AD=0;BC=0;BD=1;CD=1"


def test_all_six_colours_are_told_apart():
    image = network(A_TO_B, A_TO_C, B_TO_D, C_TO_D, A_TO_D, C_TO_B, points=20)
    assert measure_paths(image) == "AB=1;AC=1;AD=1;BC=1;BD=1;CD=1"


def test_two_paths_between_the_same_stations_count_twice():
    image = network([(8, 16), (8, 2)], [(10, 16), (10, 2)], [(16, 9), (2, 9)])
    assert measure_paths(image) == "AB=0;AC=2;AD=0;BC=0;BD=1;CD=0"


def test_which_stations_a_path_joins_does_not_depend_on_the_order_of_drawing():
    paths = [A_TO_B, A_TO_C, B_TO_D, C_TO_D]
    found = (trace_paths(network(*drawn), STATIONS) for drawn in (paths, paths[::-1]))
    assert [sorted(ends) for ends in found] == [["AB", "AC", "BD", "CD"]] * 2


def test_a_path_with_a_gap_is_an_error():
    paths = (A_TO_C, [(16, 8), (2, 8)])
    assert measure_paths(network(*paths)) == "AB=0;AC=1;AD=0;BC=0;BD=1;CD=0"
    with pytest.raises(AfterimageError, match="in pieces that no crossing explains"):
        measure_paths(network(*paths, gap=[(12, 8), (13, 8)]))


def test_a_path_that_ends_nowhere_is_an_error():
    dead_end = [(9, 16), (9, 10), (6, 10)]
    with pytest.raises(AfterimageError, match="ends at stations: A"):
        measure_paths(network([(16, 8), (2, 8)], dead_end, [(8, 2), (8, 5), (2, 5), (2, 9)]))


def test_an_image_without_colours_is_an_error():
    with pytest.raises(AfterimageError, match="found no colour"):
        measure_paths(network())
