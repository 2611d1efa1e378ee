"""What a model replied, and what it was asked: the columns that responses and votes have in common."""

import pyarrow as pa

from afterimage.files.column import column

#: What a reply took.
TOOK = [
    column("prompt_tokens", pa.int64(), "empty for backends that do not count", nullable=True),
    column(
        "completion_tokens",
        pa.int64(),
        "tokens of the answer; empty as above",
        nullable=True,
    ),
    column(
        "reasoning_tokens",
        pa.int64(),
        "those of them that were reasoning; empty where the server does not count them apart",
        nullable=True,
    ),
    column(
        "cached_tokens",
        pa.int64(),
        "those of the prompt that the provider read from its cache; empty where it says nothing of them",
        of_few=True,
    ),
    column(
        "cache_written_tokens",
        pa.int64(),
        "those of the prompt that it wrote there, where that has a price of its own (Anthropic); empty as above",
        of_few=True,
    ),
    column(
        "latency_seconds",
        pa.float64(),
        "empty for backends that do not wait",
        nullable=True,
    ),
]
#: The reply as received, who gave it, to what, and what it took.
REPLY = [
    column(
        "text",
        pa.string(),
        "the answer as received; never edited; empty (not blank) where a request got none",
        nullable=True,
    ),
    column(
        "finish_reason",
        pa.string(),
        "why it ended, in the backend's words: `stop`, `length`, `refusal`, ... (what they mean: "
        "`contract/finish_reasons.py`); `failed:` and why, where there is no "
        "answer yet ([reliability.md](reliability.md#a-model-that-is-not-finished))",
    ),
    column("backend", pa.string(), "who answered: the kind of backend"),
    column("model_id", pa.string(), "the exact model"),
    column("revision", pa.string(), "its version, where there is one to name", nullable=True),
    column("settings", pa.string(), "decoding and other settings, as sorted JSON"),
    column(
        "request_sha256",
        pa.string(),
        "what was asked: hash over roles, texts and decoded pixels",
    ),
    *TOOK,
]
