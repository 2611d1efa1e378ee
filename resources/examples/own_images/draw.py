"""Draw the images of this example: ``python resources/examples/own_images/draw.py [FOLDER]``."""

import sys
from pathlib import Path

from PIL import Image, ImageDraw

_SIZE = (200, 150)
_PAPER = "#ffffff"
_COLOURS = {"red": "#c8281e", "blue": "#1f5fb4", "green": "#2b8a3e"}
#: Discs and squares: centre and radius, px.
_GROUPS = {
    "one_disc.png": ("disc", "red", ((100, 75, 40),)),
    "two_discs.png": ("disc", "blue", ((60, 75, 30), (140, 75, 30))),
    "groups/four_squares.png": (
        "square",
        "green",
        ((55, 40, 22), (145, 40, 22), (55, 110, 22), (145, 110, 22)),
    ),
    "groups/five_discs.png": (
        "disc",
        "red",
        ((40, 40, 18), (100, 40, 18), (160, 40, 18), (70, 110, 18), (130, 110, 18)),
    ),
}
#: Two horizontal lines: lengths, px, and colour.
_LINES = {
    "lines_equal.png": (120, 120, "blue"),
    "lines_upper_longer.png": (150, 100, "green"),
    "lines_lower_longer.png": (90, 150, "red"),
}
_LETTER = "letter_t.png"


def draw_all(folder: Path) -> None:
    """Write the eight images below ``folder``."""
    for name, (shape, colour, places) in _GROUPS.items():
        image, pen = _paper()
        for x, y, reach in places:
            box = (x - reach, y - reach, x + reach, y + reach)
            (pen.ellipse if shape == "disc" else pen.rectangle)(box, fill=_COLOURS[colour])
        _save(image, folder / name)
    for name, (upper, lower, colour) in _LINES.items():
        image, pen = _paper()
        for y, length in ((50, upper), (100, lower)):
            pen.rectangle(
                (100 - length // 2, y - 3, 100 + length // 2 - 1, y + 2), fill=_COLOURS[colour]
            )
        _save(image, folder / name)
    image, pen = _paper()
    pen.rectangle((50, 25, 149, 44), fill=_COLOURS["blue"])
    pen.rectangle((90, 25, 109, 124), fill=_COLOURS["blue"])
    _save(image, folder / _LETTER)


def _paper() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", _SIZE, _PAPER)
    return image, ImageDraw.Draw(image)


def _save(image: Image.Image, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
