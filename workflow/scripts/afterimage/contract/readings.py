"""Answers as parser, judge and people see them: kinds of answers, what a judge is told, names in ``readings``."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

#: Which answer it is (:func:`afterimage.grading.judge.judgements.answer_sha`); not of blank and withheld ones.
ANSWER_SHA = "answer_sha"
#: "true" or "false": what the parser, the judge ("undecided" without a majority) and people say.
CORRECT_GRADER, CORRECT_JUDGE, CORRECT_REVIEW = "correct_grader", "correct_judge", "correct_review"
#: The vote of each round, "-" for an abstention: "1 0 1 - 1".
VOTES = "votes"
#: The rating that most rounds agree on; "" where there is none.
SCORE_MAJORITY = "score_majority"
#: The prompt that an answer is or would be put into, and how its rounds become a verdict ("majority" or "mean").
JUDGE_PROMPT, AGGREGATION = "judge_prompt", "aggregation"
#: Of an answer that its reader left unread: what most rounds say that it says.
READING = "reading"
JUDGE, JUDGE_PROMPT_SET = "judge", "judge_prompt_set"
#: "true" where the judge is a reference judge.
REFERENCE_JUDGE = "reference_judge"
INJECTION_SUSPECT = "injection_suspect"
#: How the answer ended (:class:`afterimage.contract.finish_reasons.Ending`), where it was cut off or withheld, or for a
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
