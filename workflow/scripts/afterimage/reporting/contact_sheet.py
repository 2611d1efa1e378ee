"""Many images on one page, reduced by a whole factor so that stripes and thin lines keep their colours."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

#: Box reduction, px to px; 672 is divisible by it.
REDUCTION = 4

_MARGIN_PX = 12
_GAP_PX = 6
_LABEL_PX = 18
_PAPER = (216, 216, 216)
_INK = (0, 0, 0)


def compose(
    images: Sequence[str | os.PathLike],
    read: Callable[[str | os.PathLike], np.ndarray],
    columns: int,
) -> Image.Image:
    """Lay out images of equal size in rows of ``columns``; a row is headed by its folder's name.

    Args:
        images: Image files, row by row; each row holds the images of one folder.
        read: Reads one file to an array (height, width, 3) of uint8.
        columns: Images per row.

    Returns:
        The page; above each image stands its file name without the folder's name in front.
    """
    page = None
    for index, path in enumerate(images):
        thumbnail = Image.fromarray(read(path)).reduce(REDUCTION)
        if page is None:
            page = _blank(len(images), columns, thumbnail.size)
        row, column = divmod(index, columns)
        left = _MARGIN_PX + column * (thumbnail.width + _GAP_PX)
        top = _MARGIN_PX + row * _row_height(thumbnail.height) + 2 * _LABEL_PX
        page.paste(thumbnail, (left, top))
        _label(page, Path(path), (left, top), first=column == 0)
    if page is None:
        raise ValueError("a contact sheet needs at least one image")
    return page


def _blank(count: int, columns: int, size: tuple[int, int]) -> Image.Image:
    rows = -(-count // columns)
    width = 2 * _MARGIN_PX + columns * (size[0] + _GAP_PX) - _GAP_PX
    return Image.new("RGB", (width, 2 * _MARGIN_PX + rows * _row_height(size[1])), _PAPER)


def _row_height(height: int) -> int:
    return height + 2 * _LABEL_PX + _GAP_PX


def _label(page: Image.Image, path: Path, corner: tuple[int, int], first: bool) -> None:
    draw = ImageDraw.Draw(page)
    left, top = corner
    figure = path.parent.name
    caption = path.stem.removeprefix(f"{figure}_").replace("_", " ")
    draw.text((left, top - _LABEL_PX), caption, fill=_INK, font=_font(12))
    if first:
        draw.text(
            (left, top - 2 * _LABEL_PX - 2), figure.replace("_", " "), fill=_INK, font=_font(15)
        )


def _font(size: int) -> ImageFont.ImageFont:
    # Pillow's own scalable font: the same on every machine.
    return ImageFont.load_default(size)
