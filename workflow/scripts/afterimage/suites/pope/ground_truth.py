"""Which objects count as being in an image: annotated ones, mentioned ones, or both."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from afterimage.suites.pope.extraction.mention import Mention
from afterimage.suites.pope.readers.coco import read_captions, read_instances
from afterimage.suites.pope.record import ImageRecord

Extract = Callable[[str], list[Mention]]


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
        for image in read_instances(instances).images.values():
            records[image.image_id] = ImageRecord(
                image.image_id, image.file_name, instances=image.instances
            )
    if captions is not None:
        images, texts = read_captions(captions)
        for image_id, file_name in images.items():
            record = records.get(image_id, ImageRecord(image_id, file_name))
            read = _with_captions(record, texts[image_id], extract)
            records[image_id] = replace(read, extraction=extraction)
    return [replace(record, entries=_entries(record, ground_truth)) for record in records.values()]


def _with_captions(
    record: ImageRecord, captions: Sequence[tuple[str, str]], extract: Extract
) -> ImageRecord:
    mentions = tuple(
        (caption_id, mention) for caption_id, text in captions for mention in extract(text)
    )
    return replace(record, captions=tuple(captions), mentions=mentions)


def _entries(record: ImageRecord, ground_truth: str | None) -> tuple[str, ...]:
    if ground_truth == "instances":
        return record.annotated
    if ground_truth == "captions":
        return record.mentioned
    return tuple(dict.fromkeys((*record.annotated, *record.mentioned)))
