"""Which stimuli each task has: a design of its name, in capitals. Standard library only.

Levels and counts are those behind the paper's tables (docs/blindtest.md). The releases differ in lines and interlaced
shapes alone.
"""

from collections.abc import Iterator
from itertools import product

from afterimage.contract.stimulus import Json
from afterimage.suites.blindtest.figures import Cell, Copies
from afterimage.suites.blindtest.names import GRID_SHAPES, OUTLINES, WORDS

_FIGURES = "afterimage.suites.blindtest.figures"

#: Width and height of the images of circles and of shapes, px, as the originals were saved; the page names the widths.
#: The height is the side that lengths are fractions of.
CANVASES = ((384, 385), (769, 770), (1155, 1155))


def canvas_name(width: int, height: int) -> str:
    """Return the factor ``canvas`` of an image, from px."""
    return str(width) if width == height else f"{width}x{height}"


# ---- Line intersections ----
#
# 150 images in release v1, 1,800 in release final (paper, task 1).

#: Class by number of the figure: 50 figures split into 17, 17 and 16, 300 into 100 each.
CLASSES = (0, 1, 2)

_V1_FIGURES = 50
_V1_WIDTHS_PT = (2, 3, 4)
_FINAL_FIGURES = 300
_FINAL_WIDTHS_PT = (2, 4)
_FINAL_SIDES_PX = (384, 768, 1152)


def _line_intersection_cells(release: str) -> Iterator[Cell]:
    """Yield the design of release ``v1`` (50 figures x 3 widths) or ``final`` (300 x 2 x 3 sizes)."""
    if release == "v1":
        for figure, width in product(range(_V1_FIGURES), _V1_WIDTHS_PT):
            base = f"f{figure:02d}"
            yield _lines_cell(f"{base}_w{width}", base, figure, width, (1000, 500), "1000x500")
        return
    for figure, width, side in product(range(_FINAL_FIGURES), _FINAL_WIDTHS_PT, _FINAL_SIDES_PX):
        base = f"f{figure:03d}"
        yield _lines_cell(f"{base}_w{width}_s{side}", base, figure, width, (side, side), str(side))


def _lines_cell(
    name: str, base: str, figure: int, width: int, canvas: tuple[int, int], size: str
) -> Cell:
    levels = {
        "canvas_px": list(canvas),
        "crossings": CLASSES[figure % len(CLASSES)],
        "line_width_pt": width,
    }
    factors = {
        "subtask": f"thickness_{width}",
        "canvas": size,
        "line_width": str(width),
    }
    return Cell(name, base, levels, factors)


LINE_INTERSECTION = Copies(_line_intersection_cells, f"{_FIGURES}.lines:LINE_INTERSECTION")


# ---- Two circles ----
#
# 4 diameters x 14 gaps x 4 orientations x 3 sizes = 672 (paper, task 2).

ORIENTATIONS = ("horizontal", "vertical", "diagonal_1", "diagonal_2")

_DIVISORS = (4, 5, 6, 7)
_GAPS_PERCENT = tuple(range(-15, 55, 5))


def _two_circles_cells(release: str) -> Iterator[Cell]:
    for divisor, percent, orientation, (width, height) in product(
        _DIVISORS, _GAPS_PERCENT, ORIENTATIONS, CANVASES
    ):
        sign = "m" if percent < 0 else ""
        base = f"d{divisor}_gap{sign}{abs(percent):02d}_{orientation}"
        levels = {
            "canvas_px": [width, height],
            "side_px": height,
            "diameter_divisor": divisor,
            "gap_percent": percent,
            "orientation": orientation,
        }
        factors = {
            "canvas": canvas_name(width, height),
            "diameter": f"{1 / divisor:.2f}",
            "gap": f"{percent / 100:.2f}",
            "orientation": orientation,
        }
        yield Cell(f"{base}_s{width}", base, levels, factors)


TWO_CIRCLES = Copies(_two_circles_cells, f"{_FIGURES}.shapes:TWO_CIRCLES")


# ---- Circled letter ----
#
# Every letter of three strings x 3 widths x 2 fonts x 4 paddings = 1,248.
# Paper, task 3.

#: LiberationSans has the advances of Helvetica, which may not be redistributed.
FONTS = ("LiberationSans", "OpenSans")
PADDINGS = (25, 50, 100, 200)
#: Width of the oval's stroke by its nominal points, px, as measured on the originals.
WIDTHS_PX = {4: 3.7, 5: 4.7, 6: 5.7}


def _circled_letter_cells(release: str) -> Iterator[Cell]:
    for word, font, padding in product(WORDS, FONTS, PADDINGS):
        for index, width in product(range(len(word)), WIDTHS_PX):
            base = f"{word.lower()}_{font.lower()}_p{padding:03d}_{index:02d}"
            levels = {
                "word": word,
                "letter_index": index,
                "font": font,
                "padding": padding,
                "line_width_px": WIDTHS_PX[width],
            }
            factors = {
                "subtask": word,
                "canvas": "512",
                "word": word,
                "letter_index": str(index),
                "font": font,
                "padding": str(padding),
                "line_width": str(width),
            }
            yield Cell(f"{base}_w{width}", base, levels, factors)


