"""What the pixels show: an observer of the drawn materials, and what each image must show."""

import re
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.items.wording import marked_options
from afterimage.seeing.image import Image, once
from afterimage.seeing.surfaces import Properties, measure_properties
from afterimage.suites.texture.materials import MATERIALS

# An observer of the drawn materials that has nothing but the pixels.
#
# It measures what defines a material (highlights, relief, a checkerboard seen through, bands, hairs, cracks, a
# regular pattern) and says which words fit. It knows no parameter of a drawing. It proves that the stimuli show what
# their words say, and it is the ideal observer among the reference responders. Of a photograph it knows nothing, and
# says so.

# Limits lie in the middle between the materials that they separate, in every shape, hue and arrangement.
_RAGGED = 3.0
_REGULAR_PERCENT = 1.0
_CROSSING = 0.5
_CHECKERED = 0.5
_HIGHLIGHT_PERCENT = 0.02
_MANY_SPOTS = 12
_PALE = 0.3
_GROOVED = 0.08
_BANDED_PERCENT_PER_PX = 3.0

_OPTION = re.compile(r"(?<!\d)(\d+)\s*[:：]\s*(\S+)")
_CHOOSE = "選択してください"
_DESCRIBE = "3個「、」で分けて書いてください"
_FULL_WIDTH_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")

#: The observer's answer about an object that is made of none of the drawn materials.
NO_IDEA = "わかりません"

#: The words for each material: its own, the best first, then compatible ones.
WORDS = {known.name: (*known.gold, *known.compatible) for known in MATERIALS}


def material_of(image: Image) -> str:
    """Return the name of the material that the object in an image is made of.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.

    Raises:
        AfterimageError: The array is no RGB image, or shows no object of one of the drawn materials.
    """
    return name_material(measure_properties(image))


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer, in the form that it asks for.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Returns:
        A number, three words, or わかりません where no option fits or the image shows none of the materials.

    Raises:
        AfterimageError: The request sets none of the suite's tasks.
    """
    options = options_of(text)
    try:
        material = _remembered(image)
    except AfterimageError:
        return NO_IDEA
    return phrase(options, WORDS[material])


_remembered = once(material_of)


def name_material(properties: Properties) -> str:
    """Return the material that an object is made of.

    Each rule asks for what makes the material: hairs beyond the outline; a regular pattern along the axes (a
    weave) or not (grains); a checkerboard seen through; highlights, many small ones with drops; dark grooves,
    without colour (cracks) or with (bumps); steep bands without grooves; and nothing of all this.

    Raises:
        AfterimageError: No material has these properties.
    """
    if properties.raggedness > _RAGGED:
        return "fluffy"
    if properties.pattern_percent > _REGULAR_PERCENT:
        return "woven" if properties.crossing > _CROSSING else "grainy"
    if properties.checker > _CHECKERED:
        return "transparent"
    if properties.highlight_percent > _HIGHLIGHT_PERCENT:
        return "wet" if properties.spots >= _MANY_SPOTS else "glossy"
    if properties.groove_share > _GROOVED:
        return "cracked" if properties.saturation < _PALE else "rough"
    if properties.steepest > _BANDED_PERCENT_PER_PX:
        return "metallic"
    if properties.spots == 0:
        return "matte"
    shown = ", ".join(f"{name} {value:.3g}" for name, value in asdict(properties).items())
    raise AfterimageError(f"the object's surface ({shown}) is that of no material of this suite.")


def options_of(text: str) -> dict[str, str] | None:
    """Return number to word of the options in a request; None if it asks for words of one's own.

    Raises:
        AfterimageError: It asks for neither.
    """
    request = text.translate(_FULL_WIDTH_DIGITS)
    if _CHOOSE in request:
        options = dict(marked_options(request.splitlines()[-1], _OPTION)[1])
        if len(options) > 1:
            return options
    if _DESCRIBE in request:
        return None
    raise AfterimageError(
        f"the request '{text.strip()[:40]}...' neither offers numbered words nor asks for three; expected one of "
        "the texture suite's tasks."
    )


def phrase(options: dict[str, str] | None, words: tuple[str, ...]) -> str:
    """Answer with the number of the first fitting option, or with the first three words.

    Args:
        options: What :func:`options_of` returned.
        words: Words that fit what was seen, the best first.
    """
    if options is None:
        return "、".join(words[:3])
    for word in words:
        for number, option in options.items():
            if option == word:
                return number
    return NO_IDEA


# What each drawn image must show: its material and its object's share of the image, found in the pixels alone.

#: Hairs stand out over the outline by at most this share of the image.
_HAIRS = 0.1
_HALF_A_PIXEL = 0.5e-5


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Name the material that a drawn object is made of.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``material`` and ``area_fraction`` as they must be measured; without any, nothing is expected.

    Raises:
        AfterimageError: The image shows no object of one of the drawn materials, and nothing is expected.
    """
    area = value = ""
    expected = factors.get("material", "")
    try:
        properties = measure_properties(pixels)
        value = name_material(properties)
        area = f"{properties.area_fraction:.6f}"
    except AfterimageError as error:
        if not factors:
            raise
        short = remark = str(error)
    else:
        short, expected = _difference(value, properties.area_fraction, factors)
        remark = short and f"{short}, expected {expected}"
    columns = {
        "width_px": pixels.shape[1],
        "height_px": pixels.shape[0],
        "value": value,
        "expected": factors.get("material", ""),
        "area_fraction": area,
        "expected_area_fraction": factors.get("area_fraction", ""),
        "holds": not remark,
        "remark": remark,
    }
    return Measured(value, expected, not remark, short, columns)


def _difference(value: str, area: float, factors: Mapping[str, str]) -> tuple[str, str]:
    """Return the finding where it differs, and the expectation."""
    if not factors:
        return "", ""
    material, expected = factors["material"], float(factors["area_fraction"])
    if value != material:
        return f"found the material {value}", material
    maximum = expected + (_HAIRS if material == "fluffy" else _HALF_A_PIXEL)
    if not expected - _HALF_A_PIXEL <= area <= maximum:
        return f"the object takes up {area:.6f} of the image", f"{expected:.6f}"
    return "", material
