"""Answers that were given elsewhere, matched to the items of a suite."""

import pyarrow as pa

from afterimage.files.column import column

#: ``finish_reason`` of an answer of which only the outcome is known, by whether it was right; its text is blank.
OUTCOMES = {True: "recorded_right", False: "recorded_wrong"}

#: One row of ``results/recorded/<suite>/<model>.parquet``.
RECORDED_ANSWER = pa.schema(
    [
        column("item_id", pa.string(), "the item"),
        column(
            "repeat",
            pa.int32(),
            "0 for the only or first answer; 1, 2, ... for further ones to the same item",
        ),
        column("text", pa.string(), "the answer as recorded"),
        column(
            "finish_reason",
            pa.string(),
            "as recorded; `unknown` where the record does not say, `recorded_right` or `recorded_wrong` for an answer "
            "without words, `not_recorded` for an item without an answer",
        ),
        column("prompt_tokens", pa.int64(), "as recorded", nullable=True),
        column("completion_tokens", pa.int64(), "as recorded", nullable=True),
        column("latency_seconds", pa.float64(), "as recorded", nullable=True),
        column("scores", pa.string(), "log-probabilities as recorded, in JSON", of_few=True),
        column(
            "place",
            pa.string(),
            "where the answer stands: file and line, row or sample; blank for an item without an answer",
        ),
    ]
)
