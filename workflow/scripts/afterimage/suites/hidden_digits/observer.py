"""The ideal observer of hidden digits: of those named, the one whose dots differ most from the rest."""

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options
from afterimage.seeing.image import Image
from afterimage.suites.hidden_digits.names import DIGITS
from afterimage.suites.hidden_digits.sight import hidden


def answer(image: Image, text: str) -> str:
    """Answer a request by what the image shows; where nothing is hidden, by chance.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request, with digits as options, one per line.

    Raises:
        AfterimageError: An option is no digit that the suite hides.
    """
    _, options = headed_options(text)
    for option in options:
        if option not in DIGITS:
            raise AfterimageError(f"the option '{option}' is none of: {', '.join(DIGITS)}.")
    return hidden(image, options)
