"""COCO's instance annotations and captions, as far as POPE needs them, and which objects count as being in an image."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.json_list import read_lists
from afterimage.suites.pope.record import ImageRecord, Instance, Mention

_INSTANCES = "COCO's instance annotations (images, categories, annotations)"
_CAPTIONS = "COCO's captions (images, annotations)"

_LISTS = {
    "images": ("id", "file_name"),
    "categories": ("id", "name"),
    "annotations": ("image_id", "category_id"),
}
_CAPTION_LISTS = {"images": ("id", "file_name"), "annotations": ("id", "image_id", "caption")}

Extract = Callable[[str], list[Mention]]


@dataclass(frozen=True)
class Instances:
    """The content of an ``instances_*.json``.

    Attributes:
        categories: All category names, in the file's order, whether or not they occur.
        images: Image id to the image with its annotated objects, crowds included, in the files' order.
    """

    categories: tuple[str, ...]
    images: Mapping[str, ImageRecord]


def read_instances(path: str | Path) -> Instances:
    """Read instance annotations.

    Category ids need not be contiguous. An annotation may have a further key ``attributes`` (dimension to value),
    as those of the drawn scenes do.

    Raises:
        AfterimageError: The file is missing, lacks a key, or an annotation belongs to no image or category.
    """
    content = read_lists(path, _INSTANCES, _LISTS)
    names = {row["id"]: _text(row, "name", path) for row in content["categories"]}
    images = _images(content, path)
    instances: dict[str, list[Instance]] = {image: [] for image in images}
    for row in content["annotations"]:
        image, category = str(row["image_id"]), row["category_id"]
        if image not in images or category not in names:
            missing = f"image {image}" if image not in images else f"category {category}"
            raise AfterimageError(
                f"{path}: annotation {row.get('id')} belongs to {missing}, which the file does not hold; "
                f"expected {_INSTANCES}."
            )
        instances[image].append(
            Instance(names[category], dict(row.get("attributes", {})), tuple(row.get("bbox", ())))
        )
    return Instances(
        tuple(dict.fromkeys(names.values())),
        {
            image: ImageRecord(image, file_name, instances=tuple(instances[image]))
            for image, file_name in images.items()
        },
    )


def read_captions(
    path: str | Path,
) -> tuple[dict[str, str], dict[str, tuple[tuple[str, str], ...]]]:
    """Read captions.

    Returns:
        Image id to file name, in the file's order; image id to pairs of caption id and text.

    Raises:
        AfterimageError: The file is missing, lacks a key, or a caption belongs to no image.
    """
    content = read_lists(path, _CAPTIONS, _CAPTION_LISTS)
    images = _images(content, path)
    captions: dict[str, list[tuple[str, str]]] = {image: [] for image in images}
    for row in content["annotations"]:
        image = str(row["image_id"])
        if image not in images:
            raise AfterimageError(
                f"{path}: caption {row.get('id')} belongs to image {image}, which the file does not hold; "
                f"expected {_CAPTIONS}."
            )
        captions[image].append((str(row["id"]), _text(row, "caption", path)))
    return images, {image: tuple(of_image) for image, of_image in captions.items()}


def _images(content: Mapping, path: str | Path) -> dict[str, str]:
    return {str(row["id"]): _text(row, "file_name", path) for row in content["images"]}


def _text(row: Mapping, key: str, path: str | Path) -> str:
    value = row[key]
    if not isinstance(value, str) or not value.strip():
        raise AfterimageError(f"{path}: '{key}' is {value!r}; expected a text.")
    return value.strip()


def coco_records(
    instances: str | None,
    captions: str | None,
    ground_truth: str | None,
    extract: Extract,
    extraction: str,
) -> list[ImageRecord]:
    """Read COCO's files and put together what is known of each image.

    Args:
        instances: Path of the instance annotations, or None.
        captions: Path of the captions, or None.
        ground_truth: "instances", "captions" or "union"; None for all that is given.
        extract: Finds the objects in a caption.
        extraction: Its name and version.

    Returns:
        The images in the files' order; ``entries`` are the annotated objects, then those that are mentioned only.
    """
    records: dict[str, ImageRecord] = {}
    if instances is not None:
        records |= read_instances(instances).images
    if captions is not None:
        images, texts = read_captions(captions)
        for image_id, file_name in images.items():
            record = records.get(image_id, ImageRecord(image_id, file_name))
            mentions = [(one, found) for one, text in texts[image_id] for found in extract(text)]
            records[image_id] = replace(
                record,
                captions=texts[image_id],
                mentions=tuple(mentions),
                extraction=extraction,
            )
    return [replace(record, entries=_entries(record, ground_truth)) for record in records.values()]


def _entries(record: ImageRecord, ground_truth: str | None) -> tuple[str, ...]:
    if ground_truth == "instances":
        return record.annotated
    if ground_truth == "captions":
        return record.mentioned
    return tuple(dict.fromkeys((*record.annotated, *record.mentioned)))
