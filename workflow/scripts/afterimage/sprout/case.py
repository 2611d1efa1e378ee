"""The random choices that every kind of picture shares: what is true, which colours, which ground."""

from dataclasses import dataclass

import numpy as np

from afterimage.drawing.colour import Colour
from afterimage.sprout.picture import FIRST, NEITHER, SECOND

COLOURS = {
    "red": (214, 39, 40),
    "blue": (31, 95, 180),
    "green": (44, 150, 60),
    "orange": (240, 140, 20),
    "purple": (130, 60, 170),
    "black": (10, 10, 10),
    "brown": (130, 80, 40),
    "pink": (235, 120, 180),
}

#: How often the first has more, the second, neither.
_CHANCES = {FIRST: 0.3, SECOND: 0.3, NEITHER: 0.4}


@dataclass(frozen=True)
class Case:
    """One picture's choices, and the generator of all others.

    Attributes:
        random: Generator; the same state gives the same picture.
        category: What is true (``picture.py``).
        difference: Signed, in the kind's unit.
        names: What the colours of the two targets are called.
        colours: The colours themselves.
        ground: Colour of the ground.
    """

    random: np.random.Generator
    category: int
    difference: float
    names: tuple[str, str]
    colours: tuple[Colour, Colour]
    ground: Colour

    def between(self, low: float, high: float) -> float:
        """Return a number from a range."""
        return float(self.random.uniform(low, high))

    def about(self, reach: float) -> float:
        """Return a number about 0."""
        return float(self.random.uniform(-reach, reach))

    def chance(self, share: float) -> bool:
        """Return True in this share of cases."""
        return bool(self.random.random() < share)

    def named(self, both: bool) -> dict[str, str]:
        """Return what questions call the targets: by two colours, or by the first one's."""
        second = self.names[1] if both else self.names[0]
        return {"colour": self.names[0], "first": self.names[0], "second": second}


def new_case(random: np.random.Generator, differences: tuple[float, float]) -> Case:
    """Choose what pictures of every kind have.

    Args:
        random: Generator.
        differences: Smallest and largest difference, in the kind's unit; drawn evenly on a logarithmic scale.
    """
    category = int(random.choice(list(_CHANCES), p=list(_CHANCES.values())))
    size = float(np.exp(random.uniform(*np.log(differences))))
    difference = {FIRST: size, SECOND: -size, NEITHER: 0.0}[category]
    names = _names(random)
    colours = (_shade(random, names[0]), _shade(random, names[1]))
    return Case(random, category, difference, names, colours, _ground(random))


def _names(random: np.random.Generator) -> tuple[str, str]:
    if random.random() < 0.75:
        return ("red", "blue") if random.random() < 0.5 else ("blue", "red")
    first, second = random.permutation(list(COLOURS))[:2]
    return str(first), str(second)


def _shade(random: np.random.Generator, name: str) -> Colour:
    values = np.array(COLOURS[name]) + random.uniform(-18, 18) + random.uniform(-14, 14, 3)
    return whole(values)


def _ground(random: np.random.Generator) -> Colour:
    kind = random.random()
    if kind < 0.6:
        return Colour(255, 255, 255)
    if kind < 0.8:
        return whole(np.full(3, random.uniform(200, 255)))
    return whole(random.uniform(190, 255, 3))


def whole(values: np.ndarray) -> Colour:
    """Return a colour from three numbers, rounded and kept within 0..255."""
    red, green, blue = np.clip(np.rint(values), 0, 255).astype(int).tolist()
    return Colour(red, green, blue)
