"""What each task asks about, counted or told from what is seen in the pixels."""

from itertools import combinations, pairwise

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing import letters, paths
from afterimage.seeing.fits import fit_discs, fit_polylines, gap_px
from afterimage.seeing.image import (
    LEAST_INK,
    WHITE,
    Image,
    Mask,
    Window,
    darkest_lack,
    ink_window,
    once,
)
from afterimage.suites.blindtest.observer.faces import FACES

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
_MOST_INK = 0.9
# A thin line that lies across two pixel rows leaves at least this much ink in one of them.
_LEAST_LINE_INK = 0.35
# A line of a grid is inked from end to end. Words leave the space between them and the cells' margins free.
_LEAST_SHARE = 0.9
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
    """Find the circled letter and its place in its word; errors as :func:`measure_letter`."""
    return letters.find_circled(image, WORDS, FACES.values())


def measure_paths(image: Image) -> str:
    """Count the single-coloured paths between each two of four stations.

    The stations stand at the top (A), right (B), bottom (C) and left (D) of the network.

    Returns:
        ``AB=0;AC=1;AD=0;BC=0;BD=1;CD=0``.

    Raises:
        AfterimageError: There are no coloured paths, or a colour is not one path with two ends.
    """
    connections = paths.trace_paths(image, STATIONS)
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
    if inked > _MOST_INK * height * width:
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
    is_inked = lack > _LEAST_LINE_INK * int(lack.max())
    horizontal, vertical = (
        _runs(is_inked.sum(axis=1 - side, dtype=np.uint32) / length >= _LEAST_SHARE)
        for side, length in enumerate(is_inked.shape[::-1])
    )
    if min(horizontal, vertical) < 2:
        raise AfterimageError(
            f"looked for a grid and found {horizontal} horizontal and {vertical} vertical lines "
            "from end to end."
        )
    return f"{horizontal - 1}x{vertical - 1}"


def _runs(marks: Mask) -> int:
    """Count the runs of true values."""
    return int(np.count_nonzero(np.diff(marks.astype(np.int8), prepend=0) == 1))


def measure_shapes(image: Image) -> str:
    """Count the outlines of two interlaced rows.

    Shapes of one row do not overlap, so that each shape of the upper row is a hump of the figure's upper
    edge, and each of the lower row one of its lower edge. Neither edge depends on where the outlines
    cross, on their colours, or on whether a thin line has gaps.

    Raises:
        AfterimageError: There is no ink, or not two rows of shapes.
    """
    inked = darkest_lack(image[ink_window(image, "rows of shapes")]) >= LEAST_INK
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
