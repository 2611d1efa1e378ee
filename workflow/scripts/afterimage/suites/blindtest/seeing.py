"""An observer of BlindTest's figures that has nothing but the pixels.

It measures what defines a figure: strokes fitted to coverage, rims of discs, connected outlines, lines
from edge to edge, coloured paths from end to end. It knows no parameters of a drawing, and no module
of it imports drawing code, so that it is as right on the original authors' images as on this suite's
own. It proves that the stimuli show what their keys say, and it is the ideal observer among the
reference responders.
"""

import re
from collections.abc import Mapping
from functools import partial
from itertools import combinations, pairwise

import numpy as np
from scipy import ndimage

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.seeing import letters, strokes
from afterimage.seeing.fits import fit_discs, fit_polylines, gap_px
from afterimage.seeing.image import (
    MIN_INK,
    WHITE,
    Image,
    Mask,
    Window,
    darkest_lack,
    ink_window,
    once,
    require_rgb,
    require_white_paper,
)
from afterimage.suites.blindtest.faces import FACES

#: The words that letters are circled in.
WORDS = ("Acknowledgement", "Subdermatoglyphic", "tHyUiKaRbNqWeOpXcZvM")
#: The stations, clockwise from the top.
STATIONS = ("A", "B", "C", "D")

# The rim of a disc is found to a few hundredths of a pixel; half a pixel is what a raster can show.
_RASTER_PX = 0.5
_RASTER_DIAMETERS = 0.01
_EIGHT_NEIGHBOURS = np.ones((3, 3))
# Line caps may leave a corner of a square open or stick out by a line width.
_SIDE_TOLERANCE_PX = 3
_SIDE_TOLERANCE = 0.04
# Share of its box that the ink of the smallest outline of the thickest line may fill.
_MAX_INK = 0.9
# A thin line that lies across two pixel rows leaves at least this much ink in one of them.
_MIN_LINE_INK = 0.35
# A line of a grid is inked from end to end. Words leave the space between them and the cells' margins free.
_MIN_SHARE = 0.9
# As shares of the height of both rows together: how near to the edge of the rows a shape's outermost
# point lies, and how far the outline recedes between two shapes of a row.
_NEAR_EDGE = 0.12
_RECEDES = 0.1


def measure_lines(image: Image) -> str:
    """Count the crossings of two polylines with three vertices each: ``0``, ``1`` or ``2``.

    Here and below the image is uint8 RGB of shape (height, width, 3).

    Raises:
        AfterimageError: The image does not show two lines of different colours that run across it.
    """
    return str(fit_polylines(image).crossings)


def measure_circles(image: Image) -> str:
    """Measure whether two discs overlap and touch.

    Returns:
        ``overlap=Yes;touch=Yes``, ``overlap=No;touch=Yes`` (tangent) or ``overlap=No;touch=No``.

    Raises:
        AfterimageError: The image does not show two discs of different colours.
    """
    first, second = fit_discs(image)
    gap = gap_px(first, second)
    tolerance = max(_RASTER_PX, _RASTER_DIAMETERS * (first.radius + second.radius))
    overlap = "Yes" if gap < -tolerance else "No"
    touch = "Yes" if gap <= tolerance else "No"
    return f"overlap={overlap};touch={touch}"


def measure_letter(image: Image) -> str:
    """Return the letter in the red oval, in lower case.

    Raises:
        AfterimageError: There is no red oval, no black text, or the text is none of the words.
    """
    return find_circled(image).letter.lower()


@once
def find_circled(image: Image) -> letters.CircledLetter:
    """Find the circled letter and its index in its word; errors as :func:`measure_letter`."""
    return letters.find_circled(image, WORDS, FACES.values())


def measure_paths(image: Image) -> str:
    """Count the single-coloured paths between each two of four stations.

    The stations stand at the top (A), right (B), bottom (C) and left (D) of the network.

    Returns:
        ``AB=0;AC=1;AD=0;BC=0;BD=1;CD=0``.

    Raises:
        AfterimageError: There are no coloured paths, or a colour is not one path with two ends.
    """
    connections = strokes.trace_paths(image, STATIONS)
    pairs = ("".join(pair) for pair in combinations(STATIONS, 2))
    return ";".join(f"{pair}={connections.count(pair)}" for pair in pairs)


