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
        column(
            "reasoning",
            pa.string(),
            "what the model thought aloud, in its reply or in a field of the server's own; empty where it did not "
            "([reading.md](reading.md))",
            nullable=True,
        ),
        column(
            "answer_text",
            pa.string(),
            "what is graded: the reply without reasoning; empty where reasoning was cut off before an answer",
            nullable=True,
        ),
        *REPLY,
        column(
            "scores",
            pa.string(),
            "log-probabilities as JSON: `first_token`, of the answer's first tokens and their alternatives, or "
            "`options`, of the options' texts ([graded.md](graded.md)); empty where none were asked for, or none came",
            of_few=True,
        ),
    ]
)
