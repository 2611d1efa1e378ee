"""Chat templates that begin an answer with an opened mark of reasoning, such as ``<think>``, and marks that are tokens.

Of such an answer the opening mark stands in the prompt. Where the answer ends at the limit of tokens before the closing
one, nothing in it tells that all of it is reasoning. Where marks are special tokens (Gemma 4, Magistral), they stay in
the text, unlike all others: without them reasoning would read as the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from afterimage.grading.reasoning import SETTING, is_mark, split
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


def marks_of(tokenizer: Any, settings: Mapping[str, Any]) -> dict[int, str]:
    """Return the special tokens of a tokenizer that are marks of reasoning, known ones and the entry's own, by id."""
    own = settings.get(SETTING)
    pair = tuple(own.values()) if isinstance(own, Mapping) else ()
    return {
        number: token.content
        for number, token in tokenizer.added_tokens_decoder.items()
        if token.special and (is_mark(token.content) or token.content in pair)
    }


def decoded(tokenizer: Any, tokens: Sequence[int], marks: Mapping[int, str]) -> str:
    """Return the text of an answer, without special tokens but for ``marks``."""
    parts = (
        marks[tokens_of[0]]
        if mark is not None
        else tokenizer.decode(
            tokens_of, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        for mark, tokens_of in ((mark, list(run)) for mark, run in groupby(tokens, marks.get))
    )
    return "".join(parts)


def without_unfinished(reply: Reply, opening: str, settings: Mapping[str, Any]) -> Reply:
    """Return a reply, as reasoning alone where it was cut off before its reasoning ended.

    Args:
        reply: As the model gave it.
        opening: See :func:`opening_of`.
        settings: The backend's: ``reasoning``.
    """
    is_cut_off = bool(opening) and reply.finish_reason == "length"
    if is_cut_off and split(opening + reply.text, settings.get(SETTING)).answer is None:
        return replace(reply, text="", reasoning=reply.text, scores=None)
    return reply
