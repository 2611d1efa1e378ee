"""A vote: one raw reply of a judge about one answer, as received; never edited."""

import pyarrow as pa

#: One row of ``results/votes/<suite>/<judge>/<model>.parquet``: one per answer, round and attempt.
VOTE = pa.schema(
    [
        # The answer that is judged: whose, to which item, and a hash that tells it from any other.
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("suite", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("repeat", pa.int32(), nullable=False),
        pa.field("answer_sha", pa.string(), nullable=False),
        # The answer reads like an attempt to instruct the judge.
        pa.field("injection_suspect", pa.bool_(), nullable=False),
        # The judge, the set of prompts and the prompt, and how the rounds become a verdict ("majority" or "mean").
        pa.field("judge", pa.string(), nullable=False),
        pa.field("prompt_set", pa.string(), nullable=False),
        pa.field("prompt", pa.string(), nullable=False),
        pa.field("aggregation", pa.string(), nullable=False),
        # Rounds and attempts are numbered from 0; there is another attempt only after a reply that does not count.
        pa.field("round", pa.int32(), nullable=False),
        pa.field("attempt", pa.int32(), nullable=False),
        # What the reply counts as; null where it does not count.
        pa.field("value", pa.int32()),
        # The reply.
        pa.field("text", pa.string(), nullable=False),
        pa.field("finish_reason", pa.string(), nullable=False),
        pa.field("backend", pa.string(), nullable=False),
        pa.field("model_id", pa.string(), nullable=False),
        pa.field("revision", pa.string()),
        pa.field("settings", pa.string(), nullable=False),
        pa.field("request_sha256", pa.string(), nullable=False),
        pa.field("prompt_tokens", pa.int64()),
        pa.field("completion_tokens", pa.int64()),
        pa.field("latency_seconds", pa.float64()),
    ]
)
