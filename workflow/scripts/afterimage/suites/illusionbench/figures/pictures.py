"""A user's images: read, and turned into 8-bit RGB.

A picture is decoded once and never edited: turned as its camera says, transparent parts on white.
"""

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from afterimage.contract.drawing import Drawing
from afterimage.errors import AfterimageError, fault
from afterimage.files.photograph import decode_photograph

_LARGEST_BYTES = 1 << 29
# What comes of an archive that is none: a wrong password raises a RuntimeError, an unknown packing its subclass.
_NO_IMAGE = (
    *(AfterimageError, OSError, KeyError, RuntimeError, EOFError),
    *(zipfile.BadZipFile, zlib.error),
)


def draw(file: str, image_id: str, member: str | None, size_px: Sequence[int] | None) -> Drawing:
    """Decode a picture.

    Args:
        file: The image, or the archive that holds it.
        image_id: Its name in the annotations.
        member: Its name in the archive; None where it is a file of its own.
        size_px: Width and height, where the annotations state them.

    Raises:
        AfterimageError: It cannot be decoded, or has another size than its annotation says.
    """
    place = f"{file}: {member}" if member else file
    try:
        pixels = decode_photograph(_data(file, member), place)
    except _NO_IMAGE as error:
        raise fault(
            place,
            f"cannot be read as an image ({error}); mend the file, or list '{image_id}' under "
            "suites.illusionbench.leave_out.",
        ) from None
    height, width, _ = pixels.shape
    if size_px and [width, height] != list(size_px):
        raise fault(
            place,
            f"found {width} x {height} px; expected {size_px[0]} x {size_px[1]}, the width and height of its "
            "annotation.",
        )
    return Drawing(pixels)


def _data(file: str, member: str | None) -> bytes:
    if member is None:
        return Path(file).read_bytes()
    with zipfile.ZipFile(file) as archive:
        # By its name, into memory: nothing is ever unpacked into a folder.
        size = archive.getinfo(member).file_size
        if size > _LARGEST_BYTES:
            raise zipfile.BadZipFile(f"it would be of {size} bytes")
        return archive.read(member)
