"""A response: one raw answer of one model, as received; never edited."""

import pyarrow as pa

#: One row of ``results/responses/<suite>/<model>.parquet`` and of its shards.
RESPONSE = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("suite", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        # 0 for the only or first answer; 1, 2, ... for sampled repeats of the same request.
        pa.field("repeat", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        # The reply in two parts (grading/reasoning.py): what the model thought aloud, in the reply or in a field of the
        # server's own, null where it did not; and what is graded, null where reasoning was cut off before an answer.
        pa.field("reasoning", pa.string()),
        pa.field("answer_text", pa.string()),
        # "stop", "length", "refusal", ...: why the answer ended, in the backend's words.
        pa.field("finish_reason", pa.string(), nullable=False),
        # Who answered: the backend, the exact model, its revision, its decoding settings as sorted JSON.
        pa.field("backend", pa.string(), nullable=False),
        pa.field("model_id", pa.string(), nullable=False),
        pa.field("revision", pa.string()),
        pa.field("settings", pa.string(), nullable=False),
        # What was asked: SHA-256 over messages and decoded pixels.
        pa.field("request_sha256", pa.string(), nullable=False),
        # Unknown for backends that do not count tokens or do not wait.
        pa.field("prompt_tokens", pa.int64()),
        pa.field("completion_tokens", pa.int64()),
        pa.field("latency_seconds", pa.float64()),
    ]
)
