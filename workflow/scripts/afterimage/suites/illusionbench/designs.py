"""The drawn set: which images there are, what each shows, and what it is drawn from.

Standard library only until a stimulus is described in full: the Snakefile imports this module. Traps differ from the
classical figures in one measure alone, by so many percent (the larger over the smaller, minus 1); colour plates by the
colour difference of their two kinds of dots (CIEDE2000).
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from afterimage.contract.design import Cell, Design
from afterimage.contract.stimulus import Json
from afterimage.suites.illusionbench.names import KINDS, format_facts, listed

if TYPE_CHECKING:
    from numpy.random import Generator

#: Minimum differences of easy and of neutral images, percent; smaller ones and none at all are hard.
_EASY, _NEUTRAL = 25, 18

#: Of a classical figure's trap: by how many percent it differs, and in which direction.
TRAPS = {
    "zoellner": (25, "different"),
    "vertical_horizontal": (20, "vertical"),
    "hermann_grid": (20, "different"),
    "mueller_lyer": (20, "upper"),
    "ebbinghaus": (25, "right"),
    "ponzo": (15, "upper"),
    "simultaneous_contrast": (15, "left"),
}

#: Of each scene: by how many percent its largest thing exceeds the next; two of each difficulty.
_SCENES = {1: 40, 2: 40, 3: 20, 4: 20, 5: 15, 6: 15}
_SHAPES = ("circle", "square", "triangle")
_COLOURS = {
    "red": (206, 32, 40),
    "green": (40, 150, 60),
    "blue": (30, 90, 190),
    "yellow": (236, 190, 20),
    "purple": (130, 60, 170),
}
_LARGEST_PX = 120
#: Sizes of the other things as shares of the second largest.
_SHARES = (1.0, 0.9, 0.8, 0.7)

#: Of each plate: its digit, the colour difference of its dots, and how far from grey along which axis they lie for it.
_PLATES = {
    1: ("8", 36, "red_green", 0.20),
    2: ("3", 40, "yellow_blue", 0.23),
    3: ("6", 21, "red_green", 0.10),
    4: ("2", 15, "red_green", 0.067),
}
_DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")


#: How far a classical figure of another edition moves, px to either side, up and down.
_REACH_PX = (10, 40)


def _figure_parameters(cell: Cell, settings: Json) -> Json:
    percent = TRAPS[cell["kind"]][0] if cell["category"] == "trap" else 0
    parameters = {"kind": cell["kind"], "difference_percent": percent}
    if "fresh" not in settings:
        return parameters
    chance = Random(f"{settings['fresh']}/{cell['kind']}/{cell['category']}")
    shift = [chance.randint(-reach, reach) for reach in _REACH_PX]
    return {**parameters, "shift": shift}


def _figure_factors(cell: Cell, settings: Json) -> Mapping[str, str]:
    kind, is_trap = cell["kind"], cell["category"] == "trap"
    percent, relation = TRAPS[kind]
    facts = {
        "kind": kind,
        "illusion": "present",
        "relation": relation if is_trap else "same",
        "cause": "real" if is_trap else "inducer",
        **_presence_asked(KINDS.index(kind) + is_trap),
    }
    return _factors(cell["category"], kind, percent if is_trap else 0, facts)


def _scene_parameters(cell: Cell, settings: Json) -> Json:
    things = _things(_chooser("plain_scene", cell, settings), cell["number"])
    return {"things": [{**thing, "colour": _COLOURS[thing["colour"]]} for thing in things]}


def _scene_factors(cell: Cell, settings: Json) -> Mapping[str, str]:
    number = cell["number"]
    source = _chooser("plain_scene", cell, settings)
    things = _things(source, number)
    names = [_name(thing) for thing in things]
    candidates = [f"{colour} {shape}" for colour in _COLOURS for shape in _SHAPES]
    absent = [name for name in source.permutation(candidates).tolist() if name not in names][:2]
    facts = {
        "kind": "plain_scene",
        "illusion": "absent",
        "cause": "none",
        **_presence_asked(number),
        "count": str(len(things)),
        "wrong_count": str(2 + (len(things) - 1) % 4),
        "leftmost": names[0],
        "rightmost": names[-1],
        "largest": _name(max(things, key=lambda thing: thing["size_px"])),
        "absent": absent[0],
        "absent_too": absent[1],
        "listed": listed(names),
    }
    return _factors("no_illusion", "plain_scene", _SCENES[number], facts)


def _plate_parameters(cell: Cell, settings: Json) -> Json:
    digit, _, axis, reach = _PLATES[cell["number"]]
    source = _chooser("colour_plate", cell, settings)
    source.permutation(_DIGITS)  # the other digits of the facts, which are chosen before the dots
    return {
        "digit": digit,
        "axis": axis,
        "reach": reach,
        "sign": 1 if cell["number"] % 2 else -1,
        "dot_seed": int(source.integers(2**31)),
    }


def _plate_factors(cell: Cell, settings: Json) -> Mapping[str, str]:
    digit, difference, *_ = _PLATES[cell["number"]]
    digits = _chooser("colour_plate", cell, settings).permutation(_DIGITS).tolist()
    wrong_digits = [wrong for wrong in digits if wrong != digit][:3]
    facts = {
        "kind": "colour_plate",
        "illusion": "absent",
        "cause": "hue",
        **_presence_asked(cell["number"]),
        "digit": digit,
        **{f"other_{rank}": wrong for rank, wrong in enumerate(wrong_digits, start=1)},
    }
    return _factors("ishihara", "colour_plate", difference, facts)


def _factors(category: str, kind: str, difference: int, facts: Mapping[str, str]) -> dict[str, str]:
    difficulty = "neutral" if difference >= _NEUTRAL else "hard"
    return {
        "category": category,
        "difficulty": "easy" if difference >= _EASY else difficulty,
        "source": "drawn",
        "kind": kind,
        "facts": format_facts(facts),
    }


def _presence_asked(number: int) -> dict[str, str]:
    """Ask about the absence of an illusion in every other image, so that "True" is no better an answer than "False"."""
    return {"asked_illusion": "absent" if number % 2 else "present"}


def _chooser(kind: str, cell: Cell, settings: Json) -> "Generator":
    from afterimage.statistics.sampling import generator_of

    return generator_of("illusionbench", str(settings["seed"]), f"{kind}_{cell['number']}")


def _things(source: "Generator", number: int) -> list[dict[str, Any]]:
    """Return the things of a scene, from left to right."""
    count = 3 + number % 3
    second = 2 * round(_LARGEST_PX / (1 + _SCENES[number] / 100) / 2)
    sizes = [_LARGEST_PX, *(2 * round(second * share / 2) for share in _SHARES[: count - 1])]
    colours = source.permutation(list(_COLOURS)).tolist()[:count]
    shapes = source.choice(_SHAPES, size=count).tolist()
    placed = source.permutation(sizes).tolist()
    return [
        {"shape": shape, "colour": colour, "size_px": size}
        for shape, colour, size in zip(shapes, colours, placed, strict=True)
    ]


def _name(thing: Json) -> str:
    return f"{thing['colour']} {thing['shape']}"


#: The classical figures and their traps; other editions move them.
FIGURES_AND_TRAPS = Design(
    levels={"category": ("classical", "trap"), "kind": KINDS},
    name="{kind}_{category}",
    parameters=_figure_parameters,
    factors=_figure_factors,
)
#: The scenes; the setting ``seed`` chooses their things.
PLAIN_SCENES = Design(
    levels={"number": tuple(_SCENES)},
    name="plain_scene_{number}",
    parameters=_scene_parameters,
    factors=_scene_factors,
)
#: The plates; the setting ``seed`` chooses their dots and the other digits that questions offer.
COLOUR_PLATES = Design(
    levels={"number": tuple(_PLATES)},
    name="colour_plate_{number}",
    parameters=_plate_parameters,
    factors=_plate_factors,
)
