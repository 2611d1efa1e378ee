"""A task of a form: what a page shows, the opaque ids it uses, and what they stand for. Not to be handed out."""

import pyarrow as pa

#: One row of ``results/human/tasks/<suite>/<form>.parquet``, in the order of pages and of tasks on a page.
FORM_TASK = pa.schema(
    [
        pa.field("suite", pa.string(), nullable=False),
        pa.field("form", pa.string(), nullable=False),
        # "01", "02", ...; a task's place on its page, from 1; changes when any task of the page does.
        pa.field("page", pa.string(), nullable=False),
        pa.field("order", pa.int32(), nullable=False),
        pa.field("page_checksum", pa.string(), nullable=False),
        # What people see, and what the suite calls it.
        pa.field("form_id", pa.string(), nullable=False),
        pa.field("task_id", pa.string(), nullable=False),
        pa.field("own_id", pa.string(), nullable=False),
        pa.field("attention", pa.bool_(), nullable=False),
        # By language: changes when what is shown in that language does.
        pa.field("task_checksums", pa.map_(pa.string(), pa.string()), nullable=False),
        pa.field("images", pa.list_(pa.binary()), nullable=False),
        # Heading, passages and fields as JSON; fields and options with opaque and own ids, in the order shown.
        pa.field("content", pa.string(), nullable=False),
        pa.field("about", pa.map_(pa.string(), pa.string()), nullable=False),
    ]
)
