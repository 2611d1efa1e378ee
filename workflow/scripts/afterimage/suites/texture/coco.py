"""COCO's instance annotations to ``images.csv`` and ``objects.csv``.

An object is all that an image has of one category, as in the paper, which asks about "the cat". It is kept if any
way of measuring its area exceeds the limit; the suite's ``area_mode`` chooses among them later. Crowd regions
outline a group and no object, so they are left out.
"""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from afterimage.errors import AfterimageError, fault
from afterimage.files.row_ids import Annotation, RowIds, id_text, read_coco, without_folder
from afterimage.suites.texture.columns import Column, Row, Table, read_rows

#: The Japanese name of each category; an empty one leaves the category out.
NAMES = Table(
    "coco_ja.csv",
    (
        Column("category", "a category's name as the annotations have it", str),
        Column("object_ja", "its name in the questions, or nothing", str, blank=True),
    ),
    unique=("category",),
)
#: The lists in the file, and what their entries have.
_LISTS = {
    "images": ("id", "file_name", "width", "height"),
    "categories": ("id", "name"),
    "annotations": ("image_id", "category_id", "segmentation"),
}


@dataclass(frozen=True)
class Tables:
    """Rows of ``images.csv`` and of ``objects.csv``, in the order of the annotations' images."""

    images: list[Row]
    objects: list[Row]


def read_names(path: str | Path) -> dict[str, str | None]:
    """Return the Japanese name of each category; None for one that is to be left out."""
    return {row["category"]: row["object_ja"] for row in read_rows(path, NAMES)}


def tables_from(path: str | Path, names: Mapping[str, str | None], limit: float) -> Tables:
    """Read instance annotations (``instances_*.json``).

    Args:
        names: From :func:`read_names`.
        limit: Share of the image, 0 to 1, that an object has to exceed.

    Raises:
        AfterimageError: The file is no such file, a category has no line among the names, or a mask cannot be read.
    """
    read = read_coco(path, "COCO's instance annotations", _LISTS)
    licences = {id_text(row["id"]): row["name"] for row in read.content.get("licenses", ())}
    object_ids = _object_ids(read.categories, path)
    by_image = _instances(read.annotations, names, path)
    image_ids = RowIds[str]("name without its ending", str, without_folder)
    tables = Tables([], [])
    for coco_id, image in read.images.items():
        where = f"{path}: image {image['file_name']!r}"
        image_id = image_ids.add(PurePosixPath(image["file_name"]).stem, coco_id, where)
        rows = [
            {
                "image_id": image_id,
                "object_id": object_ids[category],
                "object_ja": names[category],
                "category": category,
                "area_fraction": area,
                "area_mode": mode,
            }
            for category, instances in by_image[coco_id].items()
            for mode, area in _areas(instances, image, limit, path).items()
        ]
        if rows:
            tables.objects.extend(rows)
            tables.images.append(
                {
                    "image_id": image_id,
                    "file": image["file_name"],
                    "width": image["width"],
                    "height": image["height"],
                    "source": image.get("coco_url", ""),
                    "licence": licences.get(id_text(image.get("license")), ""),
                }
            )
    return tables


def _object_ids(categories: Sequence[str], path: str | Path) -> dict[str, str]:
    """Return the name of each category as objects are named in files."""
    known = RowIds[str]("category name", str)
    return {
        category: known.add(
            re.sub(r"[ /]", "_", category), category, f"{path}: category {category!r}"
        )
        for category in categories
    }


def _instances(
    annotations: Sequence[Annotation], names: Mapping[str, str | None], path: str | Path
) -> Mapping[str, dict[str, list[object]]]:
    """Return image to category to the segmentation of each instance."""
    by_image: dict[str, dict[str, list[object]]] = defaultdict(dict)
    for image, category, entry in annotations:
        if category not in names:
            raise AfterimageError(
                f"{path}: category '{category}' (id {entry['category_id']}) has no line among the Japanese names; "
                "expected one, with nothing behind the comma if it is to be left out."
            )
        if names[category] is not None and not entry.get("iscrowd"):
            by_image[image].setdefault(category, []).append(entry["segmentation"])
    return by_image


def _areas(
    instances: Sequence[object], image: Mapping[str, Any], limit: float, path: str | Path
) -> dict[str, float]:
    """Return each way of measuring and its share of the image; nothing if none exceeds the limit."""
    height, width = image["height"], image["width"]
    # No mask is larger than its box: most objects are small, and need not be drawn to know that.
    if sum(map(_max_pixels, instances)) <= limit * height * width:
        return {}
    where = f"{path}: image '{image['file_name']}'"
    masks = [_mask(segmentation, (height, width), where) for segmentation in instances]
    areas = area_fractions(masks)
    return areas if max(areas.values()) > limit else {}


def area_fractions(masks: Sequence[np.ndarray]) -> dict[str, float]:
    """Return each way of measuring and the share of the image that an object's instances take up.

    Args:
        masks: One boolean array (height, width) for each instance, at least one, all of one shape.

    Returns:
        ``mask_union`` (all instances together, overlaps once), ``mask_largest`` (the largest one) and ``bbox`` (the
        largest upright box about one instance).
    """
    return {
        "mask_union": float(np.logical_or.reduce(masks).mean()),
        "mask_largest": max(float(mask.mean()) for mask in masks),
        "bbox": max(_box_pixels(mask) / mask.size for mask in masks),
    }


def _box_pixels(mask: np.ndarray) -> int:
    rows, columns = mask.nonzero()
    if not rows.size:
        return 0
    return int((rows.max() - rows.min() + 1) * (columns.max() - columns.min() + 1))


def _max_pixels(segmentation: object) -> float:
    """Return an upper bound of an instance's pixels."""
    if not isinstance(segmentation, list):
        return math.inf
    numbers: list[float] = [number for polygon in segmentation for number in polygon]
    if not numbers:
        return 0
    columns, rows = numbers[::2], numbers[1::2]
    return (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)


def _mask(segmentation: object, shape: tuple[int, int], where: str) -> np.ndarray:
    """Return the pixels (height, width) whose centres lie in an instance."""
    if isinstance(segmentation, list):
        mask = np.zeros(shape, dtype=bool)
        for polygon in segmentation:
            mask |= _enclosed(np.array(polygon, dtype=float).reshape(-1, 2), shape)
        return mask
    counts = segmentation.get("counts") if isinstance(segmentation, Mapping) else None
    if not isinstance(counts, list) or sum(counts) != shape[0] * shape[1]:
        raise fault(
            where,
            "found a mask that is neither polygons nor a list of run lengths as long as the image; expected "
            "one of them.",
        )
    # Runs of pixels outside and inside, by turns, down the columns.
    inside = np.arange(len(counts)) % 2 == 1
    return np.repeat(inside, counts).reshape(shape, order="F")


def _enclosed(corners: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Return the pixels (height, width) whose centres lie in a polygon; corners (n, 2), x and y in px."""
    height, width = shape
    # Along a row, the edges that cross it lead in and out by turns.
    crosses = np.zeros((height, width + 1), dtype=bool)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        first, end = (math.ceil(y - 0.5) for y in sorted((y0, y1)))
        rows = np.arange(max(first, 0), min(end, height))
        if rows.size:
            x = x0 + (rows + 0.5 - y0) * (x1 - x0) / (y1 - y0)
            columns = np.clip(np.ceil(x - 0.5), 0, width).astype(int)
            crosses[rows, columns] ^= True
    inside: np.ndarray = np.bitwise_xor.accumulate(crosses[:, :width], axis=1)
    return inside
