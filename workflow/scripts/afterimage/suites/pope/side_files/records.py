"""The images that are drawn out of COCO or out of a list of segmented objects, with all that is known of each."""

from collections.abc import Sequence

from afterimage.contract.stimulus import Json
from afterimage.files.whole import write_text
from afterimage.suites.pope.extraction.backends import configured
from afterimage.suites.pope.ground_truth import coco_records
from afterimage.suites.pope.names import COCO
from afterimage.suites.pope.readers.records import record_lines
from afterimage.suites.pope.readers.segmentation import read_segmentation
from afterimage.suites.pope.sampling import chosen_images


def write(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Read the dataset, draw the images and write down what is known of them.

    Args:
        spec: ``figure``, which is the source; its files (``instances`` and ``captions``, or ``segmentation``);
            ``images``, ``min_objects``, ``seed`` and ``dataset``; for COCO ``ground_truth`` and what
            ``backends.configured`` takes.
        inputs: The dataset's files once more.
        outputs: The path of the records.

    Raises:
        AfterimageError: A file is missing or not as expected, or there are not enough images.
    """
    if spec["figure"] == COCO:
        records = coco_records(
            spec["instances"], spec["captions"], spec["ground_truth"], *configured(spec)
        )
    else:
        records = read_segmentation(spec["segmentation"])
    chosen = chosen_images(
        records, spec["images"], spec["min_objects"], spec["seed"], spec["dataset"]
    )
    write_text(outputs[0], record_lines({spec["figure"]: chosen}))
