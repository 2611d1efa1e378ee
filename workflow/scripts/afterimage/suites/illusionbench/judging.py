"""What a judge is told about an answer (paper, appendices B and C).

The whole golden description goes into both prompts that rate descriptions; step by step, the second answer is judged
as a description of the content.
"""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.readings import JudgeFields
from afterimage.grading.description import is_refusal
from afterimage.grading.reasoning import answer_of
from afterimage.suites.illusionbench.names import (
    ILLUSION,
    MULTIPLE_CHOICE,
    SEMANTIC,
    STEP_BY_STEP,
    TRUE_FALSE,
)

#: All prompts that answers of this suite are put into.
PROMPTS = ("true_or_false", "multiple_choice", "semantic_content", "visual_illusion")

_PROMPT_OF = {
    TRUE_FALSE: "true_or_false",
    MULTIPLE_CHOICE: "multiple_choice",
    SEMANTIC: "semantic_content",
    STEP_BY_STEP: "semantic_content",
    ILLUSION: "visual_illusion",
}


def fields(item: Mapping[str, Any], response: Mapping[str, Any]) -> JudgeFields | None:
    """Return what the judge is told, or None: of the first step, which is no result, and of refused descriptions.

    Args:
        item: A row of schema ITEM, without images.
        response: A row of schema RESPONSE.
    """
    kind = item["question"]
    if kind not in _PROMPT_OF:
        return None
    answer = answer_of(response)
    if item["answer_type"] == "description":
        if is_refusal(answer):
            return None
        about = {"question": _last_words(item), "gold": item["key"], "answer": answer}
    else:
        asked = item["factors"]["asked"]
        about = {"question": asked, "gold": _gold(item), "answer": answer}
    return JudgeFields(_PROMPT_OF[kind], about)


def _gold(item: Mapping[str, Any]) -> str:
    """Return the right answer in words: "True", or the numeral with the option's text."""
    key: str = item["key"]
    if item["question"] == TRUE_FALSE:
        return key
    texts = {option["option_id"]: option["text"] for option in item["options"]}
    return f"{key}. {texts[key]}"


def _last_words(item: Mapping[str, Any]) -> str:
    """Return what was asked last, for people who review."""
    parts = item["messages"][-1]["parts"]
    texts: list[str] = [part["text"] for part in parts if part["type"] == "text"]
    return texts[-1].strip()
