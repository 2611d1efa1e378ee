"""A grade: one judged answer, with the way in which it was judged."""

import pyarrow as pa

#: One row of ``results/grades/<suite>/<model>.parquet``.
GRADE = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("suite", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("repeat", pa.int32(), nullable=False),
        pa.field("stimulus_id", pa.string(), nullable=False),
        pa.field("figure", pa.string(), nullable=False),
        pa.field("prompt", pa.string(), nullable=False),
        pa.field("question", pa.string(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        # What the answer was read as (an option id for choices); null where it could not be read.
        pa.field("answer", pa.string()),
        # "exact", "contained" or "unparsed", and why; of an unparsed answer the reason begins with one of the codes of
        # contract/readings.py: ambiguous, refused, cut_off, off_topic, empty.
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        # Whether the model gave reasoning apart from its answer; it is never graded.
        pa.field("reasoning_given", pa.bool_(), nullable=False),
        # An unparsed answer is not correct; tables count it separately as well.
        pa.field("correct", pa.bool_(), nullable=False),
        # For answers that earn points rather than right or wrong; null for all others.
        pa.field("score", pa.float64()),
        # What each named rule of reading makes of the answer ("" where it cannot tell), for the answer types that
        # have several; and, beside the parser's, what a judge said.
        pa.field("readings", pa.map_(pa.string(), pa.string()), nullable=False),
        # "parser", "judge" or "review".
        pa.field("decided_by", pa.string(), nullable=False),
        pa.field("factors", pa.map_(pa.string(), pa.string()), nullable=False),
    ]
)
