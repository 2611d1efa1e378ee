"""Schemas of Parquet files: items, replies, votes, grades, answers, recorded and journaled answers."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from afterimage.files.parquet import TEXTS, column

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
        "`contract/readings.py`); `failed:` and why, where there is no "
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


#: A part of a message is a text, an image named by its index in the item's ``images``, or another item's answer.
PART = pa.struct(
    [
        # "text"; "image"; or "answer": its text is the id of the item whose answer (repeat 0) stands here.
        pa.field("type", pa.string(), nullable=False),
        pa.field("text", pa.string()),
        pa.field("image", pa.int32()),
    ]
)
MESSAGE = pa.struct(
    [
        pa.field("role", pa.string(), nullable=False),  # "system", "user" or "assistant"
        pa.field("parts", pa.list_(PART), nullable=False),
    ]
)
IMAGE = pa.struct(
    [
        pa.field("pixels_sha256", pa.string(), nullable=False),
        pa.field("png", pa.binary(), nullable=False),
    ]
)
OPTION = pa.struct(
    [
        pa.field("option_id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)

#: One row of ``results/items/<suite>/<shard>.parquet``.
ITEM = pa.schema(
    [
        column("item_id", pa.string(), "`<stimulus_id>/<question>/<prompt>`"),
        column("suite", pa.string(), "the suite"),
        column("stimulus_id", pa.string(), "the image that is asked about"),
        column("figure", pa.string(), "its figure"),
        column("prompt", pa.string(), "id in the prompt file"),
        column(
            "question",
            pa.string(),
            "which question about the image, like `actual` or `apparent`",
        ),
        column(
            "messages",
            pa.list_(MESSAGE),
            "the request, all that a model is shown: role (`system`, `user`, `assistant`) and parts (`text`; `image`, "
            "an index into `images`; `answer`, the id of the item whose first answer stands there)",
        ),
        column("images", pa.list_(IMAGE), "`png` bytes as sent, and `pixels_sha256`"),
        column("answer_type", pa.string(), "its reader, a module of `grading/readers/`"),
        column(
            "options",
            pa.list_(OPTION),
            "`option_id` and `text`, in the order shown; for open questions the possible answers, which are not shown",
        ),
        column("key", pa.string(), "the right option's id, or the right answer"),
        column(
            "factors",
            TEXTS,
            "what tables group by: as in the stimuli, and what belongs to the question",
        ),
    ]
)


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


#: ``finish_reason`` of an answer known only by its outcome (right or wrong); its text is blank.
OUTCOMES = {True: "recorded_right", False: "recorded_wrong"}

#: One row of ``results/recorded/<suite>/<model>.parquet``.
RECORDED_ANSWER = pa.schema(
    [
        column("item_id", pa.string(), "the item"),
        column(
            "repeat",
            pa.int32(),
            "0 for the only or first answer; 1, 2, ... for further ones to the same item",
        ),
        column("text", pa.string(), "the answer as recorded"),
        column(
            "finish_reason",
            pa.string(),
            "as recorded; `unknown` where the record does not say, `recorded_right` or `recorded_wrong` for an answer "
            "without words, `not_recorded` for an item without an answer",
        ),
        column("prompt_tokens", pa.int64(), "as recorded", nullable=True),
        column("completion_tokens", pa.int64(), "as recorded", nullable=True),
        column("latency_seconds", pa.float64(), "as recorded", nullable=True),
        column("scores", pa.string(), "log-probabilities as recorded, in JSON", of_few=True),
        column(
            "place",
            pa.string(),
            "where the answer stands: file and line, row or sample; blank for an item without an answer",
        ),
    ]
)


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


def answer_of(response: Mapping[str, Any]) -> str:
    """Return what is judged and shown of a response: the answer without reasoning, empty if that was cut off.

    Args:
        response: A row of schema RESPONSE.
    """
    return response.get("answer_text", response["text"]) or ""
