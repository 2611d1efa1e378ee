"""What the suite's parts call things. Standard library only."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

_T = TypeVar("_T")

#: The tasks in order; each is one figure.
TASKS = ("follow", "trace", "same_object")
#: What is varied, and in how many ways of each there are images.
HOPS, BOARDS = (1, 2, 4, 8), 22
CROSSINGS, PANELS = (0, 2, 4, 8, 16), 18
DISPLACEMENTS, REPLICATES, CONTROLS = (2, 4, 8, 16, 32), 16, 40

#: Forms that can be drawn.
SHAPES = ("circle", "square", "triangle", "cross")
#: Colours by name.
COLOURS = {
    "red": "#D62728",
    "orange": "#FF8C1A",
    "yellow": "#F2D21B",
    "green": "#238023",
    "cyan": "#2BC4D8",
    "blue": "#1F5FB4",
    "purple": "#8E44AD",
    "pink": "#FF8FC0",
    "brown": "#7A4A21",
    "grey": "#8C8C8C",
    "black": "#000000",
}

#: Of the squares at the ends of wires, and of the parts of objects.
WIRE_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
#: Rows that wires can run along, and the column in which they end; in each before it one wire changes its row.
ROWS, COLUMNS = 16, 25
#: Of the two lower objects, and that neither differs; how far a part can lie from the middle of its side, px.
SIDES, NONE = ("left", "right"), "none"
PARTS_REACH_PX = 40

#: Side of the image, px.
SIDE_PX = 672
#: The factor ``context``: whether an image asks for the task, or is the control beside it.
TASK, CONTROL = CONTEXTS = ("task", "control")


def shuffled(values: Sequence[_T], generator: Random) -> list[_T]:
    """Return values in random order, by ``random()`` alone, whose values Python promises to keep."""
    return sorted(values, key=lambda value: generator.random())
