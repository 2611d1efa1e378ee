"""A response: one raw answer of one model, as received; never edited."""

import pyarrow as pa

from afterimage.files.column import column
from afterimage.files.reply import REPLY

#: One row of ``results/responses/<suite>/<model>.parquet`` and of its shards.
RESPONSE = pa.schema(
    [
        column("item_id", pa.string(), "the item"),
        column("suite", pa.string(), "its suite"),
        column("model", pa.string(), "its name in the study"),
        column("repeat", pa.int32(), "0, or the number of the sampled repeat"),
        *REPLY,
    ]
)
