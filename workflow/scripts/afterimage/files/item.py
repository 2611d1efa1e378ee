"""An item: one question to one model, complete in itself (messages, image bytes, options, key)."""

import pyarrow as pa

#: A part of a message is a text, an image named by its index in the item's ``images``, or another item's answer.
PART = pa.struct(
    [
        # "text"; "image"; or "answer": its text is the id of the item whose answer (repeat 0) stands here.
        pa.field("type", pa.string(), nullable=False),
        pa.field("text", pa.string()),
        pa.field("image", pa.int32()),
    ]
)
MESSAGE = pa.struct(
    [
        pa.field("role", pa.string(), nullable=False),  # "system", "user" or "assistant"
        pa.field("parts", pa.list_(PART), nullable=False),
    ]
)
IMAGE = pa.struct(
    [
        pa.field("pixels_sha256", pa.string(), nullable=False),
        pa.field("png", pa.binary(), nullable=False),
    ]
)
OPTION = pa.struct(
    [
        pa.field("option_id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)

#: One row of ``results/items/<suite>/<shard>.parquet``.
ITEM = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("suite", pa.string(), nullable=False),
        pa.field("stimulus_id", pa.string(), nullable=False),
        pa.field("figure", pa.string(), nullable=False),
        pa.field("prompt", pa.string(), nullable=False),
        pa.field("question", pa.string(), nullable=False),
        # The request: all that a model is shown.
        pa.field("messages", pa.list_(MESSAGE), nullable=False),
        pa.field("images", pa.list_(IMAGE), nullable=False),
        # For the grader: the form of the answer, the options (empty for open questions), the right one.
        pa.field("answer_type", pa.string(), nullable=False),
        pa.field("options", pa.list_(OPTION), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        # For the tables.
        pa.field("factors", pa.map_(pa.string(), pa.string()), nullable=False),
    ]
)
