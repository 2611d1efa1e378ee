"""What is known about one image, and COCO's annotations and captions as such records."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError
from afterimage.files.row_ids import id_text, name_text, read_coco
from afterimage.suites.pope.files import read_objects

# What is known about one image: its objects, by annotation and by caption, and its captions.
#
# A dataset is read and the objects in its captions are found once; images and questions are both made from the file
# of JSON lines that the suite keeps of it.


class Mention(NamedTuple):
    """An object in a caption.

    Attributes:
        surface: The words as they stand in the caption.
        start: Where they begin.
        end: Where they end.
        lemma: The name that they were looked up as.
        category: The category that this name stands for.
        attributes: What is said of it, values of ``english.yaml``, in the caption's order.
        backend: Which extraction found it.
    """

    surface: str
    start: int
    end: int
    lemma: str
    category: str
    attributes: tuple[str, ...]
    backend: str

    @classmethod
    def from_json(cls, values: Json) -> "Mention":
        return cls(**{**values, "attributes": tuple(values["attributes"])})


@dataclass(frozen=True)
class Instance:
    """One annotated object.

    Attributes:
        attributes: What it is known to be, by dimension ("colour": "red"); empty if nothing is known.
        bbox: Left, top, width and height in px; empty if unknown.
    """

    category: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    bbox: tuple[float, ...] = ()


class OfficialQuestion(NamedTuple):
    """One question of an official file about the image.

    Attributes:
        strategy: random, popular or adversarial.
        question_id: As in the file.
        text: As in the file, typing errors included.
        label: "yes" or "no".
    """

    strategy: str
    question_id: str
    text: str
    label: str


@dataclass(frozen=True)
class ImageRecord:
    """One image of a dataset.

    Attributes:
        image_id: Its id within the dataset.
        file_name: Its file, relative to the folder of images.
        entries: The ground truth's list of objects, in its order; a name may stand in it twice.
        instances: The annotated objects; empty if there are no annotations.
        captions: Pairs of caption id and text.
        mentions: Pairs of caption id and what it mentions.
        extraction: The extraction that found these, with its version; empty without captions.
        questions: What an official file asks about it.
    """

    image_id: str
    file_name: str
    entries: tuple[str, ...] = ()
    instances: tuple[Instance, ...] = ()
    captions: tuple[tuple[str, str], ...] = ()
    mentions: tuple[tuple[str, Mention], ...] = ()
    extraction: str = ""
    questions: tuple[OfficialQuestion, ...] = ()

    @property
    def objects(self) -> tuple[str, ...]:
        """The objects of the ground truth, each once, in its order."""
        return tuple(dict.fromkeys(self.entries))

    @property
    def annotated(self) -> tuple[str, ...]:
        """The annotated categories, in the order of their first instance."""
        return tuple(dict.fromkeys(instance.category for instance in self.instances))

    @property
    def mentioned(self) -> tuple[str, ...]:
        """The categories that the captions mention, in their order."""
        return tuple(dict.fromkeys(mention.category for _, mention in self.mentions))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values, without the questions: these stay in their file."""
        values = {name: value for name, value in vars(self).items() if name != "questions"}
        mentions = [(caption, mention._asdict()) for caption, mention in self.mentions]
        return {**values, "instances": list(map(vars, self.instances)), "mentions": mentions}

    @classmethod
    def from_json(cls, values: Json) -> "ImageRecord":
        return cls(
            image_id=values["image_id"],
            file_name=values["file_name"],
            entries=tuple(values["entries"]),
            instances=tuple(
                Instance(instance["category"], instance["attributes"], tuple(instance["bbox"]))
                for instance in values["instances"]
            ),
            captions=tuple((caption, text) for caption, text in values["captions"]),
            mentions=tuple(
                (caption, Mention.from_json(mention)) for caption, mention in values["mentions"]
            ),
            extraction=values["extraction"],
        )