def measure_squares(image: Image) -> str:
    """Count nested squares: connected outlines, each with an equal width and height, each in the last.

    Raises:
        AfterimageError: There is no ink, or an outline is no square inside the one around it.
    """
    lack = darkest_lack(image[ink_window(image, "nested squares")])
    labels, count = ndimage.label(lack > int(lack.max()) // 2, structure=_EIGHT_NEIGHBOURS)
    boxes = ndimage.find_objects(labels)
    for box, inked in zip(boxes, np.bincount(labels.ravel())[1:], strict=True):
        _require_square_outline(box, int(inked))
    boxes.sort(key=lambda box: box[0].start - box[0].stop)
    for outer, inner in pairwise(boxes):
        if any(a.start >= b.start or a.stop <= b.stop for a, b in zip(outer, inner, strict=True)):
            raise AfterimageError(
                "looked for nested squares and found an outline that is not inside the next larger one."
            )
    return str(count)


def _require_square_outline(box: Window, inked: int) -> None:
    """Check that connected ink is as wide as high and leaves its inside free."""
    height, width = (part.stop - part.start for part in box)
    if abs(height - width) > max(_SIDE_TOLERANCE_PX, _SIDE_TOLERANCE * height):
        raise AfterimageError(f"looked for squares and found an outline of {width} x {height} px.")
    if inked > _MAX_INK * height * width:
        raise AfterimageError(
            f"looked for outlines of squares and found a filled shape of {width} x {height} px."
        )


def measure_grid(image: Image) -> str:
    """Count the rows and columns of a grid by its lines, whatever stands in the cells.

    Returns:
        ``<rows>x<columns>``.

    Raises:
        AfterimageError: There are fewer than two lines in a direction.
    """
    # Lines are black or gray, so that any channel has all there is to see.
    green = np.ascontiguousarray(image[..., 1:2])
    lack = WHITE - green[ink_window(green, "a grid")][..., 0]
    is_inked = lack > _MIN_LINE_INK * int(lack.max())
    horizontal, vertical = (
        _runs(is_inked.sum(axis=1 - side, dtype=np.uint32) / length >= _MIN_SHARE)
        for side, length in enumerate(is_inked.shape[::-1])
    )
    if min(horizontal, vertical) < 2:
        raise AfterimageError(
            f"looked for a grid and found {horizontal} horizontal and {vertical} vertical lines "
            "from end to end."
        )
    return f"{horizontal - 1}x{vertical - 1}"


def _runs(marks: Mask) -> int:
    return int(np.count_nonzero(np.diff(marks.astype(np.int8), prepend=0) == 1))


def measure_shapes(image: Image) -> str:
    """Count the outlines of two interlaced rows.

    Shapes of one row do not overlap, so that each shape of the upper row is a hump of the figure's upper
    edge, and each of the lower row one of its lower edge. Neither edge depends on where the outlines
    cross, on their colours, or on whether a thin line has gaps.

    Raises:
        AfterimageError: There is no ink, or not two rows of shapes.
    """
    inked = darkest_lack(image[ink_window(image, "rows of shapes")]) >= MIN_INK
    upper, lower = _humps(inked), _humps(inked[::-1])
    if not upper or not lower or abs(upper - lower) > 1:
        raise AfterimageError(
            f"looked for two interlaced rows of shapes and found {upper} above and {lower} below."
        )
    return str(upper + lower)


def _humps(inked: Mask) -> int:
    """Count the humps of the upper edge that reach its highest level."""
    # Here, because scipy.signal takes longer to import than most tasks' images to measure.
    from scipy.signal import find_peaks

    height = len(inked)
    depth = np.where(inked.any(axis=0), np.argmax(inked, axis=0), height)
    edge = np.pad(height - depth, 1)
    peaks, _ = find_peaks(edge, height=(1 - _NEAR_EDGE) * height, prominence=_RECEDES * height)
    return len(peaks)


# Share of its box that an outline with its inside fills: a triangle half of it, a circle pi/4, a square all.
_FILLED = {"triangle": 1 / 2, "circle": np.pi / 4, "square": 1.0}
_FILLED_WITHIN = 0.09
# Share of its box that the inside of a small outline takes at least, where there is one.
_MIN_INSIDE = 0.02
# Outlines of one image are as large as each other.
_SIZE_TOLERANCE_PX = 3


def measure_string(image: Image) -> str:
    """Return the string.

    Raises:
        AfterimageError: There is colour, no black text, or the text is none of the strings.
    """
    return letters.find_word(image, WORDS, FACES.values())


def measure_shape(image: Image) -> str:
    """Return ``circle``, ``square`` or ``triangle``: by how much of its box the only outline encloses.

    Raises:
        AfterimageError: There is not one outline with an inside, or it encloses as much as none of the shapes.
    """
    (box,) = _outlines(image, 1)
    filled = float(ndimage.binary_fill_holes(box).mean())
    shape = min(_FILLED, key=lambda name: abs(_FILLED[name] - filled))
    if abs(_FILLED[shape] - filled) > _FILLED_WITHIN or filled - box.mean() < _MIN_INSIDE:
        raise AfterimageError(
            "looked for the outline of a circle, a square or a triangle and found one that fills "
            f"{filled:.0%} of its box."
        )
    return shape


def measure_apart(image: Image) -> str:
    """Count outlines that touch no other, all as large as each other.

    Raises:
        AfterimageError: There is no ink, or connected ink is larger than other: outlines touch.
    """
    outlines = _outlines(image)
    sizes = np.array([box.shape for box in outlines])
    if (np.ptp(sizes, axis=0) > _SIZE_TOLERANCE_PX).any():
        raise AfterimageError("looked for shapes that lie apart and found some that touch.")
    return str(len(outlines))


def _outlines(image: Image, expected: int | None = None) -> list[np.ndarray]:
    """Return connected ink, each in its own box; as many as ``expected``."""
    inked = darkest_lack(image[ink_window(image, "outlines")]) >= MIN_INK
    labels, count = ndimage.label(inked, structure=_EIGHT_NEIGHBOURS)
    if expected is not None and count != expected:
        raise AfterimageError(f"looked for {expected} outline and found {count}.")
    boxes = ndimage.find_objects(labels)
    return [labels[box] == number for number, box in enumerate(boxes, start=1)]


_MEASURES = {
    "line_intersection": measure_lines,
    "two_circles": measure_circles,
    "circled_letter": measure_letter,
    "olympic_shapes": measure_shapes,
    "nested_squares": measure_squares,
    "grid": measure_grid,
    "subway": measure_paths,
    "plain_string": measure_string,
    "plain_shape": measure_shape,
    "shapes_apart": measure_apart,
}
#: What can be measured, in the order of the paper, then the controls.
TASKS = tuple(_MEASURES)

# What a question must say to set a task; the first that fits counts, so that "two circles" that
# touch are not a number of circles, nor lines that touch two circles.
_TASKS: Mapping[str, str] = {
    "subway": r"\b(?:paths?|routes?|caminos|rutas)\b.*\b(?:from|de) (?:station )?(?P<first>[a-d]) (?:to|a) "
    r"(?:station )?(?P<second>[a-d])\b",
    "grid": r"\b(?:rows and columns|filas y columnas)\b",
    "two_circles": r"\b(?:two circles|dos círculos)\b.*\b(?P<relation>touch|overlap|tocan|superponen)",
    "plain_string": r"\b(?:text in the image|texto aparece en la imagen)\b",
    "plain_shape": r"\b(?:which shape|qué figura)\b",
    "circled_letter": r"\b(?:letter|character|letra|personaje)\b.*\b(?:circled|highlighted|oval|círculo|óvalo)\b",
    "nested_squares": r"\b(?:how many|number of|count|cuántos|cuenta)\b.*\b(?:squares|cuadrados)\b",
    "olympic_shapes": r"\b(?:how many|number of|count|cuántos|cuenta)\b.*\b(?:circles|pentagons|círculos|pentágonos)\b",
    "line_intersection": r"\blines?\b.*\b(?:intersect|cross|touch|meet)|\bline intersections?\b|\bcruzan\b.*\blíneas\b",
}
_IN_BRACES = r"\b(?:curly brackets|entre llaves)\b"
_AS_PAIR = r"\bpair \(row, ?column\)|\bpar \(fila, ?columna\)"
# What is asked about two circles in other languages, by what is measured.
_RELATIONS = {"tocan": "touch", "superponen": "overlap"}
# What plain shapes are called in a Spanish answer.
_IN_SPANISH = {"circle": "círculo", "square": "cuadrado", "triangle": "triángulo"}


def measure(image: Image, task: str) -> str:
    """Measure what a task asks about from an image's pixels.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.
        task: One of ``TASKS``.

    Returns:
        A count (``2``), ``overlap=No;touch=Yes``, a lower-case letter (``e``), rows x columns
        (``5x6``) or ``AB=0;AC=1;AD=0;BC=0;BD=1;CD=0``.

    Raises:
        AfterimageError: The array is no RGB image, or the image does not show what the task is about.
    """
    require_rgb(image)
    return _measured(image, task)


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer, in the form that it asks for.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The question, in any of the wordings of the two releases.

    Raises:
        AfterimageError: The question sets none of the tasks, or the image does not show what it is
            about.
    """
    task, _ = task_of_question(text)
    return phrase(text, measure(image, task))


@once
def _measured(image: Image, task: str) -> str:
    require_white_paper(image)
    return _MEASURES[task](image)


def task_of_question(text: str) -> tuple[str, re.Match[str]]:
    """Return the task that a question sets, and the match with what it names.

    Raises:
        AfterimageError: It sets none of the tasks.
    """
    question = " ".join(text.lower().split())
    for task, pattern in _TASKS.items():
        match = re.search(pattern, question)
        if match:
            return task, match
    raise AfterimageError(
        f"the question '{text.strip()}' sets none of the tasks {', '.join(sorted(_TASKS))}."
    )


def phrase(text: str, value: str) -> str:
    """Write a measured value in the form that a question asks for.

    Args:
        value: What was measured for its task.

    Returns:
        E.g. ``{2}``, ``2``, ``Yes``, ``The letter "e"``, ``rows={5} columns={6}`` or ``(5,6)``.

    Raises:
        AfterimageError: The question sets no task, or asks for the way from a station to itself.
    """
    task, match = task_of_question(text)
    if task == "two_circles":
        relation = match["relation"]
        return _entries(value)[_RELATIONS.get(relation, relation)]
    if task == "circled_letter":
        return f'The letter "{value}"'
    if task == "plain_shape":
        return value if match[0] == "which shape" else _IN_SPANISH[value]
    in_braces = re.search(_IN_BRACES, text.lower())
    if task == "grid":
        rows, columns = value.split("x")
        if re.search(_AS_PAIR, text.lower()):
            return f"({rows},{columns})"
        return f"rows={{{rows}}} columns={{{columns}}}"
    count = _paths(value, match) if task == "subway" else value
    return f"{{{count}}}" if in_braces else count


def _paths(value: str, match: re.Match[str]) -> str:
    """Return the number of paths between the two stations that a question names."""
    pair = "".join(sorted((match["first"] + match["second"]).upper()))
    known = ["".join(stations) for stations in combinations("ABCD", 2)]
    if pair not in known:
        raise AfterimageError(
            f"the question asks for paths from {pair[0]} to {pair[1]}: expected two different stations."
        )
    return _entries(value)[pair]


def _entries(value: str) -> dict[str, str]:
    """Parse ``name=value;name=value``."""
    return dict(entry.split("=") for entry in value.split(";"))


# ---- What each stimulus must measure: a key that is not found stops the workflow before any model is asked ----


def _measure_task(task: str, pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Measure the answer to what a task asks; it has to be the factor ``truth``."""
    return measure(pixels, task)


def _measure_circled(pixels: np.ndarray, factors: Mapping[str, str]) -> str | Measured:
    """Measure the circled letter; its index in the word has to be right, too: words repeat letters.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``truth``, ``word`` and ``letter_index``; without any, nothing is expected.
    """
    letter = measure(pixels, "circled_letter")
    circled = find_circled(pixels)
    if letter != factors.get("truth") or (circled.word, str(circled.index)) == (
        factors["word"],
        factors["letter_index"],
    ):
        return letter
    remark = f"found {letter} at place {circled.index} of {circled.word}"
    return Measured(letter, factors["truth"], holds=False, remark=remark)


#: The part ``measure`` of each task.
MEASURES = {task: partial(_measure_task, task) for task in TASKS} | {
    "circled_letter": _measure_circled
}
