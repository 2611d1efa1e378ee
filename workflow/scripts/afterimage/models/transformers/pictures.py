"""A request's images as opened pictures: their size is known at once, their pixels are decoded when needed."""

import io

from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from afterimage.errors import AfterimageError
from afterimage.models.interface import Image

# Where a picture says which one it is.
_IDENTITY = "pixels_sha256"


def open_picture(image: Image) -> Pillow.Image:
    """Open a PNG; its pixels are decoded when they are first needed.

    Raises:
        AfterimageError: The bytes are not a PNG of 8-bit RGB.
    """
    try:
        picture = Pillow.open(io.BytesIO(image.png), formats=("PNG",))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise AfterimageError(
            "an image of the request is not a PNG; make the items again."
        ) from None
    if picture.mode != "RGB":
        raise AfterimageError(
            f"an image of the request has the colour mode {picture.mode}; expected RGB with 8 bits and no alpha."
        )
    return identified(picture, image.pixels_sha256)


def identified(picture: Pillow.Image, pixels_sha256: str) -> Pillow.Image:
    """Note in a picture which one it is, and nothing else; returns it."""
    picture.info = {_IDENTITY: pixels_sha256}
    return picture


def decode(picture: Pillow.Image) -> None:
    """Decode an opened picture's pixels, if that was not done yet.

    Raises:
        AfterimageError: It is cut off or damaged.
    """
    try:
        picture.load()
    except (OSError, SyntaxError, ValueError) as error:
        raise AfterimageError(
            f"an image of the request cannot be decoded ({error}); make the items again."
        ) from None


def identity(picture: Pillow.Image) -> str:
    """Return which picture it is: the hash of its pixels."""
    name: str = picture.info[_IDENTITY]
    return name