CIRCLED_LETTER = Copies(_circled_letter_cells, f"{_FIGURES}.texts:CIRCLED_LETTER")


# ---- Overlapping shapes ----
#
# 60 images per shape in release v1, 240 in release final.
# Paper, task 4. Release v1 is the part of the released images behind the published cells, the small size and the first
# layout of each number; the large size existed for few numbers only, so that size gave the number away. Release final
# has two sizes and both layouts throughout.

SHAPES = ("circles", "pentagons")
COUNTS = (5, 6, 7, 8, 9)
COLOURS = ("black", "colored")
#: Layouts of odd and of even numbers; release v1 has the first of each.
LAYOUTS = {
    1: ("top_longer", "bottom_longer"),
    0: ("bottom_shifted_right", "bottom_shifted_left"),
}

#: Diameter or side by its printed fraction of the canvas.
_SIZES = {
    "v1": {"circles": {"0.1": 1 / 10}, "pentagons": {"0.0625": 1 / 16}},
    "final": {
        "circles": {"0.1": 1 / 10, "0.14285": 1 / 7},
        "pentagons": {"0.05": 1 / 20, "0.07142": 1 / 14},
    },
}
#: How N colours are taken from the ten of the palette: spread evenly over it, or the first N.
_PALETTES = {"v1": "spread", "final": "first"}
_SHAPES_WIDTHS_PT = ("0.5", "1")


def _olympic_shapes_cells(release: str) -> Iterator[Cell]:
    for shape, count in product(SHAPES, COUNTS):
        layouts = LAYOUTS[count % 2]
        for (size, fraction), layout in product(
            _SIZES[release][shape].items(), layouts[:1] if release == "v1" else layouts
        ):
            base = f"{shape}_n{count}_d{size.replace('.', '')}_{layout}"
            for (across, high), width, colour in product(CANVASES, _SHAPES_WIDTHS_PT, COLOURS):
                levels = {
                    "shape": shape,
                    "count": count,
                    "size": fraction,
                    "layout": layout,
                    "canvas_px": [across, high],
                    "side_px": high,
                    "line_width_pt": float(width),
                    "colours": "black" if colour == "black" else _PALETTES[release],
                }
                factors = {
                    "subtask": shape,
                    "canvas": canvas_name(across, high),
                    "count": str(count),
                    "size": size,
                    "colour": colour,
                    "layout": layout,
                    "line_width": width,
                }
                name = f"{base}_s{across}_w{width.replace('.', '')}_{colour}"
                yield Cell(name, base, levels, factors)


OLYMPIC_SHAPES = Copies(_olympic_shapes_cells, f"{_FIGURES}.shapes:OLYMPIC_SHAPES")


# ---- Nested squares ----
#
# 4 depths x 10 figures x 3 widths = 120 (paper, task 5).
# The page has 10 images of each line width, whose squares lie at different places. In the authors' images these are the
# same 10 figures for each width, so that 40 are independent; ``squares_per_width`` draws 120, each for one width.

DEPTHS = (2, 3, 4, 5)

_FIGURES_PER_DEPTH = 10
_SQUARES_WIDTHS_PT = (2, 3, 4)


def _nested_squares_cells(release: str) -> Iterator[Cell]:
    for depth, figure, width in product(DEPTHS, range(_FIGURES_PER_DEPTH), _SQUARES_WIDTHS_PT):
        base = f"n{depth}_f{figure:02d}"
        levels = {"depth": depth, "line_width_pt": width}
        factors = {
            "subtask": f"depth_{depth}",
            "canvas": "1000",
            "depth": str(depth),
            "line_width": str(width),
        }
        yield Cell(f"{base}_w{width}", base, levels, factors)


def _squares_base(cell: Cell, settings: Json) -> str:
    return cell.name if settings["squares_per_width"] else cell.base


NESTED_SQUARES = Copies(
    _nested_squares_cells, f"{_FIGURES}.shapes:NESTED_SQUARES", base=_squares_base
)


# ---- Grids ----
#
# 2 kinds x 22 shapes x 3 sizes x 2 widths = 264 (paper, task 6).

KINDS = ("blank", "text")
_GRID_SIDES_PX = (500, 1250, 2000)
_GRID_WIDTHS_PX = (10, 20)


def _grid_cells(release: str) -> Iterator[Cell]:
    for kind, (rows, columns) in product(KINDS, GRID_SHAPES):
        base = f"{kind}_{rows}x{columns}"
        for side, width in product(_GRID_SIDES_PX, _GRID_WIDTHS_PX):
            levels = {
                "kind": kind,
                "rows": rows,
                "columns": columns,
                "side_px": side,
                "line_width_at_2000_px": width,
            }
            factors = {
                "subtask": kind,
                "canvas": str(side),
                "rows": str(rows),
                "columns": str(columns),
                "line_width": str(width),
            }
            yield Cell(f"{base}_s{side}_w{width}", base, levels, factors)


