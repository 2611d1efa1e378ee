"""Two shapes of different colours on white, each fitted: discs to their rims, polylines to what they cover."""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from skimage.measure import find_contours

from afterimage.errors import AfterimageError
from afterimage.seeing.colours import two_colours
from afterimage.seeing.image import Floats, Image, Mask, ink_window, widened

_NEAR_OTHER_PX = 2
_MIN_RIM_POINTS = 12


@dataclass(frozen=True)
class Disc:
    """A disc fitted to the part of its rim that borders on the background; px of the image."""

    x: float
    y: float
    radius: float


def fit_discs(image: Image) -> tuple[Disc, Disc]:
    """Fit the two discs of an image, each to its own rim.

    Where the discs overlap, the rim of the lower one is hidden and that of the upper one borders on the
    other disc; both are left out, so that neither the order nor the colours matter.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The image does not show two discs of different colours.
    """
    window = widened(ink_window(image, "two discs"), 4)
    inked = image[window]
    colours = two_colours(inked, "two discs")
    coverage = (255 - inked).astype(np.float32) @ np.linalg.pinv(colours).astype(np.float32)
    first, second = coverage[..., 0], coverage[..., 1]
    return _fit(first, second), _fit(second, first)


def gap_px(first: Disc, second: Disc) -> float:
    """Return the distance between the rims in px, negative where the discs overlap."""
    return float(np.hypot(first.x - second.x, first.y - second.y) - first.radius - second.radius)


def _fit(coverage: Floats, other: Floats) -> Disc:
    """Fit a circle to the contour of half coverage, away from the other disc."""
    near_other = ndimage.maximum_filter(other > 0.05, size=2 * _NEAR_OTHER_PX + 1)
    contours = find_contours(np.pad(coverage, 1), 0.5)
    points = np.concatenate(contours) - 1 if contours else np.empty((0, 2))
    at = np.clip(np.rint(points).astype(int), 0, np.array(coverage.shape) - 1)
    points = points[~near_other[at[:, 0], at[:, 1]]]
    if len(points) < _MIN_RIM_POINTS:
        raise AfterimageError("looked for two discs and found a colour without a rim on white.")
    y, x = points.T
    # x^2 + y^2 = 2 a x + 2 b y + c is linear in the centre (a, b).
    system = np.stack([2 * x, 2 * y, np.ones_like(x)], axis=1)
    (a, b, c), *_ = np.linalg.lstsq(system, x**2 + y**2, rcond=None)
    radius = float(np.sqrt(c + a * a + b * b))
    if np.abs(np.hypot(x - a, y - b) - radius).max() > max(1.0, 0.05 * radius):
        raise AfterimageError("looked for two discs and found a shape that is not round.")
    return Disc(float(a), float(b), radius)


# ---- Two polylines over the same abscissae, fitted to what either covers of each pixel column ----

_LOOKED_FOR = "two polylines"
_MIN_COLUMNS = 32
# More columns than this add nothing to the precision that is needed.
_MAX_COLUMNS = 320
# Columns within this many line widths of a vertex show a cap or a join.
_VERTEX_WIDTHS = 1.5
# Lines that are farther apart at every vertex cross steeply: what one hides of the other is short.
_CLEAR_WIDTHS = 4.0
_REWEIGHTINGS = 8
# Positions within a pixel column at which edges are evaluated, px.
_WITHIN_COLUMN = np.array([-1 / 3, 0.0, 1 / 3])


@dataclass(frozen=True)
class Polylines:
    """Two polylines with vertices above each other.

    Attributes:
        x: Abscissae of the three vertices, px from the left edge, shape (3,).
        y: Ordinates of the vertices of both lines, px from the upper edge, shape (2, 3).
        width: Line width, px.
    """

    x: Floats
    y: Floats
    width: float

    @property
    def crossings(self) -> int:
        """Number of intervals between vertices in which the lines change sides."""
        above = np.sign(self.y[0] - self.y[1])
        return int(np.count_nonzero(above[1:] * above[:-1] < 0))


@dataclass(frozen=True)
class _Columns:
    """What the pixel columns hold of either line.

    Attributes:
        x: Centres of the columns, px, shape (n,).
        mass: Covered height in px, shape (2, n).
        moment: Covered height times its mean ordinate, px^2, shape (2, n).
    """

    x: Floats
    mass: Floats
    moment: Floats

    def only(self, kept: Mask) -> "_Columns":
        """Return some of the columns."""
        return _Columns(self.x[kept], self.mass[:, kept], self.moment[:, kept])


