"""What each image must show: the count of its key, and everything else as it is usual, measured from the pixels."""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.suites.counting_bias.names import ALONE, LINED, cell_place, usual_in_cell
from afterimage.suites.counting_bias.observer.bands import count_stripes
from afterimage.suites.counting_bias.observer.cells import count_circles, count_strokes, find_cells
from afterimage.suites.counting_bias.observer.lines import board_cells
from afterimage.suites.counting_bias.observer.stars import count_stars


def stripes(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Count the stripes of uint8 RGB pixels, shape (height, width, 3)."""
    return str(count_stripes(pixels))


def stars(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Count the stars of uint8 RGB pixels, shape (height, width, 3)."""
    return str(count_stars(pixels))


def boards(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Count in both directions what is counted of the board: lines or squares, as ``19x18``."""
    further = factors.get("subject") in LINED
    rows, columns = board_cells(pixels)
    return f"{rows + further}x{columns + further}"


def grids(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Count in every cell; the asked one has its count, all others what the pattern asks for."""
    counted = {"dice": count_circles, "tally": count_strokes}[factors["mark"]]
    counts = [[counted(cell) for cell in row] for row in find_cells(pixels)]
    size = int(factors["size"])
    if factors["context"] == ALONE:
        expected = [[int(factors["truth"])]]
        row, column = 0, 0
    else:
        expected = [[usual_in_cell(across, size) for across in range(size)] for _ in range(size)]
        row, column = cell_place(factors["cell"])
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
