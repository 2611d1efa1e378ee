"""Which images there are: 84 of stripes, 72 of stars, 96 boards and 168 of grids. Standard library only."""

import random

from afterimage.contract.design import Cell, Design
from afterimage.contract.stimulus import Json
from afterimage.suites.counting_bias.names import (
    ALONE,
    ALTERATIONS,
    BOARDS,
    CELLS_PER_GRID,
    DIMENSIONS,
    FAMILIAR,
    MARKS,
    PLAIN,
    SHIFTS,
    SIZES,
    STARS,
    STRIPES,
    board_size,
    cell_name,
    usual_in_cell,
)

_LEVELS = {"context": (FAMILIAR, PLAIN), "alteration": ALTERATIONS, "shift": tuple(SHIFTS)}


def _design(usual: dict[str, int]) -> Design:
    """Return the design of flags of which one thing is counted."""

    def factors(cell: Cell, settings: Json) -> dict[str, str]:
        number = usual[cell["subject"]]
        count = str(number + cell["alteration"])
        levels = {name: str(cell[name]) for name in ("subject", "context", "alteration", "shift")}
        return {"task": cell["figure"], **levels, "usual": str(number), "truth": count}

    return Design(
        {"subject": tuple(usual), **_LEVELS},
        "{figure}_{subject}_{context}_{alteration}_{shift}",
        factors=factors,
    )


def _of_board(cell: Cell, settings: Json) -> dict[str, str]:
    names = ("subject", "dimension", "context", "alteration", "shift")
    factors = {"task": cell["figure"], **{name: str(cell[name]) for name in names}}
    usual = BOARDS[cell["subject"]][DIMENSIONS.index(cell["dimension"])]
    rows, columns = board_size(factors)
    return {**factors, "usual": str(usual), "truth": f"{rows}x{columns}"}


def asked_cells(mark: str, size: int, seed: int) -> list[tuple[int, int]]:
    """Return the cells of a grid that are asked about, rows and columns from 0; none lies at a border."""
    inside = [(row, column) for row in range(1, size - 1) for column in range(1, size - 1)]
    return random.Random(f"{seed}/{mark}/{size}").sample(inside, CELLS_PER_GRID)


def _parameters_of_grid(cell: Cell, settings: Json) -> Json:
    row, column = asked_cells(cell["mark"], cell["size"], settings["seed"])[cell["cell"]]
    kept = {name: cell[name] for name in ("mark", "size", "context", "alteration")}
    return {**kept, "row": row, "column": column}


def _of_grid(cell: Cell, settings: Json) -> dict[str, str]:
    row, column = asked_cells(cell["mark"], cell["size"], settings["seed"])[cell["cell"]]
    usual = usual_in_cell(column, cell["size"])
    return {
        "task": cell["figure"],
        "subject": f"{cell['mark']}_{cell['size']}",
        "mark": cell["mark"],
        "size": str(cell["size"]),
        "cell": cell_name(row, column),
        "context": cell["context"],
        "alteration": str(cell["alteration"]),
        "usual": str(usual),
        "truth": str(usual + cell["alteration"]),
    }


STRIPES_DESIGN = _design(STRIPES)
STARS_DESIGN = _design(STARS)
BOARDS_DESIGN = Design(
    {"subject": tuple(BOARDS), "dimension": DIMENSIONS, **_LEVELS},
    "{figure}_{subject}_{dimension}_{context}_{alteration}_{shift}",
    factors=_of_board,
)
GRIDS_DESIGN = Design(
    {
        "mark": MARKS,
        "size": SIZES,
        "cell": range(CELLS_PER_GRID),
        "context": (FAMILIAR, ALONE),
        "alteration": ALTERATIONS,
    },
    "{figure}_{mark}_{size}_{cell}_{context}_{alteration}",
    parameters=_parameters_of_grid,
    factors=_of_grid,
)
