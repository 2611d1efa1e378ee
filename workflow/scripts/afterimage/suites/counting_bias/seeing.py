"""Counts parts in the pixels, to verify a stimulus and as the ideal observer's answer.

Asked whether a flag or board is the usual one, the observer compares its counts with the usual ones.
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, once, require_rgb, widened, window_of
from afterimage.suites.counting_bias.tasks import (
    ALONE,
    BOARDS,
    LINED,
    STARS,
    STRIPES,
    cell_position,
    usual_in_cell,
)

#: Levels by which neighbouring pixels of one band may differ.
_SAME = 6
#: A run of fewer pixels is an edge between bands.
_MIN_BAND_PX = 4
#: Columns along which bands are counted: this far inside the right end, px; at this share of the width.
_INSIDE_PX, _SHARE = 10, 0.8


def drawn(image: Image) -> Mask:
    """Return which pixels differ from the background, the upper left corner's colour; shape (height, width)."""
    differs: Mask = (np.abs(image.astype(np.int16) - image[0, 0]) > _SAME).any(axis=2)
    return differs


@once
def count_stripes(image: Image) -> int:
    """Count the bands of a flag.

    Raises:
        AfterimageError: There is no flag, or two columns of it have different numbers.
    """
    rows, columns = window_of(drawn(image), "looked for a flag and found an empty image.")
    width = columns.stop - columns.start
    positions = (columns.stop - _INSIDE_PX, columns.start + round(_SHARE * width))
    near_end, further = (runs(image[rows, x]) for x in positions)
    if near_end != further:
        raise AfterimageError(
            f"looked for stripes and found {near_end} at the flag's end and {further} at {_SHARE:.0%} of its width; "
            "expected as many."
        )
    return near_end


def runs(pixels: NDArray[np.uint8]) -> int:
    """Count runs of constant colour along a line of pixels, shape (n, 3)."""
    steps = np.abs(np.diff(pixels.astype(np.int16), axis=0)).max(axis=1) > _SAME
    ends = np.flatnonzero(np.concatenate([[True], steps, [True]]))
    return int((np.diff(ends) >= _MIN_BAND_PX).sum())


# ---- lines ----

#: Levels from the darkest pixel within which a pixel belongs to a line.
_LINE = 24
#: The smallest share of the board's side that a line covers; a river interrupts lines.
_LINES_LEAST_REACH = 0.5
#: Where squares are counted: this far inside the frame, share of the side.
_INSIDE = 0.04


@once
def board_cells(image: Image) -> tuple[int, int]:
    """Count rows and columns of a board: the spaces between its lines, or its squares where only a frame has lines.

    Raises:
        AfterimageError: There is no board.
    """
    rows, columns = window_of(drawn(image), "looked for a board and found an empty image.")
    board = image[rows, columns]
    darkness = board.max(axis=2)
    lines = darkness <= int(darkness.min()) + _LINE
    found = (count_lines(lines, 1), count_lines(lines, 0))
    if min(found) < 2:
        raise AfterimageError(f"looked for a board and found {found[0]} by {found[1]} lines.")
    if found != (2, 2):
        return found[0] - 1, found[1] - 1
    height, width = lines.shape
    down, across = round(_INSIDE * height), round(_INSIDE * width)
    inner = slice(down, height - down), slice(across, width - across)
    return runs(board[inner[0], across]), runs(board[down, inner[1]])


def count_lines(lines: Mask, axis: int) -> int:
    """Count lines along an axis: 1 for horizontal ones, 0 for upright ones."""
    return len(line_runs(lines.mean(axis=axis) >= _LINES_LEAST_REACH))


