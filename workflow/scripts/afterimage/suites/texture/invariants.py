"""What each stimulus must show: of a drawn object its material and its share of the image, found in the pixels alone.

A photograph has to have the size that images.csv gives; what it shows, only people can say.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.texture.catalogue import require_figure
from afterimage.suites.texture.observer import measure, measure_properties, name_material

__all__ = ["measure_stimulus", "measure_value", "require_figure", "require_native"]

#: Hairs stand out over the outline by at most this share of the image.
_HAIRS = 0.1
_HALF_A_PIXEL = 0.5e-5


def measure_value(figure: str, image: np.ndarray) -> str:
    """Return the name of the material that a drawn object is made of; arguments as in the suite's observer.

    Raises:
        AfterimageError: The figure is unknown, or the image shows no object of one of the drawn materials.
    """
    require_figure(figure)
    return measure(image)


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Measure a stimulus and compare it with what it should show.

    Args:
        figure: Name of the figure.
        stimulus_id: Id of the stimulus, for the row.
        factors: ``material`` and ``area_fraction`` of a drawn image, ``size`` of a photograph.
        pixels: uint8 RGB, shape (height, width, 3).

    Returns:
        One row: ``stimulus_id``, ``figure``, ``width_px``, ``height_px``, ``value`` (the material; empty where
        none was recognised, and of photographs), ``expected``, ``area_fraction``, ``expected_area_fraction``,
        ``holds`` and ``remark`` (empty where it holds).

    Raises:
        AfterimageError: The figure is unknown.
    """
    require_figure(figure)
    height, width = pixels.shape[:2]
    row = {
        "stimulus_id": stimulus_id,
        "figure": figure,
        "width_px": width,
        "height_px": height,
        "value": "",
        "expected": factors.get("material", ""),
        "area_fraction": "",
        "expected_area_fraction": factors.get("area_fraction", ""),
    }
    if "material" not in factors:
        shown = f"{width}x{height}"
        # A photograph that its camera turned has the sides swapped.
        fits = factors["size"] in (shown, f"{height}x{width}")
        remark = "" if fits else f"found {shown} px, expected {factors['size']}"
        return [{**row, "holds": fits, "remark": remark}]
    try:
        found = measure_properties(pixels)
        row |= {
            "area_fraction": f"{found.area_fraction:.6f}",
            "value": name_material(found),
        }
    except AfterimageError as error:
        return [{**row, "holds": False, "remark": str(error)}]
    remark = _difference(row, found.area_fraction, float(factors["area_fraction"]))
    return [{**row, "holds": not remark, "remark": remark}]


def require_native(rows: Iterable[Mapping]) -> None:
    """Check that every stimulus shows what it should.

    Args:
        rows: Rows of :func:`measure_stimulus`.

    Raises:
        AfterimageError: One does not; names the image, what was found and what was expected.
    """
    violations = [row for row in rows if not row["holds"]]
    if violations:
        first = violations[0]
        others = f" ({len(violations) - 1} more images differ)" if violations[1:] else ""
        raise AfterimageError(f"{first['stimulus_id']}.png: {first['remark'].rstrip('.')}{others}.")


def _difference(row: Mapping, found: float, expected: float) -> str:
    if row["value"] != row["expected"]:
        return f"found the material {row['value']}, expected {row['expected']}"
    most = expected + (_HAIRS if row["expected"] == "fluffy" else _HALF_A_PIXEL)
    if not expected - _HALF_A_PIXEL <= found <= most:
        return f"the object takes up {found:.6f} of the image, expected {expected:.6f}"
    return ""
