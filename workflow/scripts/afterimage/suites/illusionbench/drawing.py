"""How images are drawn or read: colour plates, classical figures, plain scenes, and a user's images."""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas, moved
from afterimage.drawing.colour import BLACK, BLUE, RED, WHITE, Colour, grey, levels_from_linear
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Discs, Strokes, packed
from afterimage.drawing.text import TextLine, typeface
from afterimage.errors import AfterimageError, fault
from afterimage.files.photograph import decode_photograph

# Colour plates after Ishihara's: a digit of dots among dots that differ in hue alone.
#
# Both kinds of dots have the same distribution of luminance and of size, so that nothing but the hue tells them
# apart. The plates make no claim about anybody's colour vision.

SIDE_PX = 512

_PLATE_RADIUS_PX = 240
_DIGIT_HEIGHT_PX = 350
_RADII_PX = (10.0, 8.5, 7.0, 5.5, 4.5)
_TRIES = 15_000
_COLOUR_PLATES_GAP_PX = 1.5
_LUMINANCE = (0.26, 0.42)
#: Directions in linear sRGB along which luminance stays (Rec. 709: 0.2126, 0.7152, 0.0722).
_AXES = {"red_green": (0.7152, -0.2126, 0.0), "yellow_blue": (0.0722, 0.0722, -0.9278)}


def draw_colour_plates(digit: str, axis: str, reach: float, sign: int, dot_seed: int) -> Drawing:
    """Pack dots into a disc, none across the digit's outline, and colour those inside the digit.

    Args:
        digit: What the plate shows.
        axis: ``red_green`` or ``yellow_blue``.
        reach: How far from grey both kinds of dots lie along it, in linear light.
        sign: To which side those of the digit lie, 1 or -1.
        dot_seed: Chooses the dots.
    """
    source = np.random.default_rng(dot_seed)
    mask = _digit_mask(digit)
    centres, radii = _packed(source, mask)
    inside = _covered(mask, centres)
    luminance = source.uniform(*_LUMINANCE, size=len(centres))
    steps = reach * np.where(inside, 1.0, -1.0) * sign
    light = luminance[:, None] + steps[:, None] * np.array(_AXES[axis])
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    for centre, radius, levels in zip(centres, radii, levels_from_linear(light), strict=True):
        canvas.paint(Discs(centre[None], 2 * radius), Colour(*levels.tolist()))
    return Drawing(canvas.pixels(), {"dots": len(centres), "dots_of_digit": int(inside.sum())})


def _packed(source: np.random.Generator, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return centres and radii of dots that keep clear of each other and of the outline."""

    def tried(radius: float) -> np.ndarray:
        reach = _PLATE_RADIUS_PX - radius
        points = source.uniform(-reach, reach, size=(_TRIES // len(_RADII_PX), 2))
        points = np.round(points[(points * points).sum(axis=1) <= reach * reach], 2) + SIDE_PX / 2
        clear: np.ndarray = points[_is_clear(mask, points, radius)]
        return clear

    return packed(tried, _RADII_PX, _COLOUR_PLATES_GAP_PX)


def _is_clear(mask: np.ndarray, centres: np.ndarray, radius: float) -> NDArray[np.bool_]:
    """Tell which dots have their whole rim on one side of the digit's outline."""
    angles = np.arange(8) * 45
    steps = np.stack([cosine(angles), sine(angles)], axis=-1) * radius
    rim = _covered(mask, centres[:, None] + steps)
    clear: NDArray[np.bool_] = np.all(rim == _covered(mask, centres)[:, None], axis=1)
    return clear


def _covered(mask: np.ndarray, points: np.ndarray) -> NDArray[np.bool_]:
    covered: NDArray[np.bool_] = mask[points[..., 1].astype(int), points[..., 0].astype(int)]
    return covered


def _digit_mask(digit: str) -> np.ndarray:
    """Return the pixels that a large bold digit in the middle covers, shape (512, 512), bool."""
    face = typeface("LiberationSans-Bold")
    left, top, right, bottom = face.ink_box(digit)
    size = _DIGIT_HEIGHT_PX / (bottom - top)
    middle = SIDE_PX / 2
    origin = (middle - size * (left + right) / 2, middle - size * (top + bottom) / 2)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(TextLine(digit, face, size, origin).polygons()), BLACK)
    return canvas.pixels()[..., 0] < 128


# Seven classical figures, equal by construction, and their traps, which really differ.
#
# A trap differs in the direction in which the classical figure only seems to (paper, figure 7), so that a model that
# knows the figure and does not look is wrong about it. All sizes in px on a canvas of 512 px. Figures of lines come
# first, then those of areas.

