"""Counting rows and columns of grids drawn by Pillow and resized, as the originals were."""

from itertools import cycle
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.seeing import measure_grid

DEJAVU = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
DRAWN = 2000


def grid(rows, columns, width, side, words=()) -> np.ndarray:
    image = Image.new("RGB", (DRAWN, DRAWN), "white")
    draw = ImageDraw.Draw(image)
    for index in range(rows + 1):
        y = index * (DRAWN - width) / rows + width / 2
        draw.line((0, y, DRAWN, y), fill="black", width=width)
    for index in range(columns + 1):
        x = index * (DRAWN - width) / columns + width / 2
        draw.line((x, 0, x, DRAWN), fill="black", width=width)
    if words:
        font = ImageFont.truetype(DEJAVU, int(0.2 * DRAWN / max(rows, columns)))
        source = cycle(words)
        for row in range(rows):
            for column in range(columns):
                at = ((column + 0.54) * DRAWN / columns, (row + 0.5) * DRAWN / rows)
                draw.text(at, next(source), font=font, fill="black", anchor="mm")
    if side != DRAWN:
        image = image.resize((side, side), Image.Resampling.BICUBIC)
    return np.asarray(image)


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (3, 4), (9, 8), (7, 8), (10, 10)])
@pytest.mark.parametrize("words", [(), ("apple", "HHHHHH", "------")], ids=["blank", "text"])
@pytest.mark.parametrize("width", [10, 20])
def test_rows_and_columns_are_counted_whatever_stands_in_the_cells(rows, columns, words, width):
    assert measure_grid(grid(rows, columns, width, 500, words)) == f"{rows}x{columns}"


def test_the_drawn_size_gives_the_same_answer():
    assert measure_grid(grid(4, 5, 10, 2000, ("apple",))) == "4x5"


def test_a_line_with_a_gap_is_no_line():
    image = grid(4, 5, 20, 500).copy()
    lines = np.flatnonzero((image[..., 0] < 128).mean(axis=1) > 0.9)
    inner = lines[(lines > 100) & (lines < 150)]
    image[inner[0] - 2 : inner[-1] + 3, 200:280] = 255
    assert measure_grid(image) == "3x5"


def test_text_alone_is_no_grid():
    image = Image.new("RGB", (500, 500), "white")
    font = ImageFont.truetype(DEJAVU, 40)
    ImageDraw.Draw(image).text((50, 200), "apple book car", font=font, fill="black")
    with pytest.raises(AfterimageError, match="looked for a grid and found 0 horizontal"):
        measure_grid(np.asarray(image))
