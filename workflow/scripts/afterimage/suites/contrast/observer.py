"""The ideal observer of contrast: the field with the stronger pattern, however weak; nothing where dither is all."""

import hashlib

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question
from afterimage.seeing.image import Image
from afterimage.suites.contrast.names import NO, SIDES, YES
from afterimage.suites.contrast.sight import NOTHING_BELOW, noise, strongest

_STRIPES, _SPOTS = "pattern of stripes", "pattern of spots"


def answer(image: Image, text: str) -> str:
    """Answer a request by what the image shows.

    Without a pattern, where only sides are offered, it guesses: by the image, so that the same request always gets the
    same answer.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request: asks whether there are stripes or spots, or has options, one per line, of which one names
            each side.

    Returns:
        ``Yes`` or ``No``, or the full text of one of the options.

    Raises:
        AfterimageError: It asks about anything else, or no option says what is the case.
    """
    asked = " ".join(text.lower().split())
    if _STRIPES in asked:
        contrasts = {side: strongest(image, side).contrast for side in SIDES}
    elif _SPOTS in asked:
        contrasts = {side: noise(image, side) for side in SIDES}
    else:
        raise AfterimageError(
            f"the question '{text.strip()}' asks for nothing that can be measured; expected a {_STRIPES} or {_SPOTS}."
        )
    side = max(SIDES, key=contrasts.__getitem__)
    there = contrasts[side] >= NOTHING_BELOW
    if headed_question(text) is None:
        return YES if there else NO
    _, options = headed_options(text)
    none = [option for option in options if not any(name in option.lower() for name in SIDES)]
    if not there and none:
        return none[0]
    if not there:
        side = SIDES[hashlib.sha256(image.tobytes()).digest()[0] % len(SIDES)]
    named = [option for option in options if side in option.lower()]
    if not named:
        raise AfterimageError(f"no option names the {side} half; found: {', '.join(options)}.")
    return named[0]