_LINE_PX = 6
_SHAFT_PX, _SHAFT_Y = 200, (170, 342)
_FIN_PX, _FIN_DEG = 52, 35.0
_BAR_PX, _BAR_TOP_Y, _BAR_THICK_PX = 120, (150, 330), 10
_RAIL_TOP, _RAIL_BOTTOM = (90.0, 60.0), (230.0, 452.0)
_T_PX, _T_FOOT_Y = 250, 420
_LONG_PX, _LONG_LINES, _GEOMETRIC_GAP_PX = 400, 5, 80
_HATCH_PX, _HATCH_PITCH_PX, _HATCH_DEG = 44, 40, 40.0

_ORANGE = Colour(230, 120, 20)
_DISC_PX, _DISC_X, _DISC_Y = 64, (152, 388), 256
#: Of the left and the right disc: number of grey circles, their diameter, their distance from the disc's centre.
_AROUND = ((6, 84, 96), (8, 24, 58))
_RING_GREY = grey(140)

_STREET = grey(240)
_BLOCK_PX, _STREET_PX, _BLOCKS = 70, 20, 5
_DOT_PX = 22

_GROUNDS = (40, 236)
_PATCH_PX, _PATCH_LEVEL = 96, 120


def mueller_lyer(percent: int) -> Drawing:
    """Draw two red shafts: fins outward on the upper, inward on the lower; the upper one is ``percent`` longer."""
    lengths = (_even(_SHAFT_PX * (1 + percent / 100)), _SHAFT_PX)
    canvas = _paper()
    for y, length_px, outward in zip(_SHAFT_Y, lengths, (1, -1), strict=True):
        canvas.paint(_fins(y, length_px, outward), BLACK)
    for y, length_px in zip(_SHAFT_Y, lengths, strict=True):
        _level_bar(canvas, length_px, y - _LINE_PX // 2, _LINE_PX, RED)
    return _drawing(canvas, {"upper_px": lengths[0], "lower_px": lengths[1]})


def ponzo(percent: int) -> Drawing:
    """Draw two blue bars between converging black rails; the upper one, in the narrow part, is ``percent`` longer."""
    lengths = (_even(_BAR_PX * (1 + percent / 100)), _BAR_PX)
    canvas = _paper()
    middle = SIDE_PX / 2
    starts = np.array([(middle + side * _RAIL_TOP[0], _RAIL_TOP[1]) for side in (-1, 1)])
    ends = np.array([(middle + side * _RAIL_BOTTOM[0], _RAIL_BOTTOM[1]) for side in (-1, 1)])
    canvas.paint(Strokes(starts, ends, _LINE_PX), BLACK)
    for top, length_px in zip(_BAR_TOP_Y, lengths, strict=True):
        _level_bar(canvas, length_px, top, _BAR_THICK_PX, BLUE)
    return _drawing(canvas, {"upper_px": lengths[0], "lower_px": lengths[1]})


def vertical_horizontal(percent: int) -> Drawing:
    """Draw a blue vertical line on the middle of a red horizontal one; the vertical one is ``percent`` longer."""
    vertical, horizontal = _even(_T_PX * (1 + percent / 100)), _T_PX
    canvas = _paper()
    _level_bar(canvas, horizontal, _T_FOOT_Y, _LINE_PX, RED)
    left = SIDE_PX // 2 - _LINE_PX // 2
    canvas.fill(left, _T_FOOT_Y - vertical, left + _LINE_PX, _T_FOOT_Y, BLUE)
    return _drawing(canvas, {"vertical_px": vertical, "horizontal_px": horizontal})


def zoellner(percent: int) -> Drawing:
    """Draw five long red lines with oblique hatches; gaps between neighbours are ``percent`` wider at one end."""
    # The mean gap stays; far over near is then 1 + percent / 100.
    share = percent / (200 + percent)
    near, far = _GEOMETRIC_GAP_PX * (1 - share), _GEOMETRIC_GAP_PX * (1 + share)
    steps = np.arange(_LONG_LINES) - (_LONG_LINES - 1) / 2
    lean = np.where(np.arange(_LONG_LINES) % 2 == 0, 1.0, -1.0)
    rise = (far - near) / 4 * lean
    middle_y = SIDE_PX / 2 + steps * _GEOMETRIC_GAP_PX
    left, right = (SIDE_PX - _LONG_PX) / 2, (SIDE_PX + _LONG_PX) / 2
    starts = np.stack([np.full(_LONG_LINES, left), middle_y - rise], axis=-1)
    ends = np.stack([np.full(_LONG_LINES, right), middle_y + rise], axis=-1)
    canvas = _paper()
    canvas.paint(_hatches(starts, ends, lean), BLACK)
    canvas.paint(Strokes(starts, ends, _LINE_PX), RED)
    return _drawing(canvas, {"narrow_gap_px": near, "wide_gap_px": far})


def ebbinghaus(percent: int) -> Drawing:
    """Draw two orange discs, one among large and one among small grey circles; the latter is ``percent`` larger."""
    diameters = (_DISC_PX, round(_DISC_PX * (1 + percent / 100)))
    canvas = _paper()
    for x, diameter, (count, around_px, distance_px) in zip(
        _DISC_X, diameters, _AROUND, strict=True
    ):
        angles = np.arange(count) * 360 / count
        centres = np.stack(
            [x + distance_px * cosine(angles), _DISC_Y + distance_px * sine(angles)], axis=-1
        )
        canvas.paint(Discs(centres, around_px), _RING_GREY)
        canvas.paint(Discs(np.array([[x, _DISC_Y]], dtype=float), diameter), _ORANGE)
    return _drawing(canvas, {"left_px": diameters[0], "right_px": diameters[1]})


def hermann_grid(percent: int) -> Drawing:
    """Draw black squares with light streets between; dots at the crossings make the streets ``percent`` lighter."""
    level = _STREET.red if not percent else round(_STREET.red / (1 + percent / 100))
    canvas = Canvas(_STREET, SIDE_PX, SIDE_PX)
    pitch = _BLOCK_PX + _STREET_PX
    margin = (SIDE_PX - _BLOCKS * pitch + _STREET_PX) // 2
    corners = [margin + index * pitch for index in range(_BLOCKS)]
    for top in corners:
        for left in corners:
            canvas.fill(left, top, left + _BLOCK_PX, top + _BLOCK_PX, BLACK)
    if percent:
        middles = np.array(corners[1:]) - _STREET_PX / 2
        centres = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
        canvas.paint(Discs(centres, _DOT_PX), grey(level))
    return _drawing(canvas, {"crossing_level": level, "street_level": _STREET.red})


def simultaneous_contrast(percent: int) -> Drawing:
    """Draw a grey square on dark and one on light ground; the one on dark ground is ``percent`` lighter."""
    levels = (round(_PATCH_LEVEL * (1 + percent / 100)), _PATCH_LEVEL)
    canvas = Canvas(grey(_GROUNDS[0]), SIDE_PX, SIDE_PX)
    half = SIDE_PX // 2
    canvas.fill(half, 0, SIDE_PX, SIDE_PX, grey(_GROUNDS[1]))
    top = half - _PATCH_PX // 2
    for start, level in zip((0, half), levels, strict=True):
        left = start + (half - _PATCH_PX) // 2
        canvas.fill(left, top, left + _PATCH_PX, top + _PATCH_PX, grey(level))
    return _drawing(canvas, {"right_level": levels[1], "left_level": levels[0]})


def _hatches(starts: np.ndarray, ends: np.ndarray, lean: np.ndarray) -> Strokes:
    count = _LONG_PX // _HATCH_PITCH_PX
    shares = (np.arange(count) + 0.5) / count
    centres = starts[:, None] + (ends - starts)[:, None] * shares[:, None]
    angle = _HATCH_DEG * lean
    half = np.stack([cosine(angle), sine(angle)], axis=-1)[:, None] * (_HATCH_PX / 2)
    return Strokes((centres - half).reshape(-1, 2), (centres + half).reshape(-1, 2), 4)


def _fins(y: int, length_px: int, outward: int) -> Strokes:
    along = outward * _FIN_PX * float(cosine(_FIN_DEG))
    across = _FIN_PX * float(sine(_FIN_DEG))
    tips = [(side, turn) for side in (-1, 1) for turn in (-1, 1)]
    starts = np.array([(SIDE_PX / 2 + side * length_px / 2, y) for side, _ in tips])
    steps = np.array([(side * along, turn * across) for side, turn in tips])
    return Strokes(starts, starts + steps, _LINE_PX)


def _paper() -> Canvas:
    return Canvas(WHITE, SIDE_PX, SIDE_PX)


def _level_bar(canvas: Canvas, length_px: int, top: int, thick_px: int, colour: Colour) -> None:
    left = (SIDE_PX - length_px) // 2
    canvas.fill(left, top, left + length_px, top + thick_px, colour)


def _even(length_px: float) -> int:
    """Round to an even length, so that a bar about the middle has whole-pixel ends."""
    return 2 * round(length_px / 2)


def _drawing(canvas: Canvas, sizes: dict[str, float]) -> Drawing:
    """Return the drawing with both sizes or shades, and by how many percent the larger exceeds the smaller."""
    difference = 100 * (max(sizes.values()) / min(sizes.values()) - 1)
    measures = {**sizes, "difference_percent": difference}
    return Drawing(canvas.pixels(), {name: round(value, 3) for name, value in measures.items()})


_DRAW = {
    "zoellner": zoellner,
    "vertical_horizontal": vertical_horizontal,
    "mueller_lyer": mueller_lyer,
    "ponzo": ponzo,
    "hermann_grid": hermann_grid,
    "ebbinghaus": ebbinghaus,
    "simultaneous_contrast": simultaneous_contrast,
}


def draw_geometric(kind: str, difference_percent: int, shift: Sequence[int] = (0, 0)) -> Drawing:
    """Draw a figure with a true difference of ``difference_percent``, whole px to the right and down of its place."""
    drawing = _DRAW[kind](difference_percent)
    right, down = shift
    if kind == "simultaneous_contrast":
        # Its grounds are the halves of the image.
        right = 0
    return replace(drawing, pixels=moved(drawing.pixels, (right, down), "edge"))


# A user's images: read, and turned into 8-bit RGB.
#
# A picture is decoded once and never edited: turned as its camera says, transparent parts on white.

_LARGEST_BYTES = 1 << 29
# Errors of a broken archive: a wrong password raises a RuntimeError, an unknown packing its subclass.
_NO_IMAGE = (
    *(AfterimageError, OSError, KeyError, RuntimeError, EOFError),
    *(zipfile.BadZipFile, zlib.error),
)


def draw_pictures(
    file: str, image_id: str, member: str | None, size_px: Sequence[int] | None
) -> Drawing:
    """Decode a picture.

    Args:
        file: The image, or the archive that holds it.
        image_id: Its name in the annotations.
        member: Its name in the archive; None if it is a file of its own.
        size_px: Width and height, where the annotations state them.

    Raises:
        AfterimageError: It cannot be decoded, or has another size than its annotation says.
    """
    source = f"{file}: {member}" if member else file
    try:
        pixels = decode_photograph(_data(file, member), source)
    except _NO_IMAGE as error:
        raise fault(
            source,
            f"cannot be read as an image ({error}); mend the file, or list '{image_id}' under "
            "suites.illusionbench.leave_out.",
        ) from None
    height, width, _ = pixels.shape
    if size_px and [width, height] != list(size_px):
        raise fault(
            source,
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


# Plain scenes without any illusion: coloured things side by side on a floor, different in size.

_WALL, _FLOOR, _FLOOR_Y = grey(244), grey(196), 380
_MAX_GAP_PX = 30


def draw_plain_scenes(things: Sequence[Json]) -> Drawing:
    """Draw the things of a scene, from left to right, as far apart as there is room for.

    Args:
        things: Of each ``shape`` (``circle``, ``square`` or ``triangle``), ``colour`` (sRGB levels) and ``size_px``.
    """
    canvas = Canvas(_WALL, SIDE_PX, SIDE_PX)
    canvas.fill(0, _FLOOR_Y, SIDE_PX, SIDE_PX, _FLOOR)
    gap = (SIDE_PX - sum(thing["size_px"] for thing in things)) / (len(things) + 1)
    gap = min(gap, _MAX_GAP_PX)
    left = (SIDE_PX - sum(thing["size_px"] for thing in things) - gap * (len(things) - 1)) / 2
    for thing in things:
        _paint(canvas, thing, round(left))
        left += thing["size_px"] + gap
    return Drawing(canvas.pixels())


def _paint(canvas: Canvas, thing: Json, left: int) -> None:
    size, colour = thing["size_px"], Colour(*thing["colour"])
    top = _FLOOR_Y - size
    if thing["shape"] == "circle":
        canvas.paint(Discs(np.array([[left + size / 2, top + size / 2]]), size), colour)
    elif thing["shape"] == "square":
        canvas.fill(left, top, left + size, top + size, colour)
    else:
        corners = [(left, _FLOOR_Y), (left + size, _FLOOR_Y), (left + size / 2, top)]
        canvas.paint(Region([np.array(corners, dtype=float)]), colour)
