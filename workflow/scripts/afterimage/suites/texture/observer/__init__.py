"""An observer of the drawn materials that has nothing but the pixels.

It measures what defines a material (highlights, relief, a checkerboard seen through, bands, hairs, cracks, a regular
pattern) and says which words fit. It knows no parameter of a drawing, and no module of it imports drawing code. It
proves that the stimuli show what their words say, and it is the ideal observer among the reference responders. Of a
photograph it knows nothing, and says so.
"""

from functools import lru_cache

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.texture.observer.naming import name_material
from afterimage.suites.texture.observer.properties import (
    Properties,
    find_object,
    measure_properties,
)
from afterimage.suites.texture.observer.questions import NO_IDEA, options_of, phrase
from afterimage.suites.texture.observer.words import WORDS

__all__ = ["Properties", "answer", "find_object", "measure", "measure_properties", "name_material"]

# Requests about one image follow each other.
_REMEMBERED_IMAGES = 4


def measure(image: np.ndarray) -> str:
    """Return the name of the material that the object in an image is made of.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.

    Raises:
        AfterimageError: The array is no RGB image, or shows no object of one of the drawn materials.
    """
    return name_material(measure_properties(image))


def answer(image: np.ndarray, text: str) -> str:
    """Answer a request as the ideal observer, in the form that it asks for.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request.

    Returns:
        A number, three words, or わかりません where no option fits or the image shows none of the materials.

    Raises:
        AfterimageError: The request sets none of the suite's tasks.
    """
    options = options_of(text)
    material = _seen(image.shape, image.tobytes())
    return NO_IDEA if material is None else phrase(options, WORDS[material])


@lru_cache(maxsize=_REMEMBERED_IMAGES)
def _seen(shape: tuple[int, ...], pixels: bytes) -> str | None:
    try:
        return measure(np.frombuffer(pixels, dtype=np.uint8).reshape(shape))
    except AfterimageError:
        return None
