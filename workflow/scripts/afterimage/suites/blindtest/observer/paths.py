"""Coloured paths between four stations: which stations each path connects."""

from itertools import combinations

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.observer.segmentation import chromatic_colours, nearest_colours

#: The stations, clockwise from the top.
STATIONS = ("A", "B", "C", "D")

# A mixture at crossings has far fewer pixels than the shortest path beside the longest.
_LEAST_SHARE = 0.03
# The ports of a station stand in one line, and nothing else comes that near to it: share of the
# network's side.
_PORT_SHARE = 0.02
# Crossing paths are traced at this side at most; strokes keep more than a pixel.
_TRACED_PX = 512


def measure_paths(image: np.ndarray) -> str:
    """Count the single-coloured paths between each two of four stations.

    The stations stand at the top (A), right (B), bottom (C) and left (D) of the network. A path is all
    ink of one colour; other paths may cross over it.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Returns:
        ``AB=0;AC=1;AD=0;BC=0;BD=1;CD=0``.

    Raises:
        AfterimageError: There are no coloured paths, or a colour is not one path with two ends.
    """
    connections = trace_paths(image)
    pairs = ("".join(pair) for pair in combinations(STATIONS, 2))
    return ";".join(f"{pair}={connections.count(pair)}" for pair in pairs)


def trace_paths(image: np.ndarray) -> list[str]:
    """Return the two stations of each path, in alphabetical order, e.g. ``["AC", "BD"]``.

    Arguments and errors as :func:`measure_paths`.
    """
    found = chromatic_colours(image, _LEAST_SHARE)
    if not found:
        raise AfterimageError("looked for coloured paths and found no colour.")
    owners = nearest_colours(image, np.stack([colour.lacking for colour in found]))
    inked = owners >= 0
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    owners = owners[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return [_ends(owners == index, found[index].lacking) for index in range(len(found))]


def _ends(path: np.ndarray, lacking: np.ndarray) -> str:
    """Return the stations at which a path ends, once it is known to be one path."""
    margin = max(round(_PORT_SHARE * max(path.shape)), 1)
    sides = {
        "A": path[:margin].any(axis=0),
        "B": path[:, -margin:].any(axis=1),
        "C": path[-margin:].any(axis=0),
        "D": path[:, :margin].any(axis=1),
    }
    ends, widths = [], []
    for station, profile in sides.items():
        labels, count = ndimage.label(profile)
        ends += [station] * count
        widths += list(np.bincount(labels)[1:])
    name = "rgb({}, {}, {})".format(*(255 - np.rint(lacking).astype(int)))
    if len(ends) != 2 or ends[0] == ends[1]:
        where = " and ".join(ends) or "none"
        raise AfterimageError(
            f"looked for a path between two stations in each colour and found {name} with ends at "
            f"stations: {where}."
        )
    if not _is_one_piece(path, max(widths)):
        raise AfterimageError(
            f"looked for one path in each colour and found {name} in pieces that no crossing explains."
        )
    return "".join(ends)


def _is_one_piece(path: np.ndarray, line_width: int) -> bool:
    """Tell whether a path hangs together across the paths that cross over it."""
    step = -(-max(path.shape) // _TRACED_PX)
    coarse = path[::step, ::step].astype(np.uint8)
    # Grown by a line width on either side, the ends of a path under a crossing one meet.
    grown = ndimage.maximum_filter(coarse, 2 * -(-line_width // step) + 1)
    labels, count = ndimage.label(grown)
    if count == 1:
        return True
    # Where two other paths cross, their mixture can be of this path's hue: specks, not pieces.
    areas = np.bincount(labels.ravel(), coarse.ravel())[1:] * step**2
    return np.count_nonzero(areas >= line_width**2) == 1
