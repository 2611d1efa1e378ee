"""Names and design: the displays and the positions of their items. Standard library only."""

from random import Random
from typing import Any

from afterimage.contract.design import Cell, Design, Levels
from afterimage.contract.stimulus import Json

#: What distinguishes the target from the other items: one feature, or two that only the target combines.
CONDITIONS = ("colour", "shape", "conjunction", "configuration")
#: Quadrants of the target; images without a target have an empty factor.
QUADRANTS = ("upper left", "upper right", "lower left", "lower right")
PRESENT, ABSENT = "present", "absent"
#: Questions of prompts.
QUESTIONS = ("present", "quadrant")
#: Answers to the first question.
YES, NO = "Yes", "No"
#: Pairs of images with the same positions, per condition and set size, and the number of groups of them; each group has
#: the target in each quadrant once.
REPLICATES, GROUPS = 16, 4
#: Number of items at which the binding cost is computed.
BINDING_SET_SIZE = 32


# ---- positions ----

#: Square cells of the search field, the side of one and the field's left and top, px.
CELLS, CELL_PX, MARGIN_PX = 8, 80, 16
#: Largest offset of an item's centre from that of its cell, whole px: two items are never closer than 16 px.
JITTER_PX = 12

_RED_DISC, _RED_SQUARE, _GREEN_DISC = "red disc", "red square", "green disc"
#: Condition to target and distractors; two kinds of distractors have half of the positions each.
ITEMS = {
    "colour": (_RED_DISC, (_GREEN_DISC,)),
    "shape": (_RED_DISC, (_RED_SQUARE,)),
    "conjunction": (_RED_DISC, (_RED_SQUARE, _GREEN_DISC)),
    "configuration": ("T", ("L",)),
}
#: Number of orientations of letters, in quarter turns.
_TURNS = 4


def first_position(condition: str, settings: Json) -> int:
    """Return the position of a condition's first image in the suite, independent of the configured conditions."""
    return CONDITIONS.index(condition) * len(settings["set_sizes"]) * 2 * REPLICATES


def items_of(
    condition: str, set_size: int, presence: str, replicate: int, seed: int
) -> list[list[Any]]:
    """Return the items of an image: kind, x and y of the centre (whole px) and quarter turns of each.

    Twins with and without target have the same positions; a distractor replaces the target. Positions are drawn with
    ``random()`` only, whose values are stable across Python versions.

    Args:
        condition: One of CONDITIONS.
        set_size: Items in all, 2 to 64, even.
        presence: ``present`` or ``absent``.
        replicate: 0 to 15; determines the target's quadrant and the kind of distractor that it replaces.
        seed: Of the suite's settings.
    """
    generator = Random(f"search/{seed}/{condition}/{set_size}/{replicate}")
    shuffled = sorted(range(CELLS**2), key=lambda cell: generator.random())
    target_cell = next(cell for cell in shuffled if _quadrant(cell) == replicate % len(QUADRANTS))
    cells = [target_cell, *(cell for cell in shuffled if cell != target_cell)][:set_size]
    target, distractors = ITEMS[condition]
    # Over the replicates of a quadrant, the target replaces each kind equally often.
    offset = replicate + replicate // len(QUADRANTS)
    kinds = [distractors[(index + offset) % len(distractors)] for index in range(set_size)]
    if presence == PRESENT:
        kinds[0] = target
    found: list[list[Any]] = []
    for kind, cell in zip(kinds, cells, strict=True):
        x, y = (
            MARGIN_PX + CELL_PX * index + CELL_PX // 2 for index in (cell % CELLS, cell // CELLS)
        )
        found.append([kind, x + _jitter(generator), y + _jitter(generator), _turn(generator)])
    return found


def _quadrant(cell: int) -> int:
    return 2 * (cell // CELLS >= CELLS // 2) + (cell % CELLS >= CELLS // 2)


def _jitter(generator: Random) -> int:
    return int(generator.random() * (2 * JITTER_PX + 1)) - JITTER_PX


def _turn(generator: Random) -> int:
    return int(generator.random() * _TURNS)


def _levels(figure: str, settings: Json) -> Levels:
    return {
        "set_size": sorted(settings["set_sizes"]),
        "presence": (PRESENT, ABSENT),
        "replicate": range(REPLICATES),
    }


def _parameters(cell: Cell, settings: Json) -> dict[str, Any]:
    size, presence, replicate = (cell[name] for name in ("set_size", "presence", "replicate"))
    return {"items": items_of(cell["figure"], size, presence, replicate, settings["seed"])}


def _factors(cell: Cell, settings: Json) -> dict[str, str]:
    is_present = cell["presence"] == PRESENT
    quadrant = QUADRANTS[cell["replicate"] % len(QUADRANTS)] if is_present else ""
    return {
        "set_size": str(cell["set_size"]),
        "presence": cell["presence"],
        "quadrant": quadrant,
        "layout": f"{cell['figure']}_n{cell['set_size']:02d}_{cell['replicate']:02d}",
        "group": str(cell["replicate"] // (REPLICATES // GROUPS)),
        "truth": f"{cell['set_size']} items, target {quadrant or ABSENT}",
    }


DESIGN = Design(
    levels=_levels,
    name="{figure}_n{set_size:02d}_{presence}_{replicate:02d}",
    parameters=_parameters,
    factors=_factors,
)