GRID = Copies(_grid_cells, f"{_FIGURES}.texts:GRID")


# ---- Subway maps ----
#
# 45 maps x 2 sizes x 2 widths = 180 (paper, task 7).
# Which stations a map joins is part of the design: exactly N paths end at each of four stations just when ``a`` of them
# join AB and as many CD, ``b`` AC and BD, ``c`` AD and BC, with a + b + c = N. The lists below give the original's
# numbers of questions (30, 44 and 60 per rendering) and of answers (92 times 1, 38 times 2, 4 times 3 per rendering)
# but, unlike the original, favour no pair of stations.

#: The pairs that are joined together, in the order (a, b, c) of :data:`JOINED`.
MATCHINGS = (("AB", "CD"), ("AC", "BD"), ("AD", "BC"))
PAIRS = ("AB", "AC", "AD", "BC", "BD", "CD")

#: For each number of paths per station, the 15 maps.
JOINED = {
    1: ((1, 0, 0), (0, 1, 0), (0, 0, 1)) * 5,
    2: (
        *((2, 0, 0), (0, 2, 0), (0, 0, 2)) * 2,
        *((2, 0, 0), (0, 2, 0)),
        *((1, 1, 0), (1, 0, 1), (0, 1, 1)) * 2,
        (0, 1, 1),
    ),
    3: (
        *((3, 0, 0), (0, 3, 0)),
        *((1, 2, 0), (1, 0, 2), (2, 1, 0), (0, 1, 2), (2, 0, 1), (0, 2, 1)),
        *((1, 0, 2), (0, 1, 2), (2, 0, 1), (0, 2, 1), (1, 0, 2)),
        *((1, 1, 1), (1, 1, 1)),
    ),
}

_MAP_SIDES_PX = (512, 1024)
_MAP_WIDTHS_PT = (10, 20)


def _subway_cells(release: str) -> Iterator[Cell]:
    for count, maps in JOINED.items():
        for number, joined in enumerate(maps):
            base = f"n{count}_m{number:02d}"
            for side, width in product(_MAP_SIDES_PX, _MAP_WIDTHS_PT):
                levels = {
                    "path_count": count,
                    "joined": list(joined),
                    "side_px": side,
                    "line_width_pt": width,
                }
                factors = {
                    "subtask": f"paths_{count}",
                    "canvas": str(side),
                    "path_count": str(count),
                    "line_width": str(width),
                }
                yield Cell(f"{base}_s{side}_w{width}", base, levels, factors)


SUBWAY = Copies(_subway_cells, f"{_FIGURES}.lines:SUBWAY")


# ---- Plain string ----
#
# The strings of the circled letter as they are set there, without the oval; 24 images.
# Paper, task 3: its models "can read all characters of these strings".


def _plain_string_cells(release: str) -> Iterator[Cell]:
    for word, font, padding in product(WORDS, FONTS, PADDINGS):
        name = f"{word.lower()}_{font.lower()}_p{padding:03d}"
        levels = {"word": word, "font": font, "padding": padding}
        factors = {
            "subtask": word,
            "canvas": "512",
            "word": word,
            "font": font,
            "padding": str(padding),
        }
        yield Cell(name, name, levels, factors)


PLAIN_STRING = Copies(_plain_string_cells, f"{_FIGURES}.texts:PLAIN_STRING")


# ---- Plain shape ----
#
# A red outline alone, in the strokes of the ovals; 3 shapes x 3 sizes x 3 widths = 27 images.
# Paper, task 3: its models name "a primitive shape (for example, a red circle)" without an error. Were there circles
# alone, always saying "circle" would be right.

#: Width and height by the printed fraction of the canvas: a narrow letter's oval is as small as the first.
OUTLINE_SIZES = {"0.06": 0.06, "0.12": 0.12, "0.25": 0.25}


def _plain_shape_cells(release: str) -> Iterator[Cell]:
    for shape, (size, fraction) in product(OUTLINES, OUTLINE_SIZES.items()):
        base = f"{shape}_d{size.replace('.', '')}"
        for width, width_px in WIDTHS_PX.items():
            levels = {"shape": shape, "size": fraction, "line_width_px": width_px}
            factors = {"subtask": shape, "canvas": "512", "size": size, "line_width": str(width)}
            yield Cell(f"{base}_w{width}", base, levels, factors)


PLAIN_SHAPE = Copies(_plain_shape_cells, f"{_FIGURES}.shapes:PLAIN_SHAPE")


# ---- Shapes apart ----
#
# The overlapping shapes of release v1, moved apart; 60 images per shape.
# Paper, task 4: its models "can count disjoint circles". Size, numbers, rows, line widths and colours are those of the
# overlapping ones, so that the overlap alone is different.


def _shapes_apart_cells(release: str) -> Iterator[Cell]:
    return _olympic_shapes_cells("v1")


SHAPES_APART = Copies(_shapes_apart_cells, f"{_FIGURES}.shapes:SHAPES_APART")
