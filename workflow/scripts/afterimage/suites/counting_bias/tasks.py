"""The four tasks: familiar subjects and their usual counts, the questions, and the textbook's answers.

Each prompt asks in two forms how many there are; a familiar flag or board is also asked about as the usual one. The
twin of a flag or board is asked about in the same words. Each counting question has five options, from two below the
usual number to two above it, for ``chance`` to guess among; no grader reads them.

Standard library only, because planning imports this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from afterimage.contract.design import Cell, Design
from afterimage.contract.parts import CANNOT_TELL
from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import require_known

#: The tasks in order; each is one figure.
TASKS = ("stripes", "stars", "boards", "grids")

#: The factor ``context``: the subject; its twin without what identifies it; of grids one cell without the others.
FAMILIAR, PLAIN, ALONE = "familiar", "plain", "alone"
#: By how much the count differs from the usual one.
ALTERATIONS = (-1, 0, 1)
#: Offset of the whole drawing, px to the right and down.
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

#: Grids: the marks in a cell, and how many cells a side has.
MARKS = ("dice", "tally")
SIZES = tuple(range(6, 13))
#: Cells of each grid that are asked about.
CELLS_PER_GRID = 2

COUNTING = ("how_many", "count")
IDENTIFY = "identify"


def usual_in_cell(column: int, size: int) -> int:
    """Return the usual count of a grid's column (from 0): one more than the steps to the nearer side."""
    return 1 + min(column, size - 1 - column)


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell by its row and column, from 0: ``C3``."""
    return f"{chr(ord('A') + column)}{row + 1}"


def cell_position(name: str) -> tuple[int, int]:
    """Return row and column, from 0, of a cell's name."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def board_size(factors: Mapping[str, str]) -> tuple[int, int]:
    """Return rows and columns that a board has, the altered dimension with its alteration."""
    rows, columns = BOARDS[factors["subject"]]
    alteration = int(factors["alteration"])
    if factors["dimension"] == "rows":
        return rows + alteration, columns
    return rows, columns + alteration


# ---- designs ----

#: In a fresh edition: the smallest factor by which light scales a channel, and the most levels that haze adds.
_MIN_LIGHT, _MAX_HAZE = 0.84, 16


def _look(cell: Cell, settings: Json) -> Json:
    """Return offset, light and haze of a fresh edition's image as ``look``; nothing for the public edition."""
    if "fresh" not in settings:
        return {}
    generator = Random(f"{settings['fresh']}/" + "/".join(map(str, cell.values())))
    offset = [round(generator.uniform(-1, 1), 3) for _ in range(2)]
    light = [round(generator.uniform(_MIN_LIGHT, 1), 3) for _ in range(3)]
    return {"look": {"place": offset, "light": light, "haze": generator.randint(0, _MAX_HAZE)}}


def _parameters(cell: Cell, settings: Json) -> Json:
    levels = {name: value for name, value in cell.items() if name != "figure"}
    return {**levels, **_look(cell, settings)}


_LEVELS = {"context": (FAMILIAR, PLAIN), "alteration": ALTERATIONS, "shift": tuple(SHIFTS)}


def _design(usual: dict[str, int]) -> Design:
    def factors(cell: Cell, settings: Json) -> dict[str, str]:
        number = usual[cell["subject"]]
        count = str(number + cell["alteration"])
        levels = {name: str(cell[name]) for name in ("subject", "context", "alteration", "shift")}
        return {"task": cell["figure"], **levels, "usual": str(number), "truth": count}

    return Design(
        {"subject": tuple(usual), **_LEVELS},
        "{figure}_{subject}_{context}_{alteration}_{shift}",
        parameters=_parameters,
        factors=factors,
    )


def _board_factors(cell: Cell, settings: Json) -> dict[str, str]:
    names = ("subject", "dimension", "context", "alteration", "shift")
    factors = {"task": cell["figure"], **{name: str(cell[name]) for name in names}}
    usual = BOARDS[cell["subject"]][DIMENSIONS.index(cell["dimension"])]
    rows, columns = board_size(factors)
    return {**factors, "usual": str(usual), "truth": f"{rows}x{columns}"}


