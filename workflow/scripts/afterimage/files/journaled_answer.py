"""A journaled answer, as ``afterimage journal export`` writes it."""

import pyarrow as pa

#: One row of an export: one answer in the journal, in force or not.
JOURNALED_ANSWER = pa.schema(
    [
        pa.field("model", pa.string(), nullable=False),
        # SHA-256 over who answers, request and repeat: what a job looks an answer up by.
        pa.field("key", pa.string(), nullable=False),
        # False for an answer that was withdrawn by a refresh, or given a second time to the same request.
        pa.field("in_force", pa.bool_(), nullable=False),
        pa.field("repeat", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("finish_reason", pa.string(), nullable=False),
        # Who answered; empty where the first line of the file is damaged.
        pa.field("backend", pa.string()),
        pa.field("model_id", pa.string()),
        pa.field("revision", pa.string()),
        # Sorted JSON, without the settings that cannot change an answer.
        pa.field("settings", pa.string()),
        pa.field("request_sha256", pa.string(), nullable=False),
        pa.field("prompt_tokens", pa.int64()),
        pa.field("completion_tokens", pa.int64()),
        pa.field("latency_seconds", pa.float64()),
        pa.field("answered_at", pa.timestamp("us", tz="UTC"), nullable=False),
    ]
)
