"""An observer of drawn scenes that has nothing but the pixels.

It separates pieces from the paper, compares each with a small picture of every class, names its colour and measures
its box. It knows no parameters of a drawing. It proves that the scenes show
what their keys say, and it is the ideal observer among the reference responders. Of photographs it says that it
cannot tell.
"""

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image
from afterimage.suites.pope.observer.questions import CANNOT_TELL
from afterimage.suites.pope.observer.questions import answer as answer_from
from afterimage.suites.pope.observer.sight import Seen, inventory, look

__all__ = ["CANNOT_TELL", "Seen", "answer", "inventory", "look"]


def answer(image: Image, text: str) -> str:
    """Answer a question as the ideal observer: "Yes", "No", or that it cannot tell.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The question, in any wording of the suite.
    """
    try:
        seen = look(image)
    except AfterimageError:
        return CANNOT_TELL
    return answer_from(seen, text)
