"""A user's photograph, decoded once; of what it shows only people can say anything."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from afterimage.contract.stimulus import Drawing, Measured, is_missing
from afterimage.drawing import photograph
from afterimage.errors import AfterimageError
from afterimage.files.opened_image import opened_image
from afterimage.files.photograph import read_photograph


def draw(file: str | None, size: list[int]) -> Drawing:
    """Read a photograph as 8-bit RGB, the way up that its camera noted.

    Args:
        file: Its path; None where it is not there, so that nobody is asked about it.
        size: Width and height that images.csv gives, px.

    Raises:
        AfterimageError: The file is missing, is no image, or has another size.
    """
    if file is None:
        return photograph.draw(None)
    path = Path(file)
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected the image that images.csv names.")
    pixels = read_photograph(path)
    with opened_image(path, str(path)) as image:
        # COCO's sizes are those of the stored image; one that its camera turned has them swapped.
        stored = list(image.size)
    shown = [pixels.shape[1], pixels.shape[0]]
    if list(size) not in (stored, shown):
        expected = " x ".join(map(str, size))
        raise AfterimageError(f"{path}: is {shown[0]} x {shown[1]} px; images.csv says {expected}.")
    return Drawing(pixels)


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Compare the size of a photograph with ``size`` among the factors; the columns are those of drawn materials."""
    height, width = pixels.shape[:2]
    shown, expected = f"{width}x{height}", factors.get("size", "")
    # A photograph that its camera turned has the sides swapped.
    fits = is_missing(factors) or expected in (shown, f"{height}x{width}")
    remark = "" if fits else f"found {shown} px"
    columns = {
        "width_px": width,
        "height_px": height,
        "value": "",
        "expected": "",
        "area_fraction": "",
        "expected_area_fraction": "",
        "holds": fits,
        "remark": remark and f"{remark}, expected {expected}",
    }
    return Measured("", expected, fits, remark, columns)
