"""Tasks of forms, and what a form is made from."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from afterimage.files.column import column
from afterimage.files.stimulus import read_images

#: One row of ``results/human/tasks/<suite>/<form>.parquet``, in the order of pages and of tasks on a page.
FORM_TASK = pa.schema(
    [
        column("suite", pa.string(), "the suite"),
        column("form", pa.string(), "the form that the page belongs to"),
        column("page", pa.string(), "the page: `01`, `02`, ..."),
        column("order", pa.int32(), "the task's place on the page, from 1"),
        column("page_checksum", pa.string(), "changes when any task of the page does"),
        column("form_id", pa.string(), "the form's opaque id on the page"),
        column("task_id", pa.string(), "the task's opaque id on the page"),
        column("own_id", pa.string(), "the suite's name for the task"),
        column("attention", pa.bool_(), "an attention check, no task of the study"),
        column(
            "task_checksums",
            pa.map_(pa.string(), pa.string()),
            "by language: changes when what is shown in that language does",
        ),
        column("images", pa.list_(pa.binary()), "PNG files as shown"),
        column(
            "content",
            pa.string(),
            "JSON: heading, passages and fields, with opaque and own ids, in the order shown",
        ),
        column(
            "about",
            pa.map_(pa.string(), pa.string()),
            "what the suite wants to find beside the answer",
        ),
    ]
)


class Inputs(NamedTuple):
    """Paths, in the order in which the plan names them; empty where the form does not ask for the kind.

    Attributes:
        stimuli: Stimulus records, schema STIMULUS, images among them, one file per figure.
        items: Items, schema ITEM, one file per shard.
        responses: Responses, schema RESPONSE, one file per model.
        grades: Grades, schema GRADE, one file per model.
        files: What the suite's ``form_files`` lists.
    """

    stimuli: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    responses: tuple[str, ...] = ()
    grades: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def shown_stimuli(inputs: Inputs) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield each stimulus record with its PNG bytes, checked to be the one that was drawn.

    Raises:
        AfterimageError: An image is missing, is another than the recorded one, or holds metadata.
    """
    for path in inputs.stimuli:
        yield from read_images(path)
