"""What is known about one image: its objects, by annotation and by caption, and its captions.

A dataset is read and the objects in its captions are found once; images and questions are both made from the file of
JSON lines that the suite keeps of it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from afterimage.suites.pope.readers.json_files import read_objects


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
    def from_json(cls, values: dict) -> "Mention":
        """Build it from what stands in the file."""
        return cls(**{**values, "attributes": tuple(values["attributes"])})


@dataclass(frozen=True)
class Instance:
    """One annotated object.

    Attributes:
        category: Its name.
        attributes: What it is known to be, by dimension ("colour": "red"); empty where nothing is known.
        bbox: Left, top, width and height in px; empty where unknown.
    """

    category: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    bbox: tuple[float, ...] = ()


class Asked(NamedTuple):
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
        instances: The annotated objects; empty where there are no annotations.
        captions: Pairs of caption id and text.
        mentions: Pairs of caption id and what it mentions.
        extraction: Which way these were found, with its version; empty without captions.
        questions: What an official file asks about it.
    """

    image_id: str
    file_name: str
    entries: tuple[str, ...] = ()
    instances: tuple[Instance, ...] = ()
    captions: tuple[tuple[str, str], ...] = ()
    mentions: tuple[tuple[str, Mention], ...] = ()
    extraction: str = ""
    questions: tuple[Asked, ...] = ()

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

    def as_json(self) -> dict:
        """Return it as plain values, without the questions: these stay in their file."""
        told = {name: value for name, value in vars(self).items() if name != "questions"}
        mentions = [(caption, mention._asdict()) for caption, mention in self.mentions]
        return {**told, "instances": list(map(vars, self.instances)), "mentions": mentions}

    @classmethod
    def from_json(cls, values: Mapping) -> "ImageRecord":
        """Build it from what :meth:`as_json` returned."""
        return cls(
            image_id=values["image_id"],
            file_name=values["file_name"],
            entries=tuple(values["entries"]),
            instances=tuple(
                Instance(one["category"], one["attributes"], tuple(one["bbox"]))
                for one in values["instances"]
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
    found: dict[str, list[ImageRecord]] = {}
    for _, line in read_objects(path, "the images that are asked about"):
        found.setdefault(line["figure"], []).append(ImageRecord.from_json(line))
    return found