def line_runs(is_line: Mask) -> NDArray[np.intp]:
    """Return where runs of True begin and end, shape (n, 2)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_line, [False]])))
    return edges.reshape(-1, 2)


# ---- cells ----

#: Levels below which a pixel is ink: half covered.
_INK = 128
#: The smallest share of the longest line's length that a line has.
_CELLS_LEAST_REACH = 0.9
#: The share of its box that a disc covers, and by how much a drawn one may differ from it.
_DISC, _DISC_WITHIN = np.pi / 4, 0.09
#: Where upright strokes stand alone, share of their height from the top; the fifth crosses them below.
_TOP = 0.08


@once
def find_cells(image: Image) -> list[list[Image]]:
    """Return the cells of a grid, row by row; a cell shown alone is a grid of one.

    Raises:
        AfterimageError: There is no grid.
    """
    dark = image.max(axis=2) < _INK
    sides = []
    for axis in (1, 0):
        reach = dark.sum(axis=axis)
        lines = line_runs(reach >= max(_CELLS_LEAST_REACH * reach.max(), 1))
        sides.append([slice(a[1], b[0]) for a, b in pairwise(lines)])
    if not sides[0] or not sides[1]:
        raise AfterimageError("looked for a grid of cells and found none.")
    return [[image[row, column] for column in sides[1]] for row in sides[0]]


def count_circles(cell: Image) -> int:
    """Count discs in a cell.

    Raises:
        AfterimageError: Something in it is no disc.
    """
    labels, number = ndimage.label(cell.max(axis=2) < _INK)
    for label, box in enumerate(ndimage.find_objects(labels), start=1):
        share = float((labels[box] == label).mean())
        if abs(share - _DISC) > _DISC_WITHIN:
            raise AfterimageError(
                f"looked for circles in a cell and found a piece that covers {share:.0%} of its box; "
                f"expected {_DISC:.0%}."
            )
    return int(number)


def count_strokes(cell: Image) -> int:
    """Count strokes in a cell: upright ones, and one more for every crossed group."""
    labels, _ = ndimage.label(cell.max(axis=2) < _INK, np.ones((3, 3)))
    total = 0
    for label, box in enumerate(ndimage.find_objects(labels), start=1):
        piece = labels[box] == label
        upright = len(line_runs(piece[round(_TOP * len(piece))]))
        total += upright + (upright > 1)
    return total


# ---- stars ----

#: A colour with fewer flat pixels belongs to an edge.
_MIN_PIXELS = 40
#: A five-pointed star of inner radius 0.382 covers 0.326 of its box.
_STAR = (0.26, 0.44)
#: Width over height of an upright star is 1.05.
_PROPORTION = (0.85, 1.3)
_MIN_SIDE_PX = 8
#: Stars of one size differ by less than this share of their area.
_ALIKE = 0.1
#: Pixels of at least this coverage are within a star's box; tips are thin.
_COVERED = 0.15
#: A star extends less far than this beyond its fully covered pixels; neighbours are twice as far away.
_EDGE_PX = 3
#: The fewest fully covered pixels of a small star.
_MIN_WHOLE = 4


@once
def count_stars(image: Image) -> int:
    """Count the stars of one colour; one of another size may be among them, as China's.

    Raises:
        AfterimageError: There are none, they have several colours, or more than two sizes.
    """
    # One number for each pixel: comparing and sorting rows of three takes ten times as long.
    codes = image.astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    flat = _flat_colours(codes)
    palette = np.stack([flat >> 16, flat >> 8 & 255, flat & 255], axis=-1).astype(np.uint8)
    found = {
        code: areas
        for number, code in enumerate(flat)
        if (areas := _areas(image, codes == code, palette, number))
    }
    if len(found) != 1:
        raise AfterimageError(
            f"looked for stars of one colour and found stars of {len(found)} colours."
        )
    (areas,) = found.values()
    typical = float(np.median(areas))
    other = [area for area in areas if abs(area - typical) > _ALIKE * typical]
    if len(other) > 1:
        raise AfterimageError(
            f"looked for stars of one size, perhaps one of another, and found {len(other)} of other sizes."
        )
    return len(areas)


def _flat_colours(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the colours of flat areas: of pixels whose right and lower neighbours are alike."""
    corner = codes[:-1, :-1]
    flat = (corner == codes[1:, :-1]) & (corner == codes[:-1, 1:]) & (corner == codes[1:, 1:])
    found, numbers = np.unique(corner[flat], return_counts=True)
    return found[numbers >= _MIN_PIXELS]


def _areas(image: Image, exact: Mask, palette: NDArray[np.uint8], number: int) -> list[float]:
    """Return the areas, px, of the star-like pieces of one colour of the palette."""
    # Tips of small stars have no fully covered pixels, but all pieces of a star touch.
    labels, _ = ndimage.label(exact, np.ones((3, 3)))
    areas = []
    for label, box in enumerate(ndimage.find_objects(labels), start=1):
        if max(part.stop - part.start for part in box) > min(image.shape[:2]) / 2:
            continue
        window = widened(box, _EDGE_PX)
        piece = labels[window] == label
        if piece.sum() < _MIN_WHOLE:
            continue
        coverage = _coverage(image[window], piece, palette, number)
        covered = coverage >= _COVERED
        rows, columns = (np.flatnonzero(covered.any(axis=axis)) for axis in (1, 0))
        height, width = rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1
        share = coverage.sum() / (height * width)
        if (
            min(height, width) >= _MIN_SIDE_PX
            and _STAR[0] <= share <= _STAR[1]
            and _PROPORTION[0] <= width / height <= _PROPORTION[1]
        ):
            areas.append(float(coverage.sum()))
    return areas


