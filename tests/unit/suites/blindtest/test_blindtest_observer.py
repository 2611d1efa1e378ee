"""The observer: what each task shows, drawn as the originals were, and what each prompt asks for."""

from itertools import cycle
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle
from PIL import Image, ImageDraw, ImageFont

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.grading.readers import choice, integer, letter, rows_columns, short_text, yes_no
from afterimage.seeing.fits import fit_discs, gap_px
from afterimage.seeing.strokes import trace_paths
from afterimage.suites.blindtest import seeing
from afterimage.suites.blindtest.seeing import (
    STATIONS,
    TASKS,
    answer,
    measure,
    measure_circles,
    measure_grid,
    measure_paths,
    measure_shapes,
    measure_squares,
    phrase,
    task_of_question,
)

# ---- Each prompt is understood and answered in the form it asks for ----


PROMPT_FILE = Path(__file__).resolve().parents[4] / "resources" / "prompts" / "blindtest.yaml"
PROMPTS = read_yaml(PROMPT_FILE)["prompts"]
SLOTS = {"{shapes}": "pentagons", "{station1}": "C", "{station2}": "A"}
#: For each task a measured value, the grader of its answers and what it must read.
CASES = {
    "line_intersection": ("2", integer, "2"),
    "two_circles": ("overlap=No;touch=Yes", yes_no, {"overlap": "No", "touch": "Yes"}),
    "circled_letter": ("e", letter, "e"),
    "olympic_shapes": ("7", integer, "7"),
    "nested_squares": ("4", integer, "4"),
    "grid": ("5x6", rows_columns, "5x6"),
    "plain_string": ("tHyUiKaRbNqWeOpXcZvM", short_text, "tHyUiKaRbNqWeOpXcZvM"),
    "plain_shape": ("triangle", choice, "triangle"),
    "subway": ("AB=0;AC=3;AD=1;BC=2;BD=0;CD=0", integer, "3"),
}


def wording(prompt: str) -> str:
    text = PROMPTS[prompt]["text"]
    for slot, filling in SLOTS.items():
        text = text.replace(slot, filling)
    return text


@pytest.mark.parametrize("prompt", PROMPTS)
def test_each_prompt_of_the_suite_sets_its_own_task(prompt):
    assert task_of_question(wording(prompt))[0] == PROMPTS[prompt]["task"]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_reply_to_each_prompt_is_read_as_the_measured_answer(prompt):
    value, grader, expected = CASES[PROMPTS[prompt]["task"]]
    if isinstance(expected, dict):
        expected = expected[PROMPTS[prompt]["question"]]
    reply = phrase(wording(prompt), value)
    option = PROMPTS[prompt].get("options", {}).get(value, value)
    options = [(value, option)] if grader in (choice, short_text) else []
    assert str(grader.parse(reply, options).answer).lower() == expected.lower()


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        ("line_v1_intersect", "2"),
        ("line_final_count", "{2}"),
        ("circles_touch", "Yes"),
        ("circles_overlap", "No"),
        ("letter_circled", 'The letter "e"'),
        ("shapes_howmany", "7"),
        ("shapes_count", "{7}"),
        ("nested_count_plain", "4"),
        ("grid_count", "rows={5} columns={6}"),
        ("grid_howmany", "(5,6)"),
        ("subway_count", "{3}"),
        ("circles_touch_es", "Yes"),
        ("circles_overlap_es", "No"),
        ("grid_howmany_es", "(5,6)"),
        ("shape_which_es", "triángulo"),
    ],
)
def test_replies_have_the_form_that_the_prompt_asks_for(prompt, reply):
    assert phrase(wording(prompt), CASES[PROMPTS[prompt]["task"]][0]) == reply


@pytest.mark.parametrize(("stations", "count"), [("B to C", 2), ("C to B", 2), ("D to A", 1)])
def test_the_order_in_which_stations_are_named_does_not_matter(stations, count):
    text = f"How many single-colored paths go from {stations}? Answer in curly brackets, e.g. {{3}}"
    assert phrase(text, CASES["subway"][0]) == f"{{{count}}}"


def test_paths_from_a_station_to_itself_are_an_error():
    with pytest.raises(AfterimageError, match="expected two different stations"):
        phrase("How many single-colored paths go from A to A?", CASES["subway"][0])


@pytest.mark.parametrize(
    "text",
    ["What colour is the sky?", "Which line is longer?", "Are the two triangles overlapping?", ""],
)
def test_a_question_that_sets_no_task_is_an_error(text):
    with pytest.raises(AfterimageError, match="sets none of the tasks"):
        answer(np.full((100, 100, 3), 255, dtype=np.uint8), text)


@pytest.mark.parametrize("task", TASKS)
def test_an_empty_image_shows_no_task(task):
    with pytest.raises(AfterimageError, match=r"looked for .* and found"):
        measure(np.full((100, 100, 3), 255, dtype=np.uint8), task)


@pytest.mark.parametrize("task", TASKS)
def test_a_black_image_shows_no_task(task):
    with pytest.raises(AfterimageError, match="figure on white and found 0% of the image white"):
        measure(np.zeros((100, 100, 3), dtype=np.uint8), task)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((100, 100), dtype=np.uint8),
        np.zeros((100, 100, 4), dtype=np.uint8),
        np.zeros((100, 100, 3)),
        np.zeros((20, 100, 3), dtype=np.uint8),
    ],
    ids=["gray", "alpha", "float", "small"],
)
def test_an_array_that_is_no_image_is_an_error(image):
    with pytest.raises(AfterimageError, match="an image"):
        measure(image, "grid")


