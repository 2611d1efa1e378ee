"""A user's photograph, decoded once."""

from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from afterimage.contract.drawing import Drawing
from afterimage.errors import AfterimageError
from afterimage.files.photograph import read_photograph


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Read a photograph as 8-bit RGB, the way up that its camera noted.

    Args:
        figure: Not used.
        parameters: ``folder`` and ``file``, and ``size``: width and height that images.csv gives, px.

    Raises:
        AfterimageError: The file is missing, is no image, or has another size.
    """
    path = Path(parameters["folder"]) / parameters["file"]
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected the image that images.csv names.")
    pixels = read_photograph(path)
    with Image.open(path) as image:
        # COCO's sizes are those of the stored image; one that its camera turned has them swapped.
        stored = list(image.size)
    shown = [pixels.shape[1], pixels.shape[0]]
    if list(parameters["size"]) not in (stored, shown):
        expected = " x ".join(map(str, parameters["size"]))
        raise AfterimageError(f"{path}: is {shown[0]} x {shown[1]} px; images.csv says {expected}.")
    return Drawing(pixels)
