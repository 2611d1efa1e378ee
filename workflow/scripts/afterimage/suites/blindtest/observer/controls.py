"""What the controls show: a string alone, one outline, shapes that lie apart."""

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing import letters
from afterimage.seeing.image import LEAST_INK, Image, darkest_lack, ink_window
from afterimage.suites.blindtest.observer.faces import FACES
from afterimage.suites.blindtest.observer.tasks import WORDS

_EIGHT_NEIGHBOURS = np.ones((3, 3))
# Share of its box that an outline with its inside fills: a triangle half of it, a circle pi/4, a square all.
_FILLED = {"triangle": 1 / 2, "circle": np.pi / 4, "square": 1.0}
_FILLED_WITHIN = 0.09
# Share of its box that the inside of a small outline takes at least, where there is one.
_LEAST_INSIDE = 0.02
# Outlines of one image are as large as each other.
_SIZE_TOLERANCE_PX = 3


def measure_string(image: Image) -> str:
    """Return the string.

    Raises:
        AfterimageError: There is colour, no black text, or the text is none of the strings.
    """
    return letters.find_word(image, WORDS, FACES.values())


def measure_shape(image: Image) -> str:
    """Return ``circle``, ``square`` or ``triangle``: by how much of its box the only outline encloses.

    Raises:
        AfterimageError: There is not one outline with an inside, or it encloses as much as none of the shapes.
    """
    (box,) = _outlines(image, 1)
    filled = float(ndimage.binary_fill_holes(box).mean())
    shape = min(_FILLED, key=lambda name: abs(_FILLED[name] - filled))
    if abs(_FILLED[shape] - filled) > _FILLED_WITHIN or filled - box.mean() < _LEAST_INSIDE:
        raise AfterimageError(
            "looked for the outline of a circle, a square or a triangle and found one that fills "
            f"{filled:.0%} of its box."
        )
    return shape


def measure_apart(image: Image) -> str:
    """Count outlines that touch no other, all as large as each other.

    Raises:
        AfterimageError: There is no ink, or connected ink is larger than other: outlines touch.
    """
    outlines = _outlines(image)
    sizes = np.array([box.shape for box in outlines])
    if (np.ptp(sizes, axis=0) > _SIZE_TOLERANCE_PX).any():
        raise AfterimageError("looked for shapes that lie apart and found some that touch.")
    return str(len(outlines))


def _outlines(image: Image, expected: int | None = None) -> list[np.ndarray]:
    """Return connected ink, each in its own box; as many as ``expected``."""
    inked = darkest_lack(image[ink_window(image, "outlines")]) >= LEAST_INK
    labels, count = ndimage.label(inked, structure=_EIGHT_NEIGHBOURS)
    if expected is not None and count != expected:
        raise AfterimageError(f"looked for {expected} outline and found {count}.")
    boxes = ndimage.find_objects(labels)
    return [labels[box] == number for number, box in enumerate(boxes, start=1)]
