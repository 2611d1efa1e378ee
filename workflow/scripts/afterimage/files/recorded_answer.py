"""Answers that were given elsewhere, matched to the items of a suite."""

import pyarrow as pa

#: One row of ``results/recorded/<suite>/<model>.parquet``.
RECORDED_ANSWER = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        # 0 for the only or first answer; 1, 2, ... for further ones to the same item.
        pa.field("repeat", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        # As recorded; "unknown" where the record does not say, "not_recorded" for an item without an answer.
        pa.field("finish_reason", pa.string(), nullable=False),
        pa.field("prompt_tokens", pa.int64()),
        pa.field("completion_tokens", pa.int64()),
        pa.field("latency_seconds", pa.float64()),
        # Where the answer stands: file and line, row or sample; empty for an item without an answer.
        pa.field("place", pa.string(), nullable=False),
    ]
)
