"""The ideal observer of search fields: finds every item and answers what the question asks."""

import re

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question
from afterimage.seeing.image import Image
from afterimage.suites.search.names import NO, QUADRANTS, YES
from afterimage.suites.search.sight import TARGETS, quadrant, seen, targets

_TARGET = re.compile(rf"\b({'|'.join(TARGETS)})\b")


def answer(image: Image, text: str) -> str:
    """Answer a request by what the image shows.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request: asks whether something is there, or has options, one per line, that name quarters.

    Returns:
        ``Yes`` or ``No``, or the full text of one of the options.

    Raises:
        AfterimageError: It asks for nothing that can be searched for, or for the place of what is not there.
    """
    named = _TARGET.search(text.lower())
    if named is None:
        raise AfterimageError(
            f"the question '{text.strip()}' names nothing to search for; expected one of: {', '.join(TARGETS)}."
        )
    found = targets(seen(image), named[0])
    if headed_question(text) is None:
        return YES if found else NO
    _, options = headed_options(text)
    places = {name: option for option in options for name in QUADRANTS if name in option.lower()}
    if not found or quadrant(found[0]) not in places:
        raise AfterimageError(
            f"no option names the place of the {named[0]}: found "
            f"{' and '.join(map(quadrant, found)) or 'none in the image'}; expected one of: {', '.join(places)}."
        )
    return places[quadrant(found[0])]
