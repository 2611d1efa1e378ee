"""A grade: one judged answer, with the way in which it was judged."""

import pyarrow as pa

from afterimage.files.column import column

#: One row of ``results/grades/<suite>/<model>.parquet``.
GRADE = pa.schema(
    [
        column("item_id", pa.string(), "the item"),
        column("suite", pa.string(), "its suite"),
        column("model", pa.string(), "the model's name in the study"),
        column("repeat", pa.int32(), "0, or the number of the sampled repeat"),
        column("stimulus_id", pa.string(), "the image"),
        column("figure", pa.string(), "its figure"),
        column("prompt", pa.string(), "id in the prompt file"),
        column("question", pa.string(), "which question about the image"),
        column("key", pa.string(), "the right answer: an option's id, where there are options"),
        column(
            "offered",
            pa.list_(pa.string()),
            "the options' ids, in the order of the item; of open questions the answers that a guess is made among",
        ),
        column(
            "is_listed",
            pa.bool_(),
            "whether the question lists its options, so that a place among them can be chosen",
        ),
        column(
            "answer",
            pa.string(),
            "what the answer was read as, an option id for choices; empty where it could not be read",
            nullable=True,
        ),
        column(
            "outcome",
            pa.string(),
            "`exact` (the answer is the option's text), `contained` (it contains one option alone), `unparsed`, "
            "`not_judged` or `judged` (free text, before and after a judge has scored it), `recorded` (others' "
            "verdict on an answer without words), or `failed` (there is no answer yet)",
        ),
        column(
            "reason",
            pa.string(),
            "why; of an unparsed answer it begins with `ambiguous:`, `refused:`, `cut_off:`, `off_topic:` or `empty:` "
            "([reading.md](reading.md))",
        ),
        column(
            "reasoning_given",
            pa.bool_(),
            "the model gave reasoning apart from its answer; it is never graded",
        ),
        column(
            "correct",
            pa.bool_(),
            "an unparsed answer is not correct; tables count it separately as well; empty where there is no answer "
            "yet: no table shows such a model's numbers",
            nullable=True,
        ),
        column(
            "score",
            pa.float64(),
            "for answers that earn points rather than right or wrong; empty for all others",
            nullable=True,
        ),
        column(
            "readings",
            pa.map_(pa.string(), pa.string()),
            "what each named rule of reading makes of the answer (blank where it cannot tell), for answer types "
            "with several rules; what a judge said ([judging.md](judging.md)); `ending`, where the answer was "
            "`cut off` or `withheld` or ended for an `unknown` reason",
        ),
        column(
            "scored",
            pa.string(),
            "how probabilities were asked for, `first_token` or `options` ([graded.md](graded.md)); else empty",
            of_few=True,
        ),
        column(
            "option_probabilities",
            pa.map_(pa.string(), pa.float64()),
            "each option's id to its probability among the options, which sum to 1; empty where no probabilities "
            "came, or `mass` is too little",
            of_few=True,
        ),
        column(
            "mass",
            pa.float64(),
            "the share, from 0 to 1, that all options together had before; below 0.5 of first tokens there are no "
            "`option_probabilities`; empty where no probabilities came",
            of_few=True,
        ),
        column("decided_by", pa.string(), "`parser`, `judge` or `review`: whose word `correct` is"),
        column(
            "factors",
            pa.map_(pa.string(), pa.string()),
            "the item's factors, which tables group by",
        ),
    ]
)
