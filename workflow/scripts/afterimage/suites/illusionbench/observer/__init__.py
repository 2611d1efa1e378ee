"""An observer of the drawn set that has nothing but the pixels.

It finds out which kind of image it sees, measures what the image is about, and answers the suite's questions from that;
it knows no parameter of a drawing. It proves that the images show what their
keys say, and it is the ideal observer among the reference responders. Of photographs it says that it cannot tell.
"""

from afterimage.errors import AfterimageError
from afterimage.items.wording import marked_options
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.seeing.pieces import coloured_areas, is_coloured
from afterimage.suites.illusionbench.observer import describing, figures, plates
from afterimage.suites.illusionbench.observer.seen import Seen
from afterimage.suites.illusionbench.observer.understanding import (
    OPTION,
    claim_of,
    kind_of_request,
    statement_of,
)

__all__ = ["UNKNOWN", "answer", "measure"]

#: What the observer says to what it cannot see or does not understand.
UNKNOWN = "I cannot tell."


def measure(image: Image) -> Seen:
    """Tell what an image shows.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.

    Raises:
        AfterimageError: The array is no RGB image, or the image is none of the kinds that the suite draws.
    """
    require_rgb(image)
    return _measured(image)


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer, in the form that it asks for.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request.

    Returns:
        "True" or "False", a numeral as the request writes it, or a description; :data:`UNKNOWN` for an image or a
        sentence that the observer does not know.
    """
    try:
        return answer_from(measure(image), text)
    except AfterimageError:
        return UNKNOWN


def answer_from(seen: Seen, text: str) -> str:
    """Answer a request from what is known of an image, as :func:`answer` does.

    Raises:
        AfterimageError: It asks nothing that can be answered.
    """
    kind = kind_of_request(text)
    if kind == "true_false":
        claim = claim_of(statement_of(text))
        # A statement on a fact that the image does not have is false; one that is not understood is another matter.
        return UNKNOWN if claim is None else str(claim.holds(seen.facts))
    if kind == "multiple_choice":
        return _choose(seen, text)
    return describing.content(seen) if kind == "semantic" else describing.illusion(seen)


def _choose(seen: Seen, text: str) -> str:
    question, options = marked_options(text, OPTION)
    claims = {numeral: claim_of(option, question) for numeral, option in options}
    right = [numeral for numeral, claim in claims.items() if claim and claim.holds(seen.facts)]
    return right[0] if len(right) == 1 else UNKNOWN


@once
def _measured(image: Image) -> Seen:
    seen = plates.colour_plate(image)
    if seen is None and not is_coloured(image).any():
        seen = figures.grey_figure(image)
    elif seen is None:
        areas = coloured_areas(image)
        seen = figures.coloured_figure(image, areas) or figures.plain_scene(image, areas)
    if seen is None:
        raise AfterimageError(
            "the image is none that the observer knows: expected a classical figure, a plain scene or a colour plate "
            "as this suite draws them."
        )
    return seen