def test_two_prompts_about_one_image_measure_it_once(monkeypatch):
    measured = []
    monkeypatch.setitem(
        seeing._MEASURES, "grid", lambda image: measured.append(image.shape) or "5x6"
    )
    image = np.full((101, 103, 3), 250, dtype=np.uint8)
    assert answer(image, wording("grid_count")) == "rows={5} columns={6}"
    assert answer(image.copy(), wording("grid_howmany")) == "(5,6)"
    assert measured == [(101, 103, 3)]
    assert answer(image + 1, wording("grid_howmany")) == "(5,6)"
    assert len(measured) == 2


TAB10 = matplotlib.colormaps["tab10"].colors


def pixels_of(figure) -> np.ndarray:
    """Return what matplotlib draws, RGB."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


# ---- Touching and overlapping discs, by matplotlib ----


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
    return pixels_of(figure)


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


# ---- Rows and columns of grids, by Pillow, resized ----


DEJAVU = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
DRAWN = 2000


def grid(rows, columns, width, side, words=()) -> np.ndarray:
    image = Image.new("RGB", (DRAWN, DRAWN), "white")
    draw = ImageDraw.Draw(image)
    for index in range(rows + 1):
        y = index * (DRAWN - width) / rows + width / 2
        draw.line((0, y, DRAWN, y), fill="black", width=width)
    for index in range(columns + 1):
        x = index * (DRAWN - width) / columns + width / 2
        draw.line((x, 0, x, DRAWN), fill="black", width=width)
    if words:
        font = ImageFont.truetype(DEJAVU, int(0.2 * DRAWN / max(rows, columns)))
        source = cycle(words)
        for row in range(rows):
            for column in range(columns):
                at = ((column + 0.54) * DRAWN / columns, (row + 0.5) * DRAWN / rows)
                draw.text(at, next(source), font=font, fill="black", anchor="mm")
    if side != DRAWN:
        image = image.resize((side, side), Image.Resampling.BICUBIC)
    return np.asarray(image)


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (3, 4), (9, 8), (7, 8), (10, 10)])
@pytest.mark.parametrize("words", [(), ("apple", "HHHHHH", "------")], ids=["blank", "text"])
@pytest.mark.parametrize("width", [10, 20])
def test_rows_and_columns_are_counted_whatever_stands_in_the_cells(rows, columns, words, width):
    assert measure_grid(grid(rows, columns, width, 500, words)) == f"{rows}x{columns}"


def test_the_drawn_size_gives_the_same_answer():
    assert measure_grid(grid(4, 5, 10, 2000, ("apple",))) == "4x5"


def test_a_line_with_a_gap_is_no_line():
    image = grid(4, 5, 20, 500).copy()
    lines = np.flatnonzero((image[..., 0] < 128).mean(axis=1) > 0.9)
    inner = lines[(lines > 100) & (lines < 150)]
    image[inner[0] - 2 : inner[-1] + 3, 200:280] = 255
    assert measure_grid(image) == "3x5"


def test_text_alone_is_no_grid():
    image = Image.new("RGB", (500, 500), "white")
    font = ImageFont.truetype(DEJAVU, 40)
    ImageDraw.Draw(image).text((50, 200), "apple book car", font=font, fill="black")
    with pytest.raises(AfterimageError, match="looked for a grid and found 0 horizontal"):
        measure_grid(np.asarray(image))


# ---- Coloured paths, by matplotlib ----


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
    image = Image.fromarray(pixels_of(figure))
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


# ---- Outlines in two interlaced rows, by matplotlib ----


def interlaced(kind, upper, lower, size, side, points, colours, alpha=1.0, shift=1, slip=0.0):
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
    return pixels_of(figure)


@pytest.mark.parametrize("count", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("colours", [("black",), TAB10], ids=["black", "coloured"])
@pytest.mark.parametrize(("kind", "size"), [("circles", 0.1), ("pentagons", 0.05)])
def test_faint_small_outlines_are_counted_whichever_row_is_longer(kind, size, colours, count):
    more, fewer = -(-count // 2), count // 2
    for upper, lower in {(more, fewer), (fewer, more)}:
        image = interlaced(kind, upper, lower, size, 385, 0.5, colours)
        assert measure_shapes(image) == str(count)


@pytest.mark.parametrize("side", [770, 1155])
def test_large_outlines_are_counted_on_large_canvases(side):
    assert measure_shapes(interlaced("circles", 4, 3, 1 / 7, side, 1, TAB10)) == "7"
    assert measure_shapes(interlaced("pentagons", 3, 4, 1 / 14, side, 1, TAB10)) == "7"


@pytest.mark.parametrize("colour", [("black",), TAB10], ids=["black", "coloured"])
def test_translucent_pentagons_are_counted(colour):
    assert measure_shapes(interlaced("pentagons", 5, 4, 0.0625, 385, 0.5, colour, alpha=0.6)) == "9"


def test_an_outer_circle_slightly_out_of_place_is_counted_once():
    assert measure_shapes(interlaced("circles", 3, 3, 0.1, 385, 0.5, ("black",), slip=0.025)) == "6"


def test_a_row_shifted_to_the_left_is_counted():
    assert measure_shapes(interlaced("circles", 4, 4, 0.1, 385, 0.5, ("black",), shift=-1)) == "8"


# ---- Nested squares, by matplotlib ----


def outlines(boxes, points) -> np.ndarray:
    """Outlines of (left, bottom, width, height) in 30 units on 770 of 1000 px."""
    figure = Figure(figsize=(10, 10), dpi=100)
    axes = figure.add_axes([0.125, 0.11, 0.77, 0.77], xlim=(-15, 15), ylim=(-15, 15))
    axes.axis("off")
    for left, bottom, width, height in boxes:
        right, top = left + width, bottom + height
        xs, ys = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
        axes.plot(xs, ys, "k-", linewidth=points)
    return pixels_of(figure)


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
