"""Design of the scenes: each follows from its number and the seed, so that further scenes change none.

Frequencies are skewed (a tree in three of five scenes, a moon in one of twenty) and two pairs are planted (car with
house, boat with moon), so that popular, adversarial and random negatives really differ.
"""

from collections.abc import Sequence

import numpy as np

from afterimage.errors import config_path, fault
from afterimage.statistics.sampling import generator_of
from afterimage.suites.pope.names import NESTED, SCENES, stimulus_id
from afterimage.suites.pope.scene import COLOURS, PAPERS, SIDE_PX, Placed, Scene, silhouette

#: Classes in a scene, with the chance of each number.
_CLASS_COUNTS, _CLASS_CHANCES = (3, 4, 5), (0.35, 0.4, 0.25)
_INSTANCE_CHANCES = (0.62, 0.25, 0.13)
_TREE_CHANCE, _MOON_CHANCE = 0.6, 0.05
#: Classes that bring another class along, and how often.
_PARTNERS = {"car": ("house", 0.85), "house": ("car", 0.6), "moon": ("boat", 1.0)}
_WEIGHTS = {
    **{"house": 3.0, "car": 3.0, "ball": 2.5, "flower": 2.2, "star": 2.0, "cup": 1.7, "boat": 1.6},
    **{"heart": 1.5, "box": 1.4, "umbrella": 1.3, "cone": 1.2, "ladder": 1.1, "scissors": 1.0},
    **{"glasses": 1.0},
}

#: Every object stands in a cell of its own, so that no two boxes overlap.
_CELLS = 3
_CELL_PX = SIDE_PX / _CELLS
_MARGIN_PX = 5
_LARGEST_PX = _CELL_PX - 2 * _MARGIN_PX
#: Box areas as shares of the image.
_MIN_AREA, _MAX_AREA = 0.0415, 0.0945
_GRID_PER_PX = 4

#: Sides of a box that something is in, px, and its opening (see ``silhouettes``), as shares of its sides.
_CASE_PX = (222.0, 244.0)
_OPENING = (0.09, 0.42, 0.67, 0.95)
_FREE_PX = 7.0


def scenes(count: int, seed: int) -> list[Scene]:
    """Return the first ``count`` scenes of a seed.

    Raises:
        AfterimageError: They hold so few classes that an image would be left without a class to deny.
    """
    made = [_scene(number, seed) for number in range(count)]
    classes = {placed.name for scene in made for placed in scene.objects}
    maximum = max(len({placed.name for placed in scene.objects}) for scene in made)
    if len(classes) < maximum + 3:
        raise fault(
            config_path("suites.pope.scenes"),
            f"{count} scenes hold {len(classes)} classes, and one of them {maximum} of these; "
            "expected at least three more than any scene holds, so more scenes or another seed.",
        )
    return made


def nested_scenes(count: int, seed: int) -> list[Scene]:
    """Return the first ``count`` scenes with something inside a box and other things outside it."""
    return [_nested_scene(number, seed) for number in range(count)]


def _scene(number: int, seed: int) -> Scene:
    name = stimulus_id(SCENES, number)
    draw = generator_of("pope", str(seed), SCENES, name)
    classes = _classes(draw)
    counts = _counts(len(classes), draw)
    colours = [_pick(tuple(COLOURS), draw) for _ in classes]
    cells = draw.permutation(_CELLS**2)
    named = [
        (class_name, colour)
        for class_name, colour, count in zip(classes, colours, counts, strict=True)
        for _ in range(count)
    ]
    placed = [
        Placed(class_name, colour, _bbox(class_name, int(cell), draw))
        for (class_name, colour), cell in zip(named, cells, strict=False)
    ]
    order = draw.permutation(len(placed))
    return Scene(f"{name}.png", _pick(tuple(PAPERS), draw), tuple(placed[i] for i in order))


def _classes(draw: np.random.Generator) -> list[str]:
    """Draw the classes of a scene: the planted ones first, the rest by weight."""
    wanted = int(draw.choice(_CLASS_COUNTS, p=_CLASS_CHANCES))
    chosen = ["tree"] if draw.random() < _TREE_CHANCE else []
    if draw.random() < _MOON_CHANCE:
        chosen += ["moon", "boat"]
    while len(chosen) < wanted:
        remaining = [name for name in _WEIGHTS if name not in chosen]
        weights = np.array([_WEIGHTS[name] for name in remaining])
        newest = remaining[int(draw.choice(len(remaining), p=weights / weights.sum()))]
        chosen.append(newest)
        partner, chance = _PARTNERS.get(newest, ("", 0.0))
        if draw.random() < chance and partner not in chosen and len(chosen) < wanted:
            chosen.append(partner)
    return [chosen[i] for i in draw.permutation(len(chosen))]


