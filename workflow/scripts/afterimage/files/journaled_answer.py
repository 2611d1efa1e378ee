"""A journaled answer, as ``afterimage journal export`` writes it."""

import pyarrow as pa

from afterimage.files.column import column
from afterimage.files.reply import TOOK

#: One row of an export: one answer in the journal, in force or not.
JOURNALED_ANSWER = pa.schema(
    [
        column("model", pa.string(), "its name in the study"),
        column(
            "key",
            pa.string(),
            "SHA-256 over who answers, request and repeat: what a job looks an answer up by",
        ),
        column(
            "in_force",
            pa.bool_(),
            "false for an answer that a refresh withdrew, or that was given a second time to the same request",
        ),
        column("repeat", pa.int32(), "0, or the number of the sampled repeat"),
        column("text", pa.string(), "the answer as received"),
        column("finish_reason", pa.string(), "why it ended, in the backend's words"),
        column(
            "backend",
            pa.string(),
            "who answered: the kind of backend; empty, as the next three, where the first line of the file is "
            "damaged",
            nullable=True,
        ),
        column("model_id", pa.string(), "the exact model", nullable=True),
        column("revision", pa.string(), "its version", nullable=True),
        column(
            "settings",
            pa.string(),
            "sorted JSON, without the settings that cannot change an answer",
            nullable=True,
        ),
        column(
            "request_sha256",
            pa.string(),
            "what was asked: hash over roles, texts and decoded pixels",
        ),
        *TOOK,
        column("answered_at", pa.timestamp("us", tz="UTC"), "when the answer arrived"),
    ]
)
