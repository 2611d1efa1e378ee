"""What each drawn image must show: its material and its object's share of the image, found in the pixels alone."""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.errors import AfterimageError
from afterimage.seeing.surfaces import measure_properties
from afterimage.suites.texture.observer import name_material

#: Hairs stand out over the outline by at most this share of the image.
_HAIRS = 0.1
_HALF_A_PIXEL = 0.5e-5


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Name the material that a drawn object is made of.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``material`` and ``area_fraction``, which have to be found; without any, nothing has to.

    Raises:
        AfterimageError: The image shows no object of one of the drawn materials, and nothing has to be found.
    """
    area = value = ""
    expected = factors.get("material", "")
    try:
        found = measure_properties(pixels)
        value = name_material(found)
        area = f"{found.area_fraction:.6f}"
    except AfterimageError as error:
        if not factors:
            raise
        short = remark = str(error)
    else:
        short, expected = _difference(value, found.area_fraction, factors)
        remark = short and f"{short}, expected {expected}"
    columns = {
        "width_px": pixels.shape[1],
        "height_px": pixels.shape[0],
        "value": value,
        "expected": factors.get("material", ""),
        "area_fraction": area,
        "expected_area_fraction": factors.get("area_fraction", ""),
        "holds": not remark,
        "remark": remark,
    }
    return Measured(value, expected, not remark, short, columns)


def _difference(value: str, area: float, factors: Mapping[str, str]) -> tuple[str, str]:
    """Return what was found where it differs, and what was expected."""
    if not factors:
        return "", ""
    material, expected = factors["material"], float(factors["area_fraction"])
    if value != material:
        return f"found the material {value}", material
    most = expected + (_HAIRS if material == "fluffy" else _HALF_A_PIXEL)
    if not expected - _HALF_A_PIXEL <= area <= most:
        return f"the object takes up {area:.6f} of the image", f"{expected:.6f}"
    return "", material