def _counts(classes: int, draw: np.random.Generator) -> list[int]:
    """Draw the number of objects of each class; two classes get one, so that questions can say "the"."""
    counts = [1 + int(draw.choice(3, p=_INSTANCE_CHANCES)) for _ in range(classes)]
    for index in draw.permutation(classes)[:2]:
        counts[index] = 1
    while sum(counts) > _CELLS**2:
        counts[int(np.argmax(counts))] -= 1
    return counts


def _bbox(name: str, cell: int, draw: np.random.Generator) -> tuple[float, float, float, float]:
    """Draw size and position of an object inside a cell of the grid."""
    row, column = divmod(cell, _CELLS)
    left, top = column * _CELL_PX + _MARGIN_PX, row * _CELL_PX + _MARGIN_PX
    return _within(name, (left, top, left + _LARGEST_PX, top + _LARGEST_PX), draw)


def _within(
    name: str, room: tuple[float, float, float, float], draw: np.random.Generator
) -> tuple[float, float, float, float]:
    """Draw size and position of an object inside a rectangle (left, top, right, bottom), px."""
    aspect = silhouette(name).aspect
    left, top, right, bottom = room
    widest = min(right - left, (bottom - top) * aspect)
    maximum = min(_MAX_AREA, widest**2 / aspect / SIDE_PX**2)
    area = draw.uniform(_MIN_AREA, maximum) * SIDE_PX**2
    # Widths are rounded up, so that no rounding takes a box below the least area.
    width = np.ceil(np.sqrt(area * aspect) * _GRID_PER_PX) / _GRID_PER_PX
    height = np.ceil(width / aspect * _GRID_PER_PX) / _GRID_PER_PX
    x = _rounded(draw.uniform(left, max(left, right - width)))
    y = _rounded(draw.uniform(top, max(top, bottom - height)))
    return x, y, float(width), float(height)


def _nested_scene(number: int, seed: int) -> Scene:
    name = stimulus_id(NESTED, number)
    draw = generator_of("pope", str(seed), NESTED, name)
    side = _rounded(draw.uniform(*_CASE_PX))
    free = (2 * _CELL_PX - side) / 2
    column, row = int(draw.integers(2)), int(draw.integers(2))
    left, top = _rounded(column * _CELL_PX + free), _rounded(row * _CELL_PX + free)
    names = [name for name in (*_WEIGHTS, "tree", "moon") if name != "box"]
    other_names = [names[i] for i in draw.permutation(len(names))[: 3 + int(draw.integers(2))]]
    colours = [tuple(COLOURS)[i] for i in draw.permutation(len(COLOURS))]
    x0, y0, x1, y1 = (share * side for share in _OPENING)
    opening = (left + x0 + _FREE_PX, top + y0 + _FREE_PX, left + x1 - _FREE_PX, top + y1 - _FREE_PX)
    inner = Placed(other_names[0], colours[1], _within(other_names[0], opening, draw))
    # The box takes two cells by two; the other five are free.
    free_cells = [
        cell
        for cell in range(_CELLS**2)
        if not (row <= cell // _CELLS <= row + 1 and column <= cell % _CELLS <= column + 1)
    ]
    cells = [free_cells[i] for i in draw.permutation(len(free_cells))]
    outside = [
        Placed(class_name, colour, _bbox(class_name, cell, draw))
        for class_name, colour, cell in zip(other_names[1:], colours[2:], cells, strict=False)
    ]
    box = Placed("box", colours[0], (left, top, side, side))
    return Scene(f"{name}.png", _pick(tuple(PAPERS), draw), (box, inner, *outside))


def _pick(names: Sequence[str], draw: np.random.Generator) -> str:
    return names[int(draw.integers(len(names)))]


def _rounded(value: float) -> float:
    return float(np.floor(value * _GRID_PER_PX) / _GRID_PER_PX)