def asked_cells(mark: str, size: int, seed: int) -> list[tuple[int, int]]:
    """Return the cells of a grid that are asked about, as (row, column) from 0; none is at the border."""
    inside = [(row, column) for row in range(1, size - 1) for column in range(1, size - 1)]
    return Random(f"{seed}/{mark}/{size}").sample(inside, CELLS_PER_GRID)


def _seed(settings: Json) -> int:
    seed: int = settings.get("fresh", settings["seed"])
    return seed


def _grid_parameters(cell: Cell, settings: Json) -> Json:
    row, column = asked_cells(cell["mark"], cell["size"], _seed(settings))[cell["cell"]]
    kept = {name: cell[name] for name in ("mark", "size", "context", "alteration")}
    return {**kept, "row": row, "column": column, **_look(cell, settings)}


def _grid_factors(cell: Cell, settings: Json) -> dict[str, str]:
    row, column = asked_cells(cell["mark"], cell["size"], _seed(settings))[cell["cell"]]
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
    parameters=_parameters,
    factors=_board_factors,
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
    parameters=_grid_parameters,
    factors=_grid_factors,
)


# ---- questions ----

_GUESSED = (-2, -1, 0, 1, 2)
_YES_NO = ("Yes", "No")


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask about the images of a shard.

    Args:
        images: Those of the shard.
        words: The prompt file, with the prompts in use.
        settings: ``prompts`` (ids) and ``identify`` (whether to ask if a flag or board is the usual one).
        available: Not read.
    """
    for shown in images:
        factors = shown.factors
        usual = int(factors["usual"])
        things, where = _wording(words, factors)
        for prompt in settings["prompts"]:
            for form in COUNTING:
                text = words["prompts"][prompt][form]
                yield Question(
                    shown,
                    f"{form}/{prompt}",
                    ask(shown, text.replace("{things}", things).replace("{where}", where)),
                    "integer",
                    str(usual + int(factors["alteration"])),
                    tuple(Option(str(usual + by), f"{{{usual + by}}}") for by in _GUESSED),
                    prompt=prompt,
                    question=form,
                )
        if settings["identify"] and factors["context"] == FAMILIAR and factors["task"] != "grids":
            yield _identify(shown, words)


def _wording(words: Json, factors: Mapping[str, str]) -> tuple[str, str]:
    """Return what is counted, and where, in words."""
    if factors["task"] == "boards":
        thing = f"{factors['subject']}_{factors['dimension']}"
    else:
        thing = factors.get("mark", factors["task"])
    entry = words["asked"][thing]
    where = words["alone"] if factors["context"] == ALONE else entry["where"]
    return entry["things"], where.replace("{cell}", factors.get("cell", ""))


def _identify(shown: Shown, words: Json) -> Question:
    factors = shown.factors
    text = words["identify"]["board" if factors["task"] == "boards" else "flag"]
    return Question(
        shown,
        IDENTIFY,
        ask(shown, text.replace("{name}", words["names"][factors["subject"]])),
        "yes_no",
        "No" if int(factors["alteration"]) else "Yes",
        tuple(Option(answer, f"{{{answer}}}") for answer in _YES_NO),
        prompt=IDENTIFY,
        question=IDENTIFY,
    )


# ---- textbook ----


def answer(metadata: Json, rule: str) -> str:
    """Return the usual number, and that every flag and board is the usual one.

    Args:
        metadata: ``question``, and ``factors`` with ``usual`` and ``context``.
        rule: ``cued`` names the usual number always; ``gated`` cannot tell where nothing names the subject.

    Raises:
        AfterimageError: The rule is unknown.
    """
    require_known("rule", rule)
    if metadata["question"] == IDENTIFY:
        return "{Yes}"
    if rule == "gated" and metadata["factors"]["context"] != FAMILIAR:
        return CANNOT_TELL
    return f"{{{metadata['factors']['usual']}}}"
