"""Plain scenes without any illusion: coloured things side by side on a floor, clearly different in size."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import Colour, grey
from afterimage.drawing.regions import Region
from afterimage.suites.illusionbench.designs import Design, designs
from afterimage.suites.illusionbench.names import SCENES
from afterimage.suites.illusionbench.spec import StimulusSpec, joined

SIDE_PX = 512

SHAPES = ("circle", "square", "triangle")
COLOURS = {
    "red": Colour(206, 32, 40),
    "green": Colour(40, 150, 60),
    "blue": Colour(30, 90, 190),
    "yellow": Colour(236, 190, 20),
    "purple": Colour(130, 60, 170),
}
_WALL, _FLOOR, _FLOOR_Y = grey(244), grey(196), 380
_LARGEST_PX = 120
#: Sizes of the others as shares of the second largest.
_SHARES = (1.0, 0.9, 0.8, 0.7)
_MOST_GAP_PX = 30


def specs(settings: Mapping) -> list[StimulusSpec]:
    """Return the scenes; the setting ``seed`` chooses what stands in them."""
    return [_spec(design, settings["seed"]) for design in designs(SCENES)]


def draw(parameters: Mapping) -> Drawing:
    """Draw the things of a scene, from left to right, as far apart as there is room for."""
    things = parameters["things"]
    canvas = Canvas(_WALL, SIDE_PX, SIDE_PX)
    canvas.fill(0, _FLOOR_Y, SIDE_PX, SIDE_PX, _FLOOR)
    gap = (SIDE_PX - sum(thing["size_px"] for thing in things)) / (len(things) + 1)
    gap = min(gap, _MOST_GAP_PX)
    left = (SIDE_PX - sum(thing["size_px"] for thing in things) - gap * (len(things) - 1)) / 2
    for thing in things:
        _paint(canvas, thing, round(left))
        left += thing["size_px"] + gap
    return Drawing(canvas.pixels())


def _paint(canvas: Canvas, thing: Mapping, left: int) -> None:
    size, colour = thing["size_px"], COLOURS[thing["colour"]]
    top = _FLOOR_Y - size
    if thing["shape"] == "circle":
        canvas.paint(Discs(np.array([[left + size / 2, top + size / 2]]), size), colour)
    elif thing["shape"] == "square":
        canvas.fill(left, top, left + size, top + size, colour)
    else:
        corners = [(left, _FLOOR_Y), (left + size, _FLOOR_Y), (left + size / 2, top)]
        canvas.paint(Region([np.array(corners, dtype=float)]), colour)


def _spec(design: Design, seed: int) -> StimulusSpec:
    digest = hashlib.sha256(f"illusionbench/{seed}/{design.stimulus_id}".encode()).digest()
    source = np.random.default_rng(int.from_bytes(digest))
    things = _things(source, 3 + (int(design.stimulus_id[-1]) % 3), design.difference)
    names = [f"{thing['colour']} {thing['shape']}" for thing in things]
    others = [f"{colour} {shape}" for colour in COLOURS for shape in SHAPES]
    absent = [name for name in source.permutation(others).tolist() if name not in names][:2]
    largest = max(things, key=lambda thing: thing["size_px"])
    facts = {
        "kind": "plain_scene",
        "illusion": "absent",
        "cause": "none",
        "asked_illusion": "present" if design.asks_present else "absent",
        "count": str(len(things)),
        "wrong_count": str(2 + (len(things) - 1) % 4),
        "leftmost": names[0],
        "rightmost": names[-1],
        "largest": f"{largest['colour']} {largest['shape']}",
        "absent": absent[0],
        "absent_too": absent[1],
        "listed": _listed(names),
    }
    return StimulusSpec(
        design.stimulus_id,
        {"things": things},
        {
            "category": design.category,
            "difficulty": design.difficulty,
            "source": "drawn",
            "kind": design.kind,
            "facts": joined(facts),
        },
    )


def _things(source: np.random.Generator, count: int, percent: int) -> list[dict]:
    second = 2 * round(_LARGEST_PX / (1 + percent / 100) / 2)
    sizes = [_LARGEST_PX, *(2 * round(second * share / 2) for share in _SHARES[: count - 1])]
    colours = source.permutation(list(COLOURS)).tolist()[:count]
    shapes = source.choice(SHAPES, size=count).tolist()
    return [
        {"shape": shape, "colour": colour, "size_px": size}
        for shape, colour, size in zip(
            shapes, colours, source.permutation(sizes).tolist(), strict=True
        )
    ]


def _listed(names: Sequence[str]) -> str:
    *first, last = (f"a {name}" for name in names)
    return f"{', '.join(first)} and {last}"
