"""COCO's annotations: images, categories and what is annotated, joined by their ids. Standard library only."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.json_files import read_lists
from afterimage.files.row_ids import RowIds, name_text, without_folder

logger = logging.getLogger(__name__)

_IMAGES, _CATEGORIES, _ANNOTATIONS = "images", "categories", "annotations"


class Annotation(NamedTuple):
    """One annotation: the id of its image, the name of its category (None in captions), and its entry."""

    image: str
    category: str | None
    entry: Mapping[str, Any]


class Coco(NamedTuple):
    """A file of annotations.

    Attributes:
        content: The file as it stands.
        images: Image id, as text, to its entry, in the file's order.
        categories: The names of all categories, each once, in the file's order; none in captions.
        annotations: In the file's order.
    """

    content: Mapping[str, Any]
    images: Mapping[str, Mapping[str, Any]]
    categories: tuple[str, ...]
    annotations: tuple[Annotation, ...]


def read_coco(
    path: str | Path, expected: str, lists: Mapping[str, Sequence[str]], noun: str = "annotation"
) -> Coco:
    """Read a file of annotations and join its lists.

    Ids may be numbers or texts of digits, here one and there the other. An entry that repeats another in full counts
    once, with a warning.

    Args:
        path: The file, packed or not.
        expected: What it should be, for errors.
        lists: Its lists, and the keys of their entries; ``categories`` may be left out.
        noun: What its annotations are called in errors.

    Raises:
        AfterimageError: The file is missing, lacks a key, two entries have one id, two images one file name, or an
            annotation belongs to no image or category.
    """
    content = read_lists(path, expected, lists)
    images, annotations = _images(content, path), RowIds[Mapping[str, Any]](f"{noun} id")
    categories = _categories(content, path) if _CATEGORIES in lists else None
    joined = []
    for place, entry in _placed(content, _ANNOTATIONS, path):
        if _repeats(annotations, entry, place):
            continue
        image = images.find(entry["image_id"], place)
        category = None if categories is None else categories.find(entry["category_id"], place)
        if image is None or (category is None and categories is not None):
            key = "image" if image is None else "category"
            raise AfterimageError(
                f"{path}: {noun} {entry.get('id')} belongs to {key} {entry[f'{key}_id']}, which the file does not "
                f"hold; expected {expected}."
            )
        name = None if categories is None or category is None else categories[category]
        joined.append(Annotation(image, name, entry))
    names = () if categories is None else tuple(dict.fromkeys(categories.values()))
    repeated = images.repeated + annotations.repeated
    if repeated:
        logger.warning("%s: %d entries repeat another in full; each counts once", path, repeated)
    return Coco(content, images, names, tuple(joined))


def _images(content: Mapping[str, Any], path: str | Path) -> RowIds[Mapping[str, Any]]:
    images = RowIds[Mapping[str, Any]]("image id")
    files = RowIds[str]("file name", name_text, without_folder)
    for place, entry in _placed(content, _IMAGES, path):
        files.add(entry["file_name"], images.add(entry["id"], entry, place), place)
    return images


def _repeats(known: RowIds[Mapping[str, Any]], entry: Mapping[str, Any], place: str) -> bool:
    """Note an annotation, and tell whether it repeats another; without an id none does."""
    before = known.repeated
    if entry.get("id") is not None:
        known.add(entry["id"], entry, place)
    return known.repeated > before


def _categories(content: Mapping[str, Any], path: str | Path) -> RowIds[str]:
    """Return the names of categories by id; several may have one name, which is then one category."""
    found, names = RowIds[str]("category id"), RowIds[None]("category name", name_text)
    for place, entry in _placed(content, _CATEGORIES, path):
        found.add(entry["id"], names.add(entry["name"], None, place), place)
    return found


def _placed(
    content: Mapping[str, Any], name: str, path: str | Path
) -> list[tuple[str, Mapping[str, Any]]]:
    return [
        (f"{path}: {name}, entry {number}", entry)
        for number, entry in enumerate(content.get(name) or ())
    ]