def fit_polylines(image: Image) -> Polylines:
    """Fit two polylines of two straight pieces each to the coverage of every pixel column.

    One line lies on top of the other and may hide most of it where they run close together, so the
    lower one is fitted by what the upper one leaves of it. Lines are taken to end in caps that project
    by half the line width, as they do in the original figures.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The image does not show two lines of different colours that run across it.
    """
    columns = _columns(image)
    left, right = columns.x[0], columns.x[-1]
    rough = np.stack([_rough_fit(columns, line) for line in range(2)])
    width = _line_width(columns, rough)
    start = Polylines(np.array([left, (left + right) / 2, right]), rough, width)
    if np.abs(rough[0] - rough[1]).min() > _CLEAR_WIDTHS * width:
        return _to_true_ends(columns, start)
    inside = columns.only(
        _is_clear(columns.x, (left, (left + right) / 2, right), _VERTEX_WIDTHS * width)
    )
    inside = inside.only(np.arange(len(inside.x)) % -(-len(inside.x) // _MAX_COLUMNS) == 0)
    fitted = _refine(inside, start, _upper_line(inside, start))
    return _to_true_ends(columns, fitted)


def _columns(image: Image) -> _Columns:
    """Return the inked columns; the first and last hold at least half of a line's end."""
    window = ink_window(image, _LOOKED_FOR)
    inked = image[window]
    height, width = inked.shape[:2]
    if width < _MIN_COLUMNS:
        raise AfterimageError(f"looked for {_LOOKED_FOR} and found ink of only {width} columns.")
    # From what a pixel lacks (channels) to what either colour covers of it.
    to_coverage = np.linalg.pinv(two_colours(np.ascontiguousarray(inked), _LOOKED_FOR))
    weights = np.stack([np.ones(height), np.arange(height) + 0.5]).astype(np.float32)
    lack = (255 - inked).astype(np.float32).reshape(height, -1)
    sums = (weights @ lack).reshape(2, width, 3).astype(np.float64) @ to_coverage
    mass, moment = sums[0].T, sums[1].T
    moment = moment + window[0].start * mass
    x = np.arange(width) + window[1].start + 0.5
    if min(np.count_nonzero(line > 0.5) for line in mass) < 0.5 * width:
        raise AfterimageError(
            f"looked for {_LOOKED_FOR} and found a colour that does not run across the figure."
        )
    return _Columns(x, mass, moment)


def _is_clear(x: Floats, vertices: tuple[float, ...], distance: float) -> Mask:
    """Mark the columns that are far enough from all vertices to show plain strokes."""
    clear: Mask = np.all([np.abs(x - vertex) > distance for vertex in vertices], axis=0)
    return clear


def _hinge(x: Floats, vertices: Floats) -> Floats:
    """Return the matrix from ordinates at three vertices to ordinates at x, shape (n, 3)."""
    return np.stack([np.interp(x, vertices, unit) for unit in np.eye(3)], axis=1)


def _rough_fit(columns: _Columns, line: int) -> Floats:
    """Fit one line by column centroids, least absolute deviations; ordinates at the vertices."""
    mass = columns.mass[line]
    seen = mass > 0.5 * np.median(mass)
    x = columns.x[seen]
    centroid = columns.moment[line][seen] / mass[seen]
    left, right = columns.x[0], columns.x[-1]
    basis = _hinge(x, np.array([left, (left + right) / 2, right]))
    weights = np.ones(len(x))
    ordinates: Floats = np.empty(0)
    for _ in range(_REWEIGHTINGS):
        ordinates = np.linalg.lstsq(basis * weights[:, None], centroid * weights, rcond=None)[0]
        weights = 1 / np.sqrt(np.maximum(np.abs(basis @ ordinates - centroid), 0.05))
    return ordinates


def _slopes(x: Floats, y: Floats) -> Floats:
    """Return the slopes of the pieces, shape (2, 2): line, piece."""
    return np.diff(y, axis=1) / np.diff(x)


def _line_width(columns: _Columns, y: Floats) -> float:
    """Estimate the line width from covered heights and slopes; hidden columns hold less."""
    left, right = columns.x[0], columns.x[-1]
    middle = (left + right) / 2
    slopes = _slopes(np.array([left, middle, right]), y)
    piece = (columns.x > middle).astype(int)
    widths = columns.mass / np.hypot(1, slopes[:, piece])
    # Where one line hides the other, the other's width is too small, never too large.
    return float(np.median(widths.max(axis=0)))


def _edges(x: Floats, lines: Polylines) -> tuple[Floats, Floats]:
    """Return the ordinates of the strokes' middles and half their covered heights, each (2, n)."""
    middles = lines.y @ _hinge(x, lines.x).T
    slopes = _slopes(lines.x, lines.y)[:, (x > lines.x[1]).astype(int)]
    return middles, lines.width / 2 * np.hypot(1, slopes)


def _model(x: Floats, lines: Polylines, upper: int) -> tuple[Floats, Floats]:
    """Return covered height and moment per column that two strokes would give, each (2, n)."""
    at = (x[:, None] + _WITHIN_COLUMN).ravel()
    middles, halves = _edges(at, lines)
    top, bottom = middles - halves, middles + halves
    lower = 1 - upper
    mass, moment = np.empty_like(top), np.empty_like(top)
    mass[upper] = 2 * halves[upper]
    moment[upper] = mass[upper] * middles[upper]
    # What the upper stroke leaves of the lower one: a part above it and a part below it.
    above = np.minimum(bottom[lower], np.maximum(top[upper], top[lower]))
    below = np.maximum(top[lower], np.minimum(bottom[upper], bottom[lower]))
    mass[lower] = (above - top[lower]) + (bottom[lower] - below)
    moment[lower] = (above**2 - top[lower] ** 2 + bottom[lower] ** 2 - below**2) / 2
    shape = (2, len(x), len(_WITHIN_COLUMN))
    return mass.reshape(shape).mean(axis=2), moment.reshape(shape).mean(axis=2)


def _upper_line(columns: _Columns, lines: Polylines) -> int:
    """Return which line lies on top: the one whose columns miss less of what they should hold."""
    _, halves = _edges(columns.x, lines)
    missing = np.maximum(2 * halves - columns.mass, 0).sum(axis=1)
    return int(np.argmin(missing))


def _refine(columns: _Columns, start: Polylines, upper: int) -> Polylines:
    """Fit vertices and width to the mass and the moment of all columns."""
    reference = start.y @ _hinge(columns.x, start.x).T
    moment_seen = columns.moment - reference * columns.mass
    span = start.x[2] - start.x[0]

    def lines_of(parameters: Floats) -> Polylines:
        x = start.x + np.array([0.0, parameters[7], 0.0])
        return Polylines(x, parameters[:6].reshape(2, 3), parameters[6])

    def residuals(parameters: Floats) -> Floats:
        lines = lines_of(parameters)
        mass, moment = _model(columns.x, lines, upper)
        moment = moment - reference * mass
        deviations = np.concatenate(
            [(mass - columns.mass).ravel(), (moment - moment_seen).ravel() / start.width]
        )
        # Where both lines are straight nothing else holds the middle vertex in its place.
        return np.append(deviations, 100 * parameters[7] / span)

    # Here, because scipy.optimize takes a third of a second to import and only lines are fitted.
    from scipy.optimize import least_squares

    first = np.concatenate([start.y.ravel(), [start.width, 0.0]])
    result = least_squares(residuals, first, method="trf", loss="soft_l1", f_scale=0.1, max_nfev=40)
    return lines_of(result.x)


def _to_true_ends(columns: _Columns, fitted: Polylines) -> Polylines:
    """Move the outer vertices to half a line width inside the ends of the ink."""
    slopes = _slopes(fitted.x, fitted.y)
    # An end that lies under the other line's end seems to come too early.
    left = min(_end(columns, line, fitted.width, slopes[line, 0], 1) for line in range(2))
    right = max(_end(columns, line, fitted.width, slopes[line, 1], -1) for line in range(2))
    x = np.array([left, fitted.x[1], right])
    middle = fitted.y[:, 1]
    outer = [middle + slopes[:, piece] * (x[2 * piece] - x[1]) for piece in range(2)]
    return Polylines(x, np.stack([outer[0], middle, outer[1]], axis=1), fitted.width)


def _end(columns: _Columns, line: int, width: float, slope: float, inwards: int) -> float:
    """Return the abscissa of a line's outer vertex; inwards is 1 at the left, -1 at the right."""
    x, mass = columns.x[::inwards], columns.mass[line][::inwards]
    stretch = np.hypot(1, slope)
    half = width / 2 * stretch
    index = int(np.argmax(mass > half))
    before = mass[index - 1] if index else 0.0
    begins = x[index] - inwards * (mass[index] - half) / (mass[index] - before)
    return float(begins + inwards * width / 2 / stretch)
