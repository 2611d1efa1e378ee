"""An item: one question to one model, complete in itself (messages, image bytes, options, key)."""

import pyarrow as pa

from afterimage.files.column import column
from afterimage.files.parquet import TEXTS

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
        column("item_id", pa.string(), "`<stimulus_id>/<question>/<prompt>`"),
        column("suite", pa.string(), "the suite"),
        column("stimulus_id", pa.string(), "the image that is asked about"),
        column("figure", pa.string(), "its figure"),
        column("prompt", pa.string(), "id in the prompt file"),
        column(
            "question",
            pa.string(),
            "which question about the image, like `actual` or `apparent`",
        ),
        column(
            "messages",
            pa.list_(MESSAGE),
            "the request, all that a model is shown: role (`system`, `user`, `assistant`) and parts (`text`; `image`, "
            "an index into `images`; `answer`, the id of the item whose first answer stands there)",
        ),
        column("images", pa.list_(IMAGE), "`png` bytes as sent, and `pixels_sha256`"),
        column("answer_type", pa.string(), "which grader reads the answer, a module of `grading/`"),
        column(
            "options",
            pa.list_(OPTION),
            "`option_id` and `text`, in the order shown; for open questions the possible answers, which are not shown",
        ),
        column("key", pa.string(), "the right option's id, or the right answer"),
        column(
            "factors",
            TEXTS,
            "what tables group by: as in the stimuli, and what belongs to the question",
        ),
    ]
)
