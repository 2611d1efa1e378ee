"""Answers as backends, parser, judge and people see them: how each ended, its kind, and the names in ``readings``.

Files keep a provider's reason for an answer's end as it came; what it means is looked up in the one table here. Words
are compared without case, blanks and punctuation, and without the name of an enumeration before them: ``MAX_TOKENS``,
``maxTokens`` and ``FinishReason.MAX_TOKENS`` are one.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple


class Ending(StrEnum):
    """How an answer ended.

    Attributes:
        FINISHED: The model ended it.
        CUT_OFF: A limit of tokens or time ended it; what there is of it counts.
        WITHHELD: The model refused, or a provider's filter held it back.
        BROKEN: It is no answer: an error, a call of a tool, nothing at all. It is asked again.
        UNSTATED: Nobody says why it ended.
        UNKNOWN: A word that is not in the table; the answer is kept, the word shown and counted.
    """

    FINISHED = "finished"
    CUT_OFF = "cut off"
    WITHHELD = "withheld"
    BROKEN = "broken"
    UNSTATED = "unstated"
    UNKNOWN = "unknown"


#: ``finish_reason`` of an answer whose backend does not say why it ended.
UNSTATED = "unknown"
#: ``finish_reason`` of what a filter held back without a word of its own; OpenAI's.
FILTERED = "content_filter"
#: ``finish_reason`` of a refusal in a field of its own; OpenAI's and Anthropic's.
REFUSAL = "refusal"

_FINISHED = (
    # OpenAI, vLLM, SGLang; Anthropic and Bedrock; TGI and Together; Cohere; Titan; Baidu; xAI; llama.cpp; watsonx.
    *("stop", "end_turn", "stop_sequence", "eos", "eos_token", "eos_found", "end_of_text"),
    *("complete", "completed", "finish", "finished", "done", "success", "succeeded", "normal"),
    *(
        "stop_criteria_met",
        "stop_string_found",
        "stop_words",
        "stop_word",
        "stop_token",
        "stop_str",
    ),
    *("end", "end_id", "end_of_turn", "matched_stop", "word", "reason_stop"),
    # What recorded answers without words have.
    *("recorded_right", "recorded_wrong"),
)
_CUT_OFF = (
    # OpenAI and most others; Gemini, Anthropic; OpenAI's Responses; Mistral; llama.cpp, LM Studio; watsonx; xAI.
    *("length", "max_tokens", "max_output_tokens", "max_output", "max_completion_tokens"),
    *("max_new_tokens", "max_length", "model_length", "model_context_window_exceeded"),
    *(
        "context_length",
        "context_length_reached",
        "context_length_exceeded",
        "context_window_exceeded",
    ),
    *(
        "max_predicted_tokens_reached",
        "token_limit",
        "limit",
        "truncated",
        "incomplete",
        "time_limit",
    ),
    *("reason_max_len", "reason_max_context", "reason_time_limit", "max_context", "max_len"),
    # vLLM: it said the same again and again.
    "repetition",
)
_WITHHELD = (
    *(REFUSAL, FILTERED, "content_filtered", "content_policy_violation", "content_policy"),
    # Gemini and Vertex: why an answer ended, and why a prompt was blocked.
    *("safety", "recitation", "blocklist", "prohibited_content", "spii", "model_armor", "jailbreak"),
    *("image_safety", "image_prohibited_content", "image_recitation", "image_other"),
    # Azure; DashScope; Bedrock; Cohere; Zhipu and Hunyuan; others.
    *("responsible_ai_policy_violation", "data_inspection_failed", "guardrail_intervened"),
    *("error_toxic", "sensitive", "moderation", "moderation_blocked", "blocked", "filtered"),
)  # fmt: skip
# Gemini's: it stopped for a reason that it does not name, or since it does not speak the language. As the code of an
# error these say nothing.
_WITHHELD_AS_REASONS = ("other", "language")
_BROKEN = (
    # OpenRouter, Fireworks, Mistral; vLLM, SGLang; Zhipu; DeepSeek; Cohere; watsonx; LM Studio; TensorRT-LLM.
    *("error", "abort", "aborted", "cancelled", "canceled", "network_error", "server_error"),
    *("internal_error", "internal_server_error", "insufficient_system_resource", "overloaded"),
    *("error_limit", "user_cancel", "timeout", "timed_out", "failed", "failure", "fail"),
    *("interrupted", "preempted", "rate_limit", "connection_error", "user_stopped", "model_unloaded"),
    "reason_invalid",
    # Ollama has only loaded the model; DashScope and others are still at it.
    *("load", "unload", "null", "in_progress", "queued", "not_finished", "pause_turn"),
    # Gemini and Bedrock: what the model said was nothing that they could hand on.
    *("malformed_function_call", "unexpected_tool_call", "too_many_tool_calls", "malformed_response"),
    *("malformed_model_output", "malformed_tool_use", "missing_thought_signature", "no_image"),
)  # fmt: skip
# If it comes with words, the words are the answer.
_CALLS_A_TOOL = (
    *(
        "tool_calls",
        "tool_call",
        "tool_use",
        "function_call",
        "function_calls",
        "reason_tool_calls",
    ),
)

# How the words begin that this package puts in place of a finish reason where there is no text.
_RESERVED = ("failed", "recorded_", "not_recorded")
_ENUMERATION = re.compile(r"^(finish|block|stop|done)_?reason[\W_]+", re.IGNORECASE)
_NO_LETTER = re.compile(r"[\W_]+")


def _folded(reason: str) -> str:
    return _NO_LETTER.sub("", _ENUMERATION.sub("", reason.strip())).casefold()


_TABLE = {
    **{
        _folded(word): ending
        for ending, words in (
            (Ending.FINISHED, _FINISHED),
            (Ending.CUT_OFF, _CUT_OFF),
            (Ending.WITHHELD, (*_WITHHELD, *_WITHHELD_AS_REASONS)),
            (Ending.BROKEN, _BROKEN),
        )
        for word in words
    },
    # Recorded answers: of an item without one.
    **{
        _folded(word): Ending.UNSTATED
        for word in ("", UNSTATED, "unspecified", "none", "not_recorded")
    },
}
_FILTERS = frozenset(map(_folded, _WITHHELD))
_TOOLS = frozenset(map(_folded, _CALLS_A_TOOL))


@lru_cache(maxsize=1024)
def ending_of(finish_reason: str | None) -> Ending:
    """Return what a finish reason means for an answer that has words.

    Args:
        finish_reason: In a provider's words; None if there is none.
    """
    folded = _folded(finish_reason or "")
    return Ending.FINISHED if folded in _TOOLS else _TABLE.get(folded, Ending.UNKNOWN)


def known_finish_reason(word: str) -> str:
    """Return a finish reason from outside; words that only this package may use become :data:`UNSTATED`."""
    return UNSTATED if word.strip().lower().startswith(_RESERVED) else word


def is_filter(word: object) -> bool:
    """Tell whether an error's code or type names a filter that held an answer back."""
    return isinstance(word, str) and _folded(word) in _FILTERS


