"""Grids: rows and columns of black lines, blank or with a word in each cell.

Paper, task 6. Each size is drawn as such and not reduced from the largest, so that every line
has the same width. Words are drawn from a list by the base figure's generator; they and the shape are
all that the renderings of a base figure share.
"""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Strokes
from afterimage.drawing.text import TextLine, typeface
from afterimage.suites.blindtest.seeding import seeded

_LIST = """
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

WORDS = tuple(_LIST.split())

FONT = "LiberationSans"
#: Size of the text, fraction of the smaller side of a cell; its shift, fraction of the cell's width.
TEXT_SIZE, TEXT_SHIFT = 0.2, 0.04
#: In further copies the grid keeps up to this fraction of the side from each border.
MAX_INSET = 0.08

_NOMINAL_SIDE_PX = 2000
#: From the middle of a cell down to the baseline, fraction of the text's size: letters of middle
#: height, with and without ascenders and descenders, then lie about the middle.
_BASELINE = 0.27


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return ``words`` row by row (none in a blank grid) and ``inset``, fractions of the side.

    The paper's grids fill the canvas; further copies have margins: left, top, right, bottom.
    """
    count = levels["rows"] * levels["columns"] if levels["kind"] == "text" else 0
    words = [WORDS[index] for index in generator.integers(len(WORDS), size=count)]
    inset = np.round(generator.uniform(0, MAX_INSET, size=4), 4).tolist() if copy else [0.0] * 4
    return {"words": words, "inset": inset}


def truth(parameters: Json) -> str:
    """Return rows by columns of the grid that is drawn."""
    return f"{parameters['rows']}x{parameters['columns']}"


def draw(**parameters: Any) -> Drawing:
    """Draw all lines, the frame included, and the words."""
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
    """Return the words as they are set, row by row."""
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
