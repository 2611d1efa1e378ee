"""The ten drawn materials: their words, their English glosses, and which images there are of each.

Not the paper's: docs/texture.md. Standard library only, because the Snakefile imports this module whenever it is
parsed.
"""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from afterimage.contract.design import Listed
from afterimage.contract.stimulus import Json, StimulusSpec


@dataclass(frozen=True)
class Material:
    """A drawn material.

    Attributes:
        name: Also the name of the function that draws it.
        gold: Words that fit it.
        compatible: Words that may be said of it too: never right, and never offered as wrong.
    """

    name: str
    gold: tuple[str, str]
    compatible: tuple[str, ...]


MATERIALS = (
    Material("glossy", ("つやつや", "光沢のある"), ("なめらか", "濡れた")),
    Material("matte", ("マットな", "つや消し"), ("なめらか",)),
    Material("rough", ("ざらざら", "ごつごつ"), ("乾いた",)),
    Material("transparent", ("透明感のある", "透き通った"), ("つやつや",)),
    Material("metallic", ("金属的", "硬い"), ("光沢のある",)),
    Material("fluffy", ("ふわふわ", "柔らかい"), ("毛並みがきれい",)),
    Material("wet", ("濡れた", "みずみずしい"), ("つやつや",)),
    Material("cracked", ("ひび割れた", "乾いた"), ("ざらざら",)),
    Material("woven", ("編み目のある", "布っぽい"), ("柔らかい",)),
    Material("grainy", ("つぶつぶ", "粒状の"), ("ざらざら",)),
)

#: Shape to the word that questions use for it.
SHAPES = {"sphere": "球", "tile": "板"}
HUES = ("warm", "cool")

#: What one job draws: every material in two shapes and two hues, and tiles whose share of the image lies at and
#: around the limit of the area filter. Further copies of the first follow, ``materials_2`` and so on: questions about
#: earlier figures are then the same with them and without.
MATERIALS_FIGURE, LIMIT_FIGURE = DRAWN_FIGURES = ("materials", "area_limit")
_LIMIT_MATERIAL = "glossy"


@dataclass(frozen=True)
class Layout:
    """Size of an image and of the object in its middle, px.

    Attributes:
        shape: One of ``SHAPES``.
        width: Of the image.
        height: Of the image.
        object_width: Of the object; a sphere's diameter.
        object_height: Of the object.
    """

    shape: str
    width: int
    height: int
    object_width: int
    object_height: int

    @property
    def object_pixels(self) -> int:
        """Number of pixels whose centre lies in the object's outline."""
        if self.shape == "tile":
            return self.object_width * self.object_height
        radius = self.object_width / 2
        chords = (
            math.sqrt(radius**2 - (row + 0.5 - radius) ** 2) for row in range(self.object_width)
        )
        # The diameter is even, so that the middle of the object lies between pixels.
        return sum(2 * math.floor(chord + 0.5) for chord in chords)

    @property
    def area_fraction(self) -> float:
        """Share of the image that the object's outline encloses."""
        return self.object_pixels / (self.width * self.height)

    @property
    def box_fraction(self) -> float:
        """Share of the image that the smallest upright rectangle about the object encloses."""
        return self.object_width * self.object_height / (self.width * self.height)


_CANVAS_PX = 256
_SIZES_PX = {"sphere": 168, "tile": 160}
# Sizes of further copies, none of which has the first one's: from this size on, in steps of two.
_SMALLEST_PX = {"sphere": 136, "tile": 124}
_SIZES = 32
# Without a common factor with their number, so that sizes of copies one after the other are far from each other.
_SIZE_STEP = 13
#: The most copies there are, the first among them: each has a size of its own.
MAX_COPIES = 1 + _SIZES
#: 64,000 pixels can be divided at exactly 15 %, 65,536 cannot.
_LIMIT_LAYOUTS = {
    "0100": Layout("tile", 256, 250, 100, 64),
    "0150": Layout("tile", 256, 250, 120, 80),
    "0151": Layout("tile", 256, 250, 151, 64),
}


@dataclass(frozen=True)
class DrawnImage:
    """One drawn image, by name.

    Attributes:
        image_id: Its stimulus id.
        figure: One of ``figure_names``.
        material: What it shows.
        hue: One of ``HUES``.
        layout: Its sizes.
        mirrored: Whether left and right are swapped, so that the lamp stands on the right.
    """

    image_id: str
    figure: str
    material: str
    hue: str
    layout: Layout
    mirrored: bool = False


def material(name: str) -> Material:
    return next(known for known in MATERIALS if known.name == name)


def figure_names(copies: int) -> list[str]:
    """Return the names of the figures for a number of copies of the materials; one job draws each."""
    return [*DRAWN_FIGURES, *(f"{MATERIALS_FIGURE}_{copy}" for copy in range(2, copies + 1))]


def images_of(figure: str) -> Iterator[DrawnImage]:
    """Yield the images of one of ``figure_names``."""
    if figure == LIMIT_FIGURE:
        for name, layout in _LIMIT_LAYOUTS.items():
            yield DrawnImage(f"{figure}_{name}", figure, _LIMIT_MATERIAL, HUES[0], layout)
        return
    copy = int(figure.removeprefix(MATERIALS_FIGURE).removeprefix("_") or 1)
    suffix = f"_{copy}" if copy > 1 else ""
    for known in MATERIALS:
        for shape in SHAPES:
            size = _size(shape, copy)
            layout = Layout(shape, _CANVAS_PX, _CANVAS_PX, size, size)
            for hue in HUES:
                name = f"{known.name}_{shape}_{hue}{suffix}"
                yield DrawnImage(name, figure, known.name, hue, layout, copy % 2 == 0)


