"""An answer with all that is known of it in one row: for readers and other programs; no job reads it."""

import pyarrow as pa

from afterimage.files.column import column
from afterimage.files.grade import GRADE
from afterimage.files.item import ITEM, OPTION
from afterimage.files.parquet import TEXTS
from afterimage.files.reply import TOOK
from afterimage.files.response import RESPONSE

PROBABILITY = pa.struct(
    [
        pa.field("option_id", pa.string(), nullable=False),
        pa.field("probability", pa.float64(), nullable=False),
    ]
)

#: One row of ``results/all_answers.parquet``.
ANSWER = pa.schema(
    [
        column("suite", pa.string(), "the suite"),
        column(
            "suite_version",
            pa.string(),
            "its version: numbers of two versions are of two benchmarks",
        ),
        *(GRADE.field(name) for name in ("model", "item_id", "repeat")),
        *(GRADE.field(name) for name in ("stimulus_id", "figure", "prompt", "question")),
        column(
            "probe",
            pa.string(),
            "which probe the item is, such as `text_only`; empty for the suite's own questions",
            nullable=True,
        ),
        column(
            "question_text",
            pa.string(),
            "the words of the request, turn by turn; `<image>` where an image stands, `<answer to ID>` where an "
            "earlier answer does",
        ),
        column("options", pa.list_(OPTION), "`option_id` and `text`, in the order of the item"),
        *(ITEM.field(name) for name in ("answer_type", "key")),
        RESPONSE.field("text").with_name("reply"),
        GRADE.field("answer").with_name("reading"),
        *(GRADE.field(name) for name in ("outcome", "reason", "correct", "score", "decided_by")),
        GRADE.field("scored"),
        # As a list: the library datasets knows no map.
        column(
            "option_probabilities",
            pa.list_(PROBABILITY),
            "`option_id` and its `probability` among the options; empty where no probabilities came, or `mass` is too "
            "little",
            of_few=True,
        ),
        GRADE.field("mass"),
        *(RESPONSE.field(name) for name in ("finish_reason", "backend", "model_id")),
        *(RESPONSE.field(name) for name in ("revision", "settings")),
        *TOOK,
        column("factors", TEXTS, "the item's factors, which tables group by"),
    ]
)
