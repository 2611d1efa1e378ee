"""Image files of others, opened without being trusted: how large one is, is known before it is decoded."""

import re
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from PIL import Image, ImageFile, UnidentifiedImageError

from afterimage.errors import AfterimageError, Setting, fault

#: As many as no camera for still pictures of a study has; below the number at which Pillow warns.
MAX_PIXELS = 80_000_000
# What Pillow raises, by kind of file and way of being broken.
_BROKEN: tuple[type[Exception], ...] = (
    *(OSError, SyntaxError, ValueError, EOFError, struct.error, TypeError, KeyError),
    *(IndexError, OverflowError, ZeroDivisionError, AttributeError, NotImplementedError),
)

# What others have under the name of an image, by how it begins.
_KINDS = {
    re.compile(
        rb"....ftyp(?:hei|hev|mif|msf)", re.DOTALL
    ): "HEIC; expected it saved as JPEG or PNG",
    re.compile(
        rb"version https://git-lfs"
    ): "a pointer of Git LFS, not the file itself: git lfs pull",
    re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?!svg)", re.IGNORECASE): "a web page or XML",
    re.compile(rb"\s*<svg", re.IGNORECASE): "SVG; expected pixels, such as PNG",
    re.compile(rb"%PDF"): "a PDF; expected it saved as PNG",
    re.compile(rb"$"): "an empty file",
}
_LONGEST_BEGINNING = 64
# In Pillow's words, whatever the kind of file.
_CUT_OFF = "truncated"


class UnreadableImageError(AfterimageError):
    """A file is no readable image.

    Attributes:
        what: What is wrong with it, without its place.
        is_cut_off: Whether it ends in the middle.
    """

    def __init__(self, where: str, why: str, is_cut_off: bool = False) -> None:
        self.what = f"not a readable image ({why})"
        self.is_cut_off = is_cut_off
        setting = where.key if isinstance(where, Setting) else None
        super().__init__(f"{where}: {self.what}.", setting)


@contextmanager
def opened_image(source: str | Path | IO[bytes], where: str) -> Iterator[ImageFile.ImageFile]:
    """Open an image; what is wrong with it, now or while the block decodes it, is one sentence.

    Args:
        source: A path, or an open file.
        where: What it is, for the message.

    Raises:
        AfterimageError: It has more than ``MAX_PIXELS`` pixels.
        UnreadableImageError: It is no readable image.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(source)
        with image:
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise fault(
                    where,
                    f"found {width} x {height} pixels; expected at most {MAX_PIXELS // 10**6} million.",
                )
            yield image
    except Image.DecompressionBombError:
        raise fault(
            where,
            f"found more than {Image.MAX_IMAGE_PIXELS} pixels; expected at most "
            f"{MAX_PIXELS // 10**6} million.",
        ) from None
    except UnidentifiedImageError:
        # Its own words name a buffer in memory.
        raise UnreadableImageError(where, _kind(source)) from None
    except _BROKEN as error:
        raise UnreadableImageError(where, str(error), _CUT_OFF in str(error).lower()) from None


def _kind(source: str | Path | IO[bytes]) -> str:
    """Name what a file that is no image is instead, by its first bytes."""
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            begins = file.read(_LONGEST_BEGINNING)
    else:
        source.seek(0)
        begins = source.read(_LONGEST_BEGINNING)
    return next(
        (kind for pattern, kind in _KINDS.items() if pattern.match(begins)),
        "of no kind that is read",
    )