def _size(shape: str, copy: int) -> int:
    first = _SIZES_PX[shape]
    if copy == 1:
        return first
    sizes = [size for size in range(_SMALLEST_PX[shape], _CANVAS_PX, 2) if size != first][:_SIZES]
    return sizes[_SIZE_STEP * (copy - 1) % _SIZES]


def all_images(copies: int = 1) -> Iterator[DrawnImage]:
    """Yield all drawn images, figure by figure."""
    for figure in figure_names(copies):
        yield from images_of(figure)


# English for the words of the drawn materials: shown in tables and figures, never in a question.

#: Word to its gloss; of a user's own words there is none.
GLOSSES = {
    "つやつや": "glossy",
    "光沢のある": "lustrous",
    "マットな": "matt",
    "つや消し": "flat, no gloss",
    "ざらざら": "rough, sandy",
    "ごつごつ": "rugged",
    "透明感のある": "translucent",
    "透き通った": "see-through",
    "金属的": "metallic",
    "硬い": "hard",
    "ふわふわ": "fluffy",
    "柔らかい": "soft",
    "濡れた": "wet",
    "みずみずしい": "dewy",
    "ひび割れた": "cracked",
    "乾いた": "dry",
    "編み目のある": "knitted",
    "布っぽい": "cloth-like",
    "つぶつぶ": "grainy",
    "粒状の": "granular",
    "なめらか": "smooth",
    "毛並みがきれい": "well-groomed fur",
}


def glossed(word: str) -> str:
    """Return a word with its English in brackets, where there is one."""
    return f"{word} ({GLOSSES[word]})" if word in GLOSSES else str(word)


# Random choices that follow from what is chosen, not from the order in which it is drawn.

_DRAWS = 64


def rank(seed: int, *identity: str) -> str:
    """Return a sort key for a random order; no further identity changes it."""
    return hashlib.sha256("\0".join(("texture", str(seed), *identity)).encode()).hexdigest()


def walk(position: int, count: int, seed: int, *identity: str) -> Iterator[int]:
    """Yield every other position of a list that may grow at its end, in an order that growing only prolongs.

    What is taken from the beginning of the walk is then the same before and after the list has grown: first
    earlier positions, in random order, and then later ones in turn.

    Args:
        position: The position that the walk starts from; it is not yielded.
        count: Length of the list.
        seed: Of the study.
        identity: What is looked for, and for what.
    """
    seen = {position}
    for draw in range(_DRAWS if position else 0):
        earlier = int(rank(seed, *identity, str(draw)), 16) % position
        if earlier not in seen:
            seen.add(earlier)
            yield earlier
    yield from (index for index in range(position - 1, -1, -1) if index not in seen)
    yield from range(position + 1, count)


# The images of the drawn materials, as stimuli.


def _ids(figure: str, settings: Json) -> tuple[str, ...]:
    return tuple(image.image_id for image in images_of(figure))


# The object of another edition moves by whole squares of the ground, px, of which two make a period; hairs and shadows
# need some room beside it.
_SQUARE_PX, _ROOM_PX = 16, 20


def _parameters(image: DrawnImage, settings: Json) -> Json:
    parameters = {"image_id": image.image_id, "seed": settings.get("fresh", settings["seed"])}
    if "fresh" not in settings:
        return parameters
    moves = _moves(image.layout)
    chosen = int(rank(settings["fresh"], "place", image.image_id), 16) % len(moves)
    is_mirrored, right, down = moves[chosen]
    return {**parameters, "mirrored": is_mirrored, "shift": [right, down]}


def _moves(layout: Layout) -> list[tuple[bool, int, int]]:
    """Return every way to mirror and move an object, px, but that of the public edition."""
    across = _steps_px(layout.width, layout.object_width)
    down = _steps_px(layout.height, layout.object_height)
    return [
        (is_mirrored, x, y)
        for is_mirrored, x, y in product((False, True), across, down)
        if (x + y) % (2 * _SQUARE_PX) == 0 and (is_mirrored or x or y)
    ]


def _steps_px(side_px: int, object_px: int) -> list[int]:
    """Return the steps of an object along a side, px; only 0 where the side is no whole number of periods."""
    if side_px % (2 * _SQUARE_PX):
        return [0]
    steps = max(0, ((side_px - object_px) // 2 - _ROOM_PX) // _SQUARE_PX)
    return [step * _SQUARE_PX for step in range(-steps, steps + 1)]


def _specs(figure: str, settings: Json) -> list[StimulusSpec]:
    """Return the images, drawn with the ``seed`` or an edition's ``fresh``; measuring has to find the factors."""
    return [
        StimulusSpec(
            image.image_id,
            _parameters(image, settings),
            {
                "material": image.material,
                "area_fraction": f"{image.layout.area_fraction:.6f}",
            },
        )
        for image in images_of(figure)
    ]


#: In the order of the materials.
DESIGN = Listed(_ids, _specs)
