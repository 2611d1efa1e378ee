"""Rows and columns of a board, from its lines or from its squares."""

import numpy as np
from numpy.typing import NDArray

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, Mask, once, window_of
from afterimage.suites.counting_bias.observer.bands import drawn, runs

#: Levels from the darkest pixel within which a pixel belongs to a line.
_LINE = 24
#: Of the board's side, what a line reaches across at least; a river interrupts.
_LEAST_REACH = 0.5
#: Where squares are counted: so far inside the frame, share of the side.
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
    return len(line_runs(lines.mean(axis=axis) >= _LEAST_REACH))


def line_runs(is_line: Mask) -> NDArray[np.intp]:
    """Return where runs of truths begin and end, shape (n, 2)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_line, [False]])))
    return edges.reshape(-1, 2)