def record_lines(records: Mapping[str, Sequence[ImageRecord]]) -> str:
    """Return the images of each figure, in order, one per line."""
    return "".join(
        f"{json.dumps({'figure': figure, **record.as_json()}, ensure_ascii=False)}\n"
        for figure, of_figure in records.items()
        for record in of_figure
    )


def read_image_records(path: str) -> dict[str, list[ImageRecord]]:
    """Return figure to its images, in order.

    Raises:
        AfterimageError: The file is missing or not valid.
    """
    by_figure: dict[str, list[ImageRecord]] = {}
    for _, line in read_objects(path, "the images that are asked about"):
        by_figure.setdefault(line["figure"], []).append(ImageRecord.from_json(line))
    return by_figure


# COCO's instance annotations and captions, as far as POPE needs them, and which objects count as being in an image.

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
    read = read_coco(path, _INSTANCES, _LISTS)
    instances: dict[str, list[Instance]] = {image: [] for image in read.images}
    for image, category, entry in read.annotations:
        attributes = dict(entry.get("attributes", {}))
        instances[image].append(Instance(str(category), attributes, tuple(entry.get("bbox", ()))))
    return Instances(
        read.categories,
        {
            image: ImageRecord(image, _file_name(entry), instances=tuple(instances[image]))
            for image, entry in read.images.items()
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
    read = read_coco(path, _CAPTIONS, _CAPTION_LISTS, "caption")
    captions: dict[str, list[tuple[str, str]]] = {image: [] for image in read.images}
    for image, _, entry in read.annotations:
        captions[image].append((str(id_text(entry["id"])), _text(entry, "caption", path)))
    images = {image: _file_name(entry) for image, entry in read.images.items()}
    return images, {image: tuple(of_image) for image, of_image in captions.items()}


def _file_name(entry: Json) -> str:
    return str(name_text(entry["file_name"]))


def _text(row: Json, key: str, path: str | Path) -> str:
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
        ground_truth: "instances", "captions" or "union"; None for all that is given.
        extraction: Name and version of ``extract``.

    Returns:
        The images in the files' order; ``entries`` are the annotated objects, then those that are mentioned only.
    """
    records: dict[str, ImageRecord] = {}
    if instances is not None:
        records |= read_instances(instances).images
    if captions is not None:
        images, texts = read_captions(captions)
        _require_same_images(records, images, instances, captions)
        for image_id, file_name in images.items():
            record = records.get(image_id, ImageRecord(image_id, file_name))
            mentions = [
                (caption_id, mention)
                for caption_id, text in texts[image_id]
                for mention in extract(text)
            ]
            records[image_id] = replace(
                record,
                captions=texts[image_id],
                mentions=tuple(mentions),
                extraction=extraction,
            )
    return [replace(record, entries=_entries(record, ground_truth)) for record in records.values()]


def _require_same_images(
    annotated: Mapping[str, ImageRecord],
    captioned: Mapping[str, str],
    instances: str | None,
    captions: str,
) -> None:
    """Check that an id means the same image in both files: what is annotated is what is described."""
    ids = {record.file_name: image for image, record in annotated.items()}
    for image, name in captioned.items():
        record = annotated.get(image)
        if record is not None and record.file_name != name:
            raise AfterimageError(
                f"{captions}: image id {image} is {name!r}, and {record.file_name!r} in {instances}; expected one "
                "image for an id in both files."
            )
        if ids.get(name, image) != image:
            raise AfterimageError(
                f"{captions}: image {name!r} has the id {image}, and {ids[name]} in {instances}; expected one id for "
                "an image in both files."
            )


def _entries(record: ImageRecord, ground_truth: str | None) -> tuple[str, ...]:
    if ground_truth == "instances":
        return record.annotated
    if ground_truth == "captions":
        return record.mentioned
    return tuple(dict.fromkeys((*record.annotated, *record.mentioned)))