def is_no_answer(text: str, finish_reason: str, reasoning: str | None, took_nothing: bool) -> bool:
    """Tell what looks like an answer and is none: broken off, a call of a tool, or nothing at all.

    An empty text is an answer where the model ended it, which takes tokens, where it was cut off, which happens in the
    midst of reasoning, and where it was withheld.

    Args:
        text: The words.
        finish_reason: Why they ended.
        reasoning: What the model thought before them.
        took_nothing: Whether it took no tokens, neither for the prompt nor for itself.
    """
    ending = ending_of(finish_reason)
    if ending is Ending.BROKEN:
        return True
    if text or ending in (Ending.CUT_OFF, Ending.WITHHELD):
        return False
    if ending is Ending.UNSTATED or _folded(finish_reason) in _TOOLS:
        return True
    return took_nothing and not reasoning


def tally(reasons: Iterable[str | None]) -> dict[Ending, dict[str, int]]:
    """Count finish reasons as they came, by what they mean."""
    counted: dict[Ending, dict[str, int]] = {}
    for reason in reasons:
        word = reason or UNSTATED
        words = counted.setdefault(ending_of(reason), {})
        words[word] = words.get(word, 0) + 1
    return counted


#: Which answer it is (:func:`afterimage.grading.judge.judgements.answer_sha`); not of blank and withheld ones.
ANSWER_SHA = "answer_sha"
#: "true" or "false": what the parser, the judge ("undecided" without a majority) and people say.
CORRECT_GRADER, CORRECT_JUDGE, CORRECT_REVIEW = "correct_grader", "correct_judge", "correct_review"
#: The vote of each round, "-" for an abstention: "1 0 1 - 1".
VOTES = "votes"
#: The rating that most rounds agree on; "" if there is none.
SCORE_MAJORITY = "score_majority"
#: The prompt that an answer is or would be put into, and how its rounds become a verdict ("majority" or "mean").
JUDGE_PROMPT, AGGREGATION = "judge_prompt", "aggregation"
#: Of an answer that its reader left unread: what most rounds say that it says.
READING = "reading"
JUDGE, JUDGE_PROMPT_SET = "judge", "judge_prompt_set"
#: "true" where the judge is a reference judge.
REFERENCE_JUDGE = "reference_judge"
INJECTION_SUSPECT = "injection_suspect"
#: How the answer ended (:class:`afterimage.contract.readings.Ending`), where it was cut off or withheld, or for a
#: reason that is not known, whatever was read in it.
ENDING = "ending"

