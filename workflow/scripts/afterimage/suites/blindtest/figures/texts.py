"""Figures with text: strings with and without an oval round a letter, and grids."""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Polyline, Strokes
from afterimage.drawing.text import TextLine, box_of, typeface
from afterimage.suites.blindtest.figures import Drawn

# ---- Circled letter ----
#
# A string with a red oval round one of its letters.
# Paper, task 3. The oval starts from the original's half axes, 0.7 of the letter's advance and of its height, and grows
# until all ink of the letter lies inside the inner edge of the stroke, which in the original touches wide and slanting
# letters. Letters stand 0.12 em further apart than the font has them, which is what it takes to keep the middles of
# neighbours outside the widest strokes; the original's ovals run across narrow neighbours.

RED = Colour(255, 0, 0)
SIDE_PX = 512
#: Extra space between letters, em.
TRACKING_EM = 0.12
#: Between the letter's outline and the inner edge of the stroke, px: both edges fade over one px.
INNER_MARGIN_PX = 1.0
#: Free border round text and oval in further copies, px.
BORDER_PX = 6.0

_UNITS_PER_EM = 96
_HALF_AXES = 0.7
#: The inner half axis, in half widths of the letter, as far as the neighbours leave room: the nearer
#: to 1, the higher must the oval be.
_WIDTH_ROOM = 1.25
#: Between the outer edge of the stroke and a neighbour's middle or the canvas' border, px.
_OUTER_MARGIN_PX = 0.5
#: Corners of the polygon that stands for the oval; it strays from it by less than 0.01 px.
_CORNERS = 180
#: Least step in which an oval grows, px.
_GROWTH_PX = 0.02


def _circled_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the position of the line: in the middle or, in further copies, ``shift`` px away from it."""
    return {"shift_px": _shift_px(_needed_box(levels), generator) if copy else [0.0, 0.0]}


def _shift_px(
    box: tuple[float, float, float, float], generator: np.random.Generator
) -> list[float]:
    """Return a random shift of a box (left, top, right, bottom), px, that keeps it on the canvas."""
    left, top, right, bottom = box
    low = np.array([BORDER_PX - left, BORDER_PX - top])
    high = np.array([SIDE_PX - BORDER_PX - right, SIDE_PX - BORDER_PX - bottom])
    chosen = generator.uniform(np.minimum(low, 0), np.maximum(high, 0))
    shift: list[float] = (np.round(chosen * 8) / 8).tolist()
    return shift


def _circled_truth(parameters: Json) -> str:
    word: str = parameters["word"]
    return word[parameters["letter_index"]].lower()


def _draw_circled(**parameters: Any) -> Drawing:
    line = text_line(parameters)
    index, width = parameters["letter_index"], parameters["line_width_px"]
    x, y, half_width, half_height = oval(line, index, width)
    corners = np.array([x, y]) + _ellipse(half_width, half_height)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(line.polygons()), BLACK)
    canvas.paint(Polyline(corners, width, closed=True), RED)
    return Drawing(
        canvas.pixels(),
        {
            "font_size_px": round(line.size_px, 4),
            "oval_centre_px": [round(x, 4), round(y, 4)],
            "oval_half_axes_px": [round(half_width, 4), round(half_height, 4)],
        },
    )


def text_line(parameters: Json) -> TextLine:
    """Return the text as it is set: padding and advances together fill the canvas' width."""
    word, font = parameters["word"], typeface(parameters["font"])
    advances = sum(font.advance(letter) for letter in word) + TRACKING_EM * (len(word) - 1)
    units = _UNITS_PER_EM * advances + 2 * parameters["padding"]
    size = SIDE_PX / units * _UNITS_PER_EM
    _, top, _, bottom = TextLine(word, font, size, (0.0, 0.0)).ink_box()
    dx, dy = parameters["shift_px"]
    left = (SIDE_PX - advances * size) / 2
    baseline = SIDE_PX / 2 - (top + bottom) / 2
    return TextLine(word, font, size, (left + dx, baseline + dy), TRACKING_EM * size)


