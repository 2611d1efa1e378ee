"""What each drawn stimulus must measure: what its questions take for true, found in its pixels alone.

A fact that the observer does not find is a wrong drawing or a wrong key; either stops the workflow before anybody is
asked about the image. Of a user's images only the size can be told; what is on them stands in their annotations.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.illusionbench.names import CATEGORIES, drawing_module
from afterimage.suites.illusionbench.observer import measure
from afterimage.suites.illusionbench.observer.seen import Seen
from afterimage.suites.illusionbench.spec import joined, parted

#: What the two sizes or shades of an image may differ by, percent: equal by construction; really different by 15 to 25
#: percent, up to half a percent that rounding to whole pixels and the measuring take; scenes plainly different.
_DIFFERENCE = {"classical": (0.0, 0.5), "trap": (14.5, 25.5), "no_illusion": (15.0, 60.0)}
#: Of a colour plate: the colour difference of its two kinds of dots, and that neither brightness nor size parts them.
_PLATE = {
    "colour_difference_ciede2000": (14.0, 45.0),
    "lighter_share": (0.4, 0.6),
    "larger_share": (0.4, 0.6),
}


class _Found(NamedTuple):
    feature: str
    value: str
    limit: str
    holds: bool


def require_figure(figure: str) -> None:
    """Check that a figure is one of the suite's.

    Raises:
        AfterimageError: It is not; the nearest name is suggested.
    """
    drawing_module(figure)


def measure_value(figure: str, image: np.ndarray) -> str:
    """Tell what an image of the drawn set shows, as ``name=value`` joined by ``;``.

    Args:
        figure: Name of a figure; only checked, since the observer finds out by itself.
        image: uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The figure is unknown, or the image is none that the suite draws.
    """
    require_figure(figure)
    return joined(measure(image).facts)


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Measure a stimulus and compare it with what its questions take for true.

    Args:
        figure: Name of the figure.
        stimulus_id: Id of the stimulus, for the rows.
        factors: ``category``, and of a drawn stimulus ``facts``.
        pixels: uint8 RGB, shape (height, width, 3).

    Returns:
        Rows with ``stimulus_id``, ``figure``, ``category``, ``feature``, ``value`` (empty where nothing could be
        measured), ``limit``, ``holds`` and ``remark`` (empty where it holds).

    Raises:
        AfterimageError: The figure is unknown.
    """
    require_figure(figure)
    if figure in CATEGORIES:
        height, width, _ = pixels.shape
        found = [_Found("size_px", f"{width}x{height}", "none: not drawn here", True)]
    else:
        found = list(_measured(factors, pixels))
    return [
        {
            "stimulus_id": stimulus_id,
            "figure": figure,
            "category": factors["category"],
            "feature": row.feature,
            "value": row.value,
            "limit": row.limit,
            "holds": row.holds,
            "remark": "" if row.holds else f"found {row.value or 'nothing that can be measured'}",
        }
        for row in found
    ]


def require_native(rows: Iterable[Mapping]) -> None:
    """Check that every stimulus shows what its questions take for true.

    Args:
        rows: Rows of :func:`measure_stimulus`.

    Raises:
        AfterimageError: One does not; names the image, what was found and what was expected.
    """
    violations = [row for row in rows if not row["holds"]]
    if violations:
        first = violations[0]
        others = f" ({len(violations) - 1} more measurements fail)" if violations[1:] else ""
        raise AfterimageError(
            f"{first['stimulus_id']}.png: {first['feature']}: {first['remark']}; expected {first['limit']}{others}."
        )


def _measured(factors: Mapping[str, str], pixels: np.ndarray) -> Iterator[_Found]:
    expected = parted(factors["facts"])
    try:
        seen = measure(pixels)
    except AfterimageError:
        yield _Found("shows", "", joined(expected), False)
        return
    # Some facts are not to be seen: what else a question offers, how it is worded.
    wanted = {name: value for name, value in expected.items() if name in seen.facts}
    found = {name: seen.facts[name] for name in wanted}
    yield _Found("shows", joined(found), joined(wanted), found == wanted)
    yield from _within(factors["category"], seen)


def _within(category: str, seen: Seen) -> Iterator[_Found]:
    if seen.difference_percent is not None:
        yield _limited("difference_percent", seen.difference_percent, _DIFFERENCE[category])
    for name, limits in _PLATE.items():
        if name in seen.numbers:
            yield _limited(name, seen.numbers[name], limits)


def _limited(name: str, value: float, limits: tuple[float, float]) -> _Found:
    low, high = limits
    return _Found(name, f"{value:.4f}", f"{low:g} to {high:g}", low <= value <= high)
