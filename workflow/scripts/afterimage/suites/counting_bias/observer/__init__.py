"""An observer of flags, boards and grids that has nothing but the pixels and the question.

It imports no drawing. Asked whether a flag or board is the usual one, it counts and compares with what is usual.
"""

import re
from collections.abc import Callable

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, require_rgb
from afterimage.suites.counting_bias.names import BOARDS, LINED, STARS, STRIPES, cell_place
from afterimage.suites.counting_bias.observer.bands import count_stripes
from afterimage.suites.counting_bias.observer.cells import count_circles, count_strokes, find_cells
from afterimage.suites.counting_bias.observer.lines import board_cells
from afterimage.suites.counting_bias.observer.stars import count_stars

_CELL = re.compile(r"\bcell ([A-Z])(\d+)")


def answer(image: Image, text: str) -> str:
    """Answer a question in the form that it asks for: ``{13}``, ``{Yes}``.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The question, in any of the wordings of the prompt file.

    Raises:
        AfterimageError: The array is no RGB image, the question asks for nothing that is counted here, or the image
            does not show it.
    """
    require_rgb(image)
    if re.search(r"\b(?:flag of|standard)\b", text):
        return "{Yes}" if _is_usual(image, text) else "{No}"
    return f"{{{count(image, text)}}}"


def count(image: Image, text: str) -> int:
    """Count what a question asks about."""
    for thing, counted in _COUNTED.items():
        if re.search(rf"\b{thing}\b", text):
            return counted(image, text)
    raise AfterimageError(
        f"looked in the question for what to count and found {text[:60]!r}; expected one of: {', '.join(_COUNTED)}."
    )


def _in_cell(counted: Callable[[Image], int]) -> Callable[[Image, str], int]:
    def of_named(image: Image, text: str) -> int:
        cells = find_cells(image)
        named = _CELL.search(text)
        row, column = cell_place("".join(named.groups())) if named else (0, 0)
        return counted(cells[row][column])

    return of_named


#: What a question names, to what counts it; the first that it names decides.
_COUNTED: dict[str, Callable[[Image, str], int]] = {
    "horizontal lines": lambda image, text: board_cells(image)[0] + 1,
    "vertical lines": lambda image, text: board_cells(image)[1] + 1,
    "rows": lambda image, text: board_cells(image)[0],
    "columns": lambda image, text: board_cells(image)[1],
    "stripes": lambda image, text: count_stripes(image),
    "stars": lambda image, text: count_stars(image),
    "circles": _in_cell(count_circles),
    "lines": _in_cell(count_strokes),
}


def _is_usual(image: Image, text: str) -> bool:
    """Tell whether everything that is usual of what the question names is counted in the image."""
    named = [
        subject
        for subject in {**STRIPES, **STARS, **BOARDS}
        if re.search(rf"\b{subject.replace('_', ' ')}\b", text.lower())
    ]
    if not named:
        raise AfterimageError(
            f"looked in the question for a flag or board and found {text[:60]!r}; expected one of those drawn."
        )
    subject = named[0]
    if subject in BOARDS:
        rows, columns = board_cells(image)
        return (rows + (subject in LINED), columns + (subject in LINED)) == BOARDS[subject]
    if subject in STRIPES and count_stripes(image) != STRIPES[subject]:
        return False
    return subject not in STARS or count_stars(image) == STARS[subject]