def oval(line: TextLine, index: int, width: float) -> tuple[float, float, float, float]:
    """Return the centre of the oval round a letter and its half axes, px, to the stroke's middle.

    As wide as the original's or as is good for its shape, but not so wide that its stroke reaches a
    neighbour's middle or the border; then as high as it must be to hold the letter.
    """
    outlines = line.glyph(index)
    left, top, right, bottom = box_of(outlines)
    x, y = (left + right) / 2, (top + bottom) / 2
    offsets = np.concatenate(outlines) - (x, y)
    rim = width / 2 + INNER_MARGIN_PX
    wanted = max(
        _HALF_AXES * line.size_px * line.typeface.advance(line.text[index]),
        _WIDTH_ROOM * (right - left) / 2 + rim,
    )
    half_width = min(wanted, _room(line, index, x) - width / 2 - _OUTER_MARGIN_PX)
    half_height = max(_HALF_AXES * (bottom - top), (bottom - top) / 2 + rim)
    while (missing := rim - _clearance(offsets, half_width, half_height)) > 0:
        half_height += max(missing, _GROWTH_PX)
    return x, y, half_width, half_height


def _clearance(offsets: np.ndarray, half_width: float, half_height: float) -> float:
    """Return the distance from points about the oval's centre to the oval, px."""
    # The oval is symmetric, so that one quarter of it is enough.
    quarter = _ellipse(half_width, half_height)[: _CORNERS // 4 + 1]
    right, down = np.abs(offsets).T[..., None] - quarter.T[:, None]
    return float(np.sqrt((right * right + down * down).min()))


def _ellipse(half_width: float, half_height: float) -> np.ndarray:
    angles = np.arange(_CORNERS) * (360 / _CORNERS)
    return np.stack([half_width * cosine(angles), half_height * sine(angles)], axis=-1)


def _room(line: TextLine, index: int, x: float) -> float:
    """Return the distance from ``x`` to the nearest middle of a neighbour or border, px."""
    neighbours = [other for other in (index - 1, index + 1) if 0 <= other < len(line.text)]
    boxes = [line.ink_box(other) for other in neighbours]
    middles = [(left + right) / 2 for left, _, right, _ in boxes]
    return min(abs(limit - x) for limit in (0, SIDE_PX, *middles))


def _needed_box(levels: Json) -> tuple[float, float, float, float]:
    """Return the box of text and oval of the unmoved line, for the widest stroke."""
    line = text_line({**levels, "shift_px": (0.0, 0.0)})
    left, top, right, bottom = line.ink_box()
    width = 6.0
    x, y, half_width, half_height = oval(line, levels["letter_index"], width)
    reach_x, reach_y = half_width + width / 2, half_height + width / 2
    return (
        min(left, x - reach_x),
        min(top, y - reach_y),
        max(right, x + reach_x),
        max(bottom, y + reach_y),
    )


CIRCLED_LETTER = Drawn(geometry=_circled_geometry, truth=_circled_truth, draw=_draw_circled)


# ---- Plain string ----
#
# A string as that with a circled letter, without the oval.


def _string_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the position of the line: in the middle or, in further copies, ``shift_px`` away from it."""
    box = text_line({**levels, "shift_px": (0.0, 0.0)}).ink_box()
    return {"shift_px": _shift_px(box, generator) if copy else [0.0, 0.0]}


def _string_truth(parameters: Json) -> str:
    return str(parameters["word"])


def _draw_string(**parameters: Any) -> Drawing:
    line = text_line(parameters)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(line.polygons()), BLACK)
    return Drawing(canvas.pixels(), {"font_size_px": round(line.size_px, 4)})


PLAIN_STRING = Drawn(geometry=_string_geometry, truth=_string_truth, draw=_draw_string)


# ---- Grids ----
#
# Rows and columns of black lines, blank or with a word in each cell.
# Paper, task 6. Each size is drawn as such and not reduced from the largest, so that every line has the same width.
# Words are drawn from a list by the base figure's generator; they and the shape are all that the renderings of a base
# figure share.

_GRID_WORDS = """
acorn actor amber anchor ankle apple apron arrow attic badge baker barn basin basket beach bean
bear bell bench berry bird boat bonnet book boot bottle bowl box branch bread brick bridge broom
brush bucket butter button cabin cactus cake camel candle canoe canvas carpet carrot castle cat
cedar cello chair chalk cheese cherry circle clay clock cloud clover coal coat coffee coin comb
copper coral corn cotton crayon cream crow crown cup daisy deer desk dinner dish dog dragon drawer
dress drum duck eagle easel elbow elm ember engine fabric falcon farm fence fern fiddle field
finger flag flame flour flower flute forest fork fox frame frog garden garlic gate glass globe
glove goat goose grape grass gravel guitar harbor hat hazel helmet hen hill honey horn horse hotel
house iron island ivory jacket jar jersey jewel jug juice kettle key kite kitten knee knife ladder
lake lamp leaf lemon letter lily lime lion lizard lock locket map maple marble market melon milk
mint mirror mitten moon moss motor mug nail napkin needle nest net nickel night novel oak oar ocean
olive onion orange orchid otter oven owl paddle palm panda paper parrot pasta path peach pear
pebble pencil pepper piano pickle pillow pilot pine planet plate plum pocket pond poppy potato
prune puddle purse quartz queen quilt rabbit radio rain ribbon rice ring river robin rocket rope
rose ruby saddle sail salt sand scarf school seed shell ship shirt shoe silk silver sky snail snow
soap sock spice spoon spring square stamp star steam stone stove straw street sugar sun table tea
teapot temple tent thread ticket tiger timber toast tomato tower train tree trunk tulip tunnel
turtle valley vase velvet violin wagon walnut water whale wheat wheel willow winter wool yarn zebra
"""

GRID_WORDS = tuple(_GRID_WORDS.split())

FONT = "LiberationSans"
#: Size of the text, fraction of the smaller side of a cell; its shift, fraction of the cell's width.
TEXT_SIZE, TEXT_SHIFT = 0.2, 0.04
#: In further copies the grid keeps up to this fraction of the side from each border.
MAX_INSET = 0.08

_NOMINAL_SIDE_PX = 2000
#: From the middle of a cell down to the baseline, fraction of the text's size: letters of middle
#: height, with and without ascenders and descenders, then lie about the middle.
_BASELINE = 0.27


def _grid_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return ``words`` row by row (none in a blank grid) and ``inset``, fractions of the side.

    The paper's grids fill the canvas; further copies have margins: left, top, right, bottom.
    """
    count = levels["rows"] * levels["columns"] if levels["kind"] == "text" else 0
    words = [GRID_WORDS[index] for index in generator.integers(len(GRID_WORDS), size=count)]
    inset = np.round(generator.uniform(0, MAX_INSET, size=4), 4).tolist() if copy else [0.0] * 4
    return {"words": words, "inset": inset}


def _grid_truth(parameters: Json) -> str:
    return f"{parameters['rows']}x{parameters['columns']}"


def _draw_grid(**parameters: Any) -> Drawing:
    side = parameters["side_px"]
    width = parameters["line_width_at_2000_px"] * side / _NOMINAL_SIDE_PX
    xs, ys = line_positions(parameters, width)
    half = width / 2
    starts = [(xs[0] - half, y) for y in ys] + [(x, ys[0] - half) for x in xs]
    ends = [(xs[-1] + half, y) for y in ys] + [(x, ys[-1] + half) for x in xs]
    canvas = Canvas(WHITE, side, side)
    canvas.paint(Strokes(np.array(starts), np.array(ends), width), BLACK)
    realised: dict[str, Any] = {"line_width_px": width}
    if parameters["words"]:
        lines = text_lines(parameters, xs, ys)
        canvas.paint(Region([polygon for line in lines for polygon in line.polygons()]), BLACK)
        realised["font_size_px"] = round(lines[0].size_px, 4)
    return Drawing(canvas.pixels(), realised)


def line_positions(parameters: Json, width: float) -> tuple[list[float], list[float]]:
    """Return x of the upright and y of the level lines' middles, px."""
    side, (left, top, right, bottom) = parameters["side_px"], parameters["inset"]
    return (
        _spaced(left * side, (1 - right) * side, parameters["columns"], width),
        _spaced(top * side, (1 - bottom) * side, parameters["rows"], width),
    )


def text_lines(parameters: Json, xs: list[float], ys: list[float]) -> list[TextLine]:
    cell_width, cell_height = xs[1] - xs[0], ys[1] - ys[0]
    size = TEXT_SIZE * min(cell_width, cell_height)
    font = typeface(FONT)
    lines = []
    for number, word in enumerate(parameters["words"]):
        row, column = divmod(number, parameters["columns"])
        left, _, right, _ = TextLine(word, font, size, (0.0, 0.0)).ink_box()
        x = xs[column] + cell_width * (0.5 + TEXT_SHIFT) - (left + right) / 2
        y = ys[row] + cell_height / 2 + _BASELINE * size
        lines.append(TextLine(word, font, size, (x, y)))
    return lines


def _spaced(low: float, high: float, cells: int, width: float) -> list[float]:
    return [low + width / 2 + index * (high - low - width) / cells for index in range(cells + 1)]


GRID = Drawn(geometry=_grid_geometry, truth=_grid_truth, draw=_draw_grid)
