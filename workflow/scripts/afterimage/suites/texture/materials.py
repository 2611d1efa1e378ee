"""The ten drawn materials: their words, and what is drawn of each; names and numbers only.

Not the paper's: docs/texture.md. Standard library only, because the Snakefile imports this module whenever it is
parsed.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from afterimage.errors import unknown_name


@dataclass(frozen=True)
class Material:
    """A drawn material.

    Attributes:
        name: Also the name of the function of ``figures/`` that draws it.
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
#: around the limit of the area filter.
DRAWN_FIGURES = ("materials", "area_limit")
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


_LAYOUTS = {
    "sphere": Layout("sphere", 256, 256, 168, 168),
    "tile": Layout("tile", 256, 256, 160, 160),
}
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
        figure: One of ``DRAWN_FIGURES``.
        material: What it shows.
        hue: One of ``HUES``.
        layout: Its sizes.
    """

    image_id: str
    figure: str
    material: str
    hue: str
    layout: Layout


def material(name: str) -> Material:
    """Return a material by its name.

    Raises:
        AfterimageError: There is none of this name.
    """
    found = [known for known in MATERIALS if known.name == name]
    if not found:
        raise unknown_name("material", name, [known.name for known in MATERIALS])
    return found[0]


def images_of(figure: str) -> Iterator[DrawnImage]:
    """Yield the images of one of ``DRAWN_FIGURES``.

    Raises:
        AfterimageError: There is no such figure.
    """
    if figure not in DRAWN_FIGURES:
        raise unknown_name("figure", figure, DRAWN_FIGURES, "suite 'texture'")
    if figure == "area_limit":
        for name, layout in _LIMIT_LAYOUTS.items():
            yield DrawnImage(f"{figure}_{name}", figure, _LIMIT_MATERIAL, HUES[0], layout)
        return
    for known in MATERIALS:
        for shape in SHAPES:
            for hue in HUES:
                name = f"{known.name}_{shape}_{hue}"
                yield DrawnImage(name, figure, known.name, hue, _LAYOUTS[shape])


def all_images() -> Iterator[DrawnImage]:
    """Yield all drawn images, figure by figure."""
    for figure in DRAWN_FIGURES:
        yield from images_of(figure)