#: Why an answer could not be read; with one of these and a colon the ``reason`` of an unparsed grade begins.
AMBIGUOUS, REFUSED, CUT_OFF, OFF_TOPIC, EMPTY = (
    "ambiguous",
    "refused",
    "cut_off",
    "off_topic",
    "empty",
)
UNREAD = (AMBIGUOUS, REFUSED, CUT_OFF, OFF_TOPIC, EMPTY)
#: The code and the words of a reply that ended so and holds no answer.
ENDED = {
    Ending.CUT_OFF: (CUT_OFF, "the reply was cut short"),
    Ending.WITHHELD: (REFUSED, "the reply was withheld"),
}
#: The same of one that ended before its reasoning did: there is no answer at all.
ENDED_THINKING = (CUT_OFF, "the reply ended before its reasoning did")
#: How the ``reason`` begins where nothing was said: no word, also where the reply was cut short or withheld before its
#: first, or none behind the reasoning.
EMPTY_REASONS = (
    f"{EMPTY}:",
    *(f"{code}: {why} ({EMPTY}:" for code, why in ENDED.values()),
    ": ".join(ENDED_THINKING),
)
#: What a question of yes or no is answered with that is left open.
UNCERTAIN = "Uncertain"

UNDECIDED = "undecided"
ABSTAINED = "-"

_SAMPLE_STEPS = 1 << 32


def is_reviewable(grade: Mapping[str, Any]) -> bool:
    """Tell whether a grade is about an answer that people may decide about: one that is there, and right or wrong."""
    readings = grade["readings"]
    return readings.get(AGGREGATION) in ("majority", READING) and ANSWER_SHA in readings


def is_queued(grade: Mapping[str, Any], right_share: float) -> bool:
    """Tell whether people look at a reviewable answer: at every wrong one, and at this share of the right ones.

    Of those that a reader left unread: at what no judge could read either.

    Which right ones depends on the answer alone, so that a larger share adds some and drops none.

    Args:
        grade: An automatic grade.
        right_share: From 0 to 1.
    """
    if grade["readings"][AGGREGATION] == READING:
        return bool(grade["outcome"] == "unparsed")
    if not grade["correct"]:
        return True
    identity = f"{grade['model']} {grade['item_id']} {grade['readings'][ANSWER_SHA]}"
    step = int.from_bytes(hashlib.sha256(identity.encode()).digest()[:4])
    return step < right_share * _SAMPLE_STEPS


#: Answer types whose replies name an option; all others (yes or no, numbers, free text) have no order of options.
LISTED_ANSWERS = ("choice", "choice_last_line", "lettered_choice", "numbered_option", "roman")


#: Their answer types.
OPEN_ANSWERS = ("description", "word_list")


class JudgeFields(NamedTuple):
    """One answer, as the judge gets to see it.

    Attributes:
        prompt: Id of the judge's prompt, e.g. ``"multiple_choice"``.
        fields: "question", "gold" and "answer" to the texts that take the places of the prompt's slots, literally:
            braces, quotes and instructions in them are text like any other. What the prompt has no slot for is only
            shown to people who review.
    """

    prompt: str
    fields: Mapping[str, str]
