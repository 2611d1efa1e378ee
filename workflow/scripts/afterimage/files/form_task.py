"""A task of a form: what a page shows, the opaque ids it uses, and what they stand for. Not to be handed out."""

import pyarrow as pa

from afterimage.files.column import column

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
