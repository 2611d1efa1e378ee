"""Many images on one page, reduced by a whole factor so that stripes and thin lines keep their colours."""

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

#: Largest factor of reduction, and the width that a reduced image should keep.
MAX_REDUCED = 4
MIN_WIDTH_PX = 168
#: Cell for images of different sizes, px: (width, height).
MIXED_CELL_PX = (220, 180)

_MARGIN_PX = 12
_GAP_PX = 6
_LABEL_PX = 18
_PAPER = (216, 216, 216)
_INK = (0, 0, 0)


def compose(
    images: Sequence[str | os.PathLike[str]],
    read: Callable[[str | os.PathLike[str]], np.ndarray],
    columns: int,
    left_out: Collection[str] = (),
) -> Image.Image:
    """Lay out images in rows of ``columns``; those of different sizes are fitted into equal cells.

    Args:
        images: Image files, row by row.
        read: Reads one file to an array (height, width, 3) of uint8.
        columns: Images per row.
        left_out: Folders whose images no table counts.

    Returns:
        The page. Above each image are the distinguishing parts of its name; above the first image of each folder, the
        folder's name, and a note if it is left out.
    """
    paths = [Path(image) for image in images]
    if not paths:
        raise ValueError("a contact sheet needs at least one image")
    captions = distinguishing_names(
        [path.stem.removeprefix(f"{path.parent.name}_") for path in paths]
    )
    thumbnails = [_reduced(read(path)) for path in paths]
    if len({thumbnail.size for thumbnail in thumbnails}) > 1:
        thumbnails = [_fitted(thumbnail) for thumbnail in thumbnails]
    size = thumbnails[0].size
    wrapped = [_wrapped(caption, size[0]) for caption in captions]
    # A line for the folder's name, and as many as the longest caption takes.
    words_px = _LABEL_PX * (1 + max(map(len, wrapped)))
    page = _blank(len(paths), columns, size, words_px)
    for index, (path, thumbnail) in enumerate(zip(paths, thumbnails, strict=True)):
        row, column = divmod(index, columns)
        corner = (
            _MARGIN_PX + column * (size[0] + _GAP_PX),
            _MARGIN_PX + row * (size[1] + words_px + _GAP_PX) + words_px,
        )
        page.paste(thumbnail, corner)
        opens_folder = index == 0 or path.parent != paths[index - 1].parent
        heading = _heading(path.parent.name, left_out) if opens_folder else ""
        _label(page, heading, wrapped[index], corner)
    return page


def _heading(folder: str, left_out: Collection[str]) -> str:
    note = " (dropped by the human filter: counted in no table)" if folder in left_out else ""
    return folder.replace("_", " ") + note


def distinguishing_names(names: Sequence[str]) -> list[str]:
    """Drop from each name the parts, separated by underscores, that all names have."""
    parts = [name.split("_") for name in names]
    shared = set.intersection(*(set(words) for words in parts)) if len(parts) > 1 else set()
    return [" ".join(word for word in words if word not in shared) for words in parts]


def _reduced(pixels: np.ndarray) -> Image.Image:
    image = Image.fromarray(pixels)
    return image.reduce(max(1, min(MAX_REDUCED, image.width // MIN_WIDTH_PX)))


def _fitted(image: Image.Image) -> Image.Image:
    image.thumbnail(MIXED_CELL_PX, Image.Resampling.LANCZOS)
    cell = Image.new("RGB", MIXED_CELL_PX, _PAPER)
    (width, height), (image_width, image_height) = MIXED_CELL_PX, image.size
    cell.paste(image, ((width - image_width) // 2, (height - image_height) // 2))
    return cell


def _blank(count: int, columns: int, size: tuple[int, int], words_px: int) -> Image.Image:
    rows = -(-count // columns)
    width = 2 * _MARGIN_PX + columns * (size[0] + _GAP_PX) - _GAP_PX
    height = 2 * _MARGIN_PX + rows * (size[1] + words_px + _GAP_PX)
    return Image.new("RGB", (width, height), _PAPER)


def _label(
    page: Image.Image, heading: str, caption: Sequence[str], corner: tuple[int, int]
) -> None:
    draw = ImageDraw.Draw(page)
    x, top = corner
    top_of_words = top - _LABEL_PX * len(caption)
    draw.text((x, top_of_words - _LABEL_PX - 2), heading, fill=_INK, font=_font(15))
    for number, line in enumerate(caption):
        draw.text((x, top_of_words + _LABEL_PX * number), line, fill=_INK, font=_font(12))


def _wrapped(text: str, width: int) -> list[str]:
    """Return a caption in lines no wider than its image; only a word that is wider than that is broken."""
    font = _font(12)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            lines[-1] = longer
            continue
        lines += [word] if lines[-1] else []
        lines[-1] = lines[-1] or word
        while font.getlength(lines[-1]) > width and len(lines[-1]) > 1:
            remainder = lines[-1]
            fits = next(
                n
                for n in range(len(remainder) - 1, 0, -1)
                if n == 1 or font.getlength(remainder[:n]) <= width
            )
            lines[-1:] = [remainder[:fits], remainder[fits:]]
    return lines


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    # Pillow's own scalable font: the same on every machine.
    return ImageFont.load_default(size)
