"""The four tasks: which familiar things are drawn, with how many parts, what is asked, and who answers without looking.

Each prompt asks in two forms how many there are; a familiar flag or board is also asked about as the usual one. The
twin of a flag or board is asked about in the same words. Beside each count stand five numbers to guess among, from two
below the usual one to two above it; no grader looks at them.

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


# ---- designs ----

#: In another edition: the least share of a channel that the light leaves, and the most levels that it adds.
_MIN_LIGHT, _MAX_HAZE = 0.84, 16


def _look(cell: Cell, settings: Json) -> Json:
    """Return the place and the light of another edition's image: ``look``; nothing for the public one."""
    if "fresh" not in settings:
        return {}
    chance = Random(f"{settings['fresh']}/" + "/".join(map(str, cell.values())))
    place = [round(chance.uniform(-1, 1), 3) for _ in range(2)]
    light = [round(chance.uniform(_MIN_LIGHT, 1), 3) for _ in range(3)]
    return {"look": {"place": place, "light": light, "haze": chance.randint(0, _MAX_HAZE)}}


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


def _of_board(cell: Cell, settings: Json) -> dict[str, str]:
    names = ("subject", "dimension", "context", "alteration", "shift")
    factors = {"task": cell["figure"], **{name: str(cell[name]) for name in names}}
    usual = BOARDS[cell["subject"]][DIMENSIONS.index(cell["dimension"])]
    rows, columns = board_size(factors)
    return {**factors, "usual": str(usual), "truth": f"{rows}x{columns}"}


def asked_cells(mark: str, size: int, seed: int) -> list[tuple[int, int]]:
    """Return the cells of a grid that are asked about, rows and columns from 0; none lies at a border."""
    inside = [(row, column) for row in range(1, size - 1) for column in range(1, size - 1)]
    return Random(f"{seed}/{mark}/{size}").sample(inside, CELLS_PER_GRID)


def _seed(settings: Json) -> int:
    seed: int = settings.get("fresh", settings["seed"])
    return seed


def _parameters_of_grid(cell: Cell, settings: Json) -> Json:
    row, column = asked_cells(cell["mark"], cell["size"], _seed(settings))[cell["cell"]]
    kept = {name: cell[name] for name in ("mark", "size", "context", "alteration")}
    return {**kept, "row": row, "column": column, **_look(cell, settings)}


def _of_grid(cell: Cell, settings: Json) -> dict[str, str]:
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
        things, where = _named(words, factors)
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


def _named(words: Json, factors: Mapping[str, str]) -> tuple[str, str]:
    """Return what is counted, and where, in words."""
    if factors["task"] == "boards":
        thing = f"{factors['subject']}_{factors['dimension']}"
    else:
        thing = factors.get("mark", factors["task"])
    asked = words["asked"][thing]
    where = words["alone"] if factors["context"] == ALONE else asked["where"]
    return asked["things"], where.replace("{cell}", factors.get("cell", ""))


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


def answer(beside: Json, rule: str) -> str:
    """Return the usual number, and that every flag and board is the usual one.

    Args:
        beside: ``question``, and ``factors`` with ``usual`` and ``context``.
        rule: ``cued`` names the usual number always; ``gated`` cannot tell where nothing names the subject.

    Raises:
        AfterimageError: The rule is unknown.
    """
    require_known("rule", rule)
    if beside["question"] == IDENTIFY:
        return "{Yes}"
    if rule == "gated" and beside["factors"]["context"] != FAMILIAR:
        return CANNOT_TELL
    return f"{{{beside['factors']['usual']}}}"
