"""An observer of the drawn materials that has nothing but the pixels.

It measures what defines a material (highlights, relief, a checkerboard seen through, bands, hairs, cracks, a regular
pattern) and says which words fit. It knows no parameter of a drawing. It
proves that the stimuli show what their words say, and it is the ideal observer among the reference responders. Of a
photograph it knows nothing, and says so.
"""

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, once
from afterimage.seeing.surfaces import Properties, find_object, measure_properties
from afterimage.suites.texture.observer.naming import name_material
from afterimage.suites.texture.observer.questions import NO_IDEA, options_of, phrase
from afterimage.suites.texture.observer.words import WORDS

__all__ = ["Properties", "answer", "find_object", "measure", "measure_properties", "name_material"]


def measure(image: Image) -> str:
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
        text: The request.

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


_remembered = once(measure)
