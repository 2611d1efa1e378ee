"""Colour plates after Ishihara's: a digit of dots among dots that differ in hue alone.

Both kinds of dots have the same distribution of luminance and of size, so that nothing but the hue tells them apart.
The plates make no claim about anybody's colour vision.
"""

import hashlib
from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import BLACK, WHITE, Colour, levels_from_linear
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.regions import Region
from afterimage.drawing.text import TextLine
from afterimage.drawing.typefaces import typeface
from afterimage.suites.illusionbench.designs import Design, designs
from afterimage.suites.illusionbench.names import PLATES
from afterimage.suites.illusionbench.spec import StimulusSpec, joined

SIDE_PX = 512

_PLATE_RADIUS_PX = 240
_DIGIT_HEIGHT_PX = 350
_RADII_PX = (10.0, 8.5, 7.0, 5.5, 4.5)
_TRIES = 15_000
_GAP_PX = 1.5
_LUMINANCE = (0.26, 0.42)
#: Directions in linear sRGB along which luminance stays (Rec. 709: 0.2126, 0.7152, 0.0722).
_AXES = {"red_green": (0.7152, -0.2126, 0.0), "yellow_blue": (0.0722, 0.0722, -0.9278)}
#: How far to go along them from grey, to either side, for a colour difference (CIEDE2000) between the kinds of dots.
_REACH = {
    40: ("yellow_blue", 0.23),
    36: ("red_green", 0.20),
    21: ("red_green", 0.10),
    15: ("red_green", 0.067),
}
_DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")


def specs(settings: Mapping) -> list[StimulusSpec]:
    """Return the plates; the setting ``seed`` chooses their dots and the other digits that questions offer."""
    return [_spec(place, design, settings["seed"]) for place, design in enumerate(designs(PLATES))]


def draw(parameters: Mapping) -> Drawing:
    """Pack dots into a disc, none across the digit's outline, and colour those inside the digit."""
    source = np.random.default_rng(int(parameters["dot_seed"]))
    mask = _digit_mask(parameters["digit"])
    centres, radii = _packed(source, mask)
    inside = _covered(mask, centres)
    luminance = source.uniform(*_LUMINANCE, size=len(centres))
    reach = parameters["reach"] * np.where(inside, 1.0, -1.0) * parameters["sign"]
    light = luminance[:, None] + reach[:, None] * np.array(_AXES[parameters["axis"]])
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    for centre, radius, levels in zip(centres, radii, levels_from_linear(light), strict=True):
        canvas.paint(Discs(centre[None], 2 * radius), Colour(*levels.tolist()))
    return Drawing(canvas.pixels(), {"dots": len(centres), "dots_of_digit": int(inside.sum())})


def _packed(source: np.random.Generator, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return centres and radii of dots that keep clear of each other and of the outline, large ones first."""
    centres, radii = np.empty((0, 2)), np.empty(0)
    for radius in _RADII_PX:
        reach = _PLATE_RADIUS_PX - radius
        tried = source.uniform(-reach, reach, size=(_TRIES // len(_RADII_PX), 2))
        tried = np.round(tried[(tried * tried).sum(axis=1) <= reach * reach], 2) + SIDE_PX / 2
        tried = tried[_is_clear(mask, tried, radius)]
        for centre in tried:
            apart = ((centres - centre) ** 2).sum(axis=1)
            if (apart >= (radii + radius + _GAP_PX) ** 2).all():
                centres, radii = np.vstack([centres, centre]), np.append(radii, radius)
    return centres, radii


def _is_clear(mask: np.ndarray, centres: np.ndarray, radius: float) -> np.ndarray:
    """Tell which dots have their whole rim on one side of the digit's outline."""
    angles = np.arange(8) * 45
    steps = np.stack([cosine(angles), sine(angles)], axis=-1) * radius
    rim = _covered(mask, centres[:, None] + steps)
    return (rim == _covered(mask, centres)[:, None]).all(axis=1)


def _covered(mask: np.ndarray, points: np.ndarray) -> np.ndarray:
    return mask[points[..., 1].astype(int), points[..., 0].astype(int)]


def _digit_mask(digit: str) -> np.ndarray:
    """Return the pixels that a large bold digit in the middle covers, shape (512, 512), bool."""
    face = typeface("LiberationSans-Bold")
    left, top, right, bottom = face.ink_box(digit)
    size = _DIGIT_HEIGHT_PX / (bottom - top)
    middle = SIDE_PX / 2
    origin = (middle - size * (left + right) / 2, middle - size * (top + bottom) / 2)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(TextLine(digit, face, size, origin).polygons()), BLACK)
    return canvas.pixels()[..., 0] < 128


def _spec(place: int, design: Design, seed: int) -> StimulusSpec:
    digest = hashlib.sha256(f"illusionbench/{seed}/{design.stimulus_id}".encode()).digest()
    source = np.random.default_rng(int.from_bytes(digest))
    others = [digit for digit in source.permutation(_DIGITS).tolist() if digit != design.digit]
    axis, reach = _REACH[design.difference]
    facts = {
        "kind": "colour_plate",
        "illusion": "absent",
        "cause": "hue",
        "asked_illusion": "present" if design.asks_present else "absent",
        "digit": design.digit,
        **{f"other_{rank}": digit for rank, digit in enumerate(others[:3], start=1)},
    }
    parameters = {
        "digit": design.digit,
        "axis": axis,
        "reach": reach,
        "sign": 1 if place % 2 == 0 else -1,
        "dot_seed": int(source.integers(2**31)),
    }
    return StimulusSpec(
        design.stimulus_id,
        parameters,
        {
            "category": design.category,
            "difficulty": design.difficulty,
            "source": "drawn",
            "kind": design.kind,
            "facts": joined(facts),
        },
    )
