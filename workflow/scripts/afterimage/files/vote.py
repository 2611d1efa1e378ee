"""A vote: one raw reply of a judge about one answer, as received; never edited."""

import pyarrow as pa

from afterimage.files.column import column
from afterimage.files.reply import REPLY

#: One row of ``results/votes/<suite>/<judge>/<model>.parquet``: one per answer, round and attempt.
VOTE = pa.schema(
    [
        column("item_id", pa.string(), "the item whose answer is judged"),
        column("suite", pa.string(), "its suite"),
        column("model", pa.string(), "who gave the answer"),
        column("repeat", pa.int32(), "the answer's repeat"),
        column(
            "answer_sha",
            pa.string(),
            "tells the answer from any other: changes with its words, what was asked and the right answer",
        ),
        column(
            "injection_suspect",
            pa.bool_(),
            "the answer reads like an attempt to instruct the judge",
        ),
        column("judge", pa.string(), "the judge's name"),
        column("prompt_set", pa.string(), "the set of the judge's prompts"),
        column("prompt", pa.string(), "the prompt"),
        column(
            "aggregation",
            pa.string(),
            "how the rounds become a verdict: `majority`, `mean` or `reading`",
        ),
        column("round", pa.int32(), "the round, from 0"),
        column(
            "attempt",
            pa.int32(),
            "from 0; there is another only after a reply that does not count",
        ),
        column(
            "value",
            pa.int32(),
            "the vote; empty where the reply does not count, and of readings",
            nullable=True,
        ),
        column(
            "read_as",
            pa.string(),
            "of readings: what the answer says, blank for nothing; empty where the reply does not count",
            nullable=True,
        ),
        *REPLY,
    ]
)
