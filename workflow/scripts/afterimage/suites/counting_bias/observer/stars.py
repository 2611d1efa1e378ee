"""Stars, found as pieces of one colour that cover a third of their box."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, once, widened

#: A colour of fewer flat pixels is an edge's.
_LEAST_PIXELS = 40
#: A five-pointed star of inner radius 0.382 covers 0.326 of its box.
_STAR = (0.26, 0.44)
#: Width over height of an upright star is 1.05.
_PROPORTION = (0.85, 1.3)
_LEAST_SIDE_PX = 8
#: Stars of one size differ by less than this share of their area.
_ALIKE = 0.1
#: From this coverage on a pixel is within a star's box; tips are thin.
_COVERED = 0.15
#: Beyond its wholly covered pixels a star reaches less far; neighbours are twice as far away.
_EDGE_PX = 3
#: Wholly covered pixels that a small star has at least.
_LEAST_WHOLE = 4


@once
def count_stars(image: Image) -> int:
    """Count the stars of one colour; one of another size may be among them, as China's.

    Raises:
        AfterimageError: There are none, they have several colours, or more than two sizes.
    """
    # One number for each pixel: comparing and sorting rows of three takes ten times as long.
    codes = image.astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    flat = _flat_colours(codes)
    palette = np.stack([flat >> 16, flat >> 8 & 255, flat & 255], axis=-1).astype(np.uint8)
    found = {
        code: areas
        for number, code in enumerate(flat)
        if (areas := _areas(image, codes == code, palette, number))
    }
    if len(found) != 1:
        raise AfterimageError(
            f"looked for stars of one colour and found stars of {len(found)} colours."
        )
    (areas,) = found.values()
    typical = float(np.median(areas))
    other = [area for area in areas if abs(area - typical) > _ALIKE * typical]
    if len(other) > 1:
        raise AfterimageError(
            f"looked for stars of one size, perhaps one of another, and found {len(other)} of other sizes."
        )
    return len(areas)


def _flat_colours(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the colours of flat areas: of pixels whose right and lower neighbours are alike."""
    corner = codes[:-1, :-1]
    flat = (corner == codes[1:, :-1]) & (corner == codes[:-1, 1:]) & (corner == codes[1:, 1:])
    found, numbers = np.unique(corner[flat], return_counts=True)
    return found[numbers >= _LEAST_PIXELS]


def _areas(image: Image, exact: Mask, palette: NDArray[np.uint8], number: int) -> list[float]:
    """Return the areas, px, of the star-like pieces of one colour of the palette."""
    # Tips of small stars are never covered whole, but a star's pieces all touch.
    labels, _ = ndimage.label(exact, np.ones((3, 3)))
    areas = []
    for place, box in enumerate(ndimage.find_objects(labels), start=1):
        if max(part.stop - part.start for part in box) > min(image.shape[:2]) / 2:
            continue
        window = widened(box, _EDGE_PX)
        own = labels[window] == place
        if own.sum() < _LEAST_WHOLE:
            continue
        coverage = _coverage(image[window], own, palette, number)
        covered = coverage >= _COVERED
        rows, columns = (np.flatnonzero(covered.any(axis=axis)) for axis in (1, 0))
        height, width = rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1
        share = coverage.sum() / (height * width)
        if (
            min(height, width) >= _LEAST_SIDE_PX
            and _STAR[0] <= share <= _STAR[1]
            and _PROPORTION[0] <= width / height <= _PROPORTION[1]
        ):
            areas.append(float(coverage.sum()))
    return areas


def _coverage(part: Image, own: Mask, palette: NDArray[np.uint8], number: int) -> Floats:
    """Return how much of each pixel a piece covers: its colour's share of the mixture that fits best with one other."""
    near = ndimage.binary_dilation(own, np.ones((3, 3)), iterations=_EDGE_PX)
    colour = palette[number].astype(float)
    best = np.full(part.shape[:2], np.inf)
    coverage = np.zeros(part.shape[:2])
    for other in np.delete(palette, number, axis=0).astype(float):
        towards = colour - other
        share = np.clip((part - other) @ towards / (towards @ towards), 0, 1)
        residual = np.linalg.norm(part - (other + share[..., None] * towards), axis=2)
        better = residual < best - 1e-6
        best[better], coverage[better] = residual[better], share[better]
    return np.where(own, 1.0, coverage * near)