def _coverage(part: Image, piece: Mask, palette: NDArray[np.uint8], number: int) -> Floats:
    """Return how much of each pixel a piece covers: its colour's share of the best mixture with one other colour."""
    near = ndimage.binary_dilation(piece, np.ones((3, 3)), iterations=_EDGE_PX)
    colour = palette[number].astype(float)
    best = np.full(part.shape[:2], np.inf)
    coverage = np.zeros(part.shape[:2])
    for other in np.delete(palette, number, axis=0).astype(float):
        towards = colour - other
        share = np.clip((part - other) @ towards / (towards @ towards), 0, 1)
        residual = np.linalg.norm(part - (other + share[..., None] * towards), axis=2)
        better = residual < best - 1e-6
        best[better], coverage[better] = residual[better], share[better]
    return np.where(piece, 1.0, coverage * near)


# ---- measuring ----


def stripes(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    return str(count_stripes(pixels))


def stars(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    return str(count_stars(pixels))


def boards(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Count the board's lines or squares in both directions, as ``19x18``."""
    further = factors.get("subject") in LINED
    rows, columns = board_cells(pixels)
    return f"{rows + further}x{columns + further}"


def grids(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Count the marks of every cell; the cell in question has the factor ``truth``, all others their usual counts."""
    count_marks = {"dice": count_circles, "tally": count_strokes}[factors["mark"]]
    counts = [[count_marks(cell) for cell in row] for row in find_cells(pixels)]
    size = int(factors["size"])
    if factors["context"] == ALONE:
        expected = [[int(factors["truth"])]]
        row, column = 0, 0
    else:
        expected = [[usual_in_cell(across, size) for across in range(size)] for _ in range(size)]
        row, column = cell_position(factors["cell"])
        expected[row][column] = int(factors["truth"])
    if [len(cells) for cells in counts] != [len(cells) for cells in expected]:
        found = f"{len(counts)} rows of {len(counts[0])} cells"
        return Measured("", factors["truth"], holds=False, remark=found)
    wrong = sum(
        found != wanted
        for cells, wanted_cells in zip(counts, expected, strict=True)
        for found, wanted in zip(cells, wanted_cells, strict=True)
    )
    remark = f"{wrong} cells with another number than expected" if wrong else ""
    return Measured(str(counts[row][column]), factors["truth"], not wrong, remark)


# ---- observer ----

_CELL = re.compile(r"\bcell ([A-Z])(\d+)")


def answer(image: Image, text: str) -> str:
    """Answer a question in the form that it asks for: ``{13}``, ``{Yes}``.

    Raises:
        AfterimageError: The array is no RGB image, the question asks for nothing that is counted here, or the image
            does not show it.
    """
    require_rgb(image)
    if re.search(r"\b(?:flag of|standard)\b", text):
        return "{Yes}" if _is_usual(image, text) else "{No}"
    return f"{{{count(image, text)}}}"


def count(image: Image, text: str) -> int:
    for thing, counter in _COUNTED.items():
        if re.search(rf"\b{thing}\b", text):
            return counter(image, text)
    raise AfterimageError(
        f"looked in the question for what to count and found {text[:60]!r}; expected one of: {', '.join(_COUNTED)}."
    )


def _in_cell(counter: Callable[[Image], int]) -> Callable[[Image, str], int]:
    def of_named(image: Image, text: str) -> int:
        cells = find_cells(image)
        named = _CELL.search(text)
        row, column = cell_position("".join(named.groups())) if named else (0, 0)
        return counter(cells[row][column])

    return of_named


#: Words of a question to the function that counts; the first words that occur decide.
_COUNTED: dict[str, Callable[[Image, str], int]] = {
    "horizontal lines": lambda image, text: board_cells(image)[0] + 1,
    "vertical lines": lambda image, text: board_cells(image)[1] + 1,
    "rows": lambda image, text: board_cells(image)[0],
    "columns": lambda image, text: board_cells(image)[1],
    "stripes": lambda image, text: count_stripes(image),
    "stars": lambda image, text: count_stars(image),
    "circles": _in_cell(count_circles),
    "lines": _in_cell(count_strokes),
}


def _is_usual(image: Image, text: str) -> bool:
    """Tell whether the image has the usual counts of the flag or board that the question names."""
    named = [
        subject
        for subject in {**STRIPES, **STARS, **BOARDS}
        if re.search(rf"\b{subject.replace('_', ' ')}\b", text.lower())
    ]
    if not named:
        raise AfterimageError(
            f"looked in the question for a flag or board and found {text[:60]!r}; expected one of those drawn."
        )
    subject = named[0]
    if subject in BOARDS:
        rows, columns = board_cells(image)
        return (rows + (subject in LINED), columns + (subject in LINED)) == BOARDS[subject]
    if subject in STRIPES and count_stripes(image) != STRIPES[subject]:
        return False
    return subject not in STARS or count_stars(image) == STARS[subject]
