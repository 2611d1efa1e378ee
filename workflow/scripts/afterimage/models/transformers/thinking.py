"""Chat templates that begin an answer with an opened mark of reasoning, such as ``<think>``.

Of such an answer the opening mark stands in the prompt. Where the answer ends at the limit of tokens before the closing
one, nothing in it tells that all of it is reasoning.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from afterimage.grading.reasoning import SETTING, split
from afterimage.models.interface import Image, Message, Reply
from afterimage.models.transformers.processing import conversation


def opening_of(processor: Any, settings: Mapping[str, Any]) -> str:
    """Return the last line of a prompt where it leaves reasoning open; else nothing.

    Args:
        processor: With a chat template.
        settings: The backend's: ``chat_template_kwargs``, ``reasoning``.
    """
    turns = conversation((Message("user", (Image(b"", ""), "?")),), [None], None)
    prompt = processor.apply_chat_template(
        turns,
        add_generation_prompt=True,
        tokenize=False,
        **settings.get("chat_template_kwargs", {}),
    )
    line: str = prompt.rstrip().rpartition("\n")[2]
    return line if split(line, settings.get(SETTING)).answer is None else ""


def without_unfinished(reply: Reply, opening: str, settings: Mapping[str, Any]) -> Reply:
    """Return a reply, as reasoning alone where it was cut off before its reasoning ended.

    Args:
        reply: As the model gave it.
        opening: See :func:`opening_of`.
        settings: The backend's: ``reasoning``.
    """
    is_cut_off = bool(opening) and reply.finish_reason == "length"
    if is_cut_off and split(opening + reply.text, settings.get(SETTING)).answer is None:
        return replace(reply, text="", reasoning=reply.text)
    return reply
