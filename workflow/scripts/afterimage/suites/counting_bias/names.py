"""What is counted, how much of it is usual, and how a cell is called. Standard library only."""

from collections.abc import Mapping

#: The tasks in order; each is one figure.
TASKS = ("stripes", "stars", "boards", "grids")

#: What is seen: the subject itself; its twin without what names it; of grids one cell without the others.
FAMILIAR, PLAIN, ALONE = "familiar", "plain", "alone"
#: By how much the count differs from the usual one.
ALTERATIONS = (-1, 0, 1)
#: Places of the whole image, px to the right and down.
SHIFTS = {"a": -6, "b": 6}

#: Bands of flags; a band is a band, whatever its height.
STRIPES = {
    "united_states": 13,
    "liberia": 11,
    "greece": 9,
    "togo": 5,
    "cuba": 5,
    "thailand": 5,
    "costa_rica": 5,
}
#: Stars of flags.
STARS = {
    "europe": 12,
    "cape_verde": 10,
    "united_states": 50,
    "china": 5,
    "honduras": 5,
    "micronesia": 4,
}
#: Boards: rows and columns, of go and xiangqi lines, of the others squares.
BOARDS = {"chess": (8, 8), "go": (19, 19), "sudoku": (9, 9), "xiangqi": (10, 9)}
#: Boards of which lines are counted.
LINED = ("go", "xiangqi")
DIMENSIONS = ("rows", "columns")

#: Grids: what stands in a cell, and how many cells a side has.
MARKS = ("dice", "tally")
SIZES = tuple(range(6, 13))
#: Cells of each grid that are asked about.
CELLS_PER_GRID = 2

COUNTING = ("how_many", "count")
IDENTIFY = "identify"


def usual_in_cell(column: int, size: int) -> int:
    """Return what the pattern of a grid puts into a column (from 0): one more than the steps to the nearer side."""
    return 1 + min(column, size - 1 - column)


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell by its row and column, from 0: ``C3``."""
    return f"{chr(ord('A') + column)}{row + 1}"


def cell_place(name: str) -> tuple[int, int]:
    """Return row and column, from 0, of a cell's name."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def board_size(factors: Mapping[str, str]) -> tuple[int, int]:
    """Return rows and columns that a board has, the altered dimension with its alteration."""
    rows, columns = BOARDS[factors["subject"]]
    alteration = int(factors["alteration"])
    if factors["dimension"] == "rows":
        return rows + alteration, columns
    return rows, columns + alteration
