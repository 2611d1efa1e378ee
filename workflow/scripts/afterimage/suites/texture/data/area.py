"""How much of an image an object takes up, and which objects take up enough.

"15% 以下 ... 除去" (paper, section 2): a share of exactly the limit is dropped. Whether it is the share of the mask or
of the box, and what several instances count together, the paper does not say.
"""

from collections.abc import Iterable

from afterimage.errors import AfterimageError, unknown_name
from afterimage.suites.texture.data.columns import AREA_MODES
from afterimage.suites.texture.data.reading import Row


def area_fraction(masks: Iterable, mode: str) -> float:
    """Return the share of an image that an object's instances take up.

    Args:
        masks: One boolean array (height, width) for each instance, all of one shape.
        mode: ``mask_union`` (all instances together, overlaps once), ``mask_largest`` (the largest one) or
            ``bbox`` (the largest upright box about one instance).

    Raises:
        AfterimageError: The mode is unknown, or there is no instance.
    """
    if mode not in AREA_MODES:
        raise unknown_name("area mode", mode, AREA_MODES)
    masks = list(masks)
    if not masks:
        raise AfterimageError("area: found no instance of the object; expected at least one mask.")
    if mode == "mask_union":
        union = masks[0]
        for mask in masks[1:]:
            union = union | mask
        return float(union.mean())
    if mode == "mask_largest":
        return max(float(mask.mean()) for mask in masks)
    return max(_box_pixels(mask) / mask.size for mask in masks)


def large_enough(objects: Iterable[Row], limit: float, mode: str, path: str) -> list[Row]:
    """Return the objects above the limit, one row for each, in the order of their first rows.

    Args:
        objects: Rows of objects.csv, one for each object and way of measuring its area.
        limit: Share of the image, 0 to 1; what is exactly as large is dropped.
        mode: Which way of measuring counts.
        path: The file, for errors.

    Raises:
        AfterimageError: An object has no row with this way of measuring.
    """
    measured: dict[tuple, Row | None] = {}
    for row in objects:
        key = row["image_id"], row["object_id"]
        measured.setdefault(key, None)
        if row["area_mode"] == mode:
            measured[key] = row
    for (image, name), row in measured.items():
        if row is None:
            raise AfterimageError(
                f"{path}: object '{name}' of image '{image}' has no row with area_mode {mode}; "
                "expected one, or another 'area_mode' in suites.texture."
            )
    return [row for row in measured.values() if row is not None and row["area_fraction"] > limit]


def _box_pixels(mask) -> int:
    rows, columns = mask.any(axis=1), mask.any(axis=0)
    if not rows.any():
        return 0
    (top, bottom), (left, right) = (
        (side.argmax(), side[::-1].argmax()) for side in (rows, columns)
    )
    return int((mask.shape[0] - top - bottom) * (mask.shape[1] - left - right))
