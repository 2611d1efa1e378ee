"""A raw reply, split into reasoning and answer, before every reader and every judge.

Text between a pair of marks such as ``<think>`` ... ``</think>`` is reasoning, which is never graded. A lone closing
mark ends reasoning whose opening mark was in the chat template. An opening mark that is never closed means that the
reply ended before its answer. Text in ``<answer>`` ... ``</answer>`` is the answer, everything around it reasoning. In
OpenAI's harmony format the channel ``final`` is the answer, all others are reasoning.

Marks of turns and padding are no part of the answer either (:mod:`afterimage.grading.format_marks`).

Standard library only: it runs in every inference job. One pass over the text.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from afterimage.grading.format_marks import without_marks

#: The setting of a model's entry: its own pair ``{open: ..., close: ...}``, or false to leave replies whole.
SETTING = "reasoning"

_TAGS = "thinking|think|thoughts|thought|reasoning|seed:think"
# Group 1 is empty for an opening mark and set for a closing one.
_KNOWN = re.compile(
    rf"<\s*(?P<close>/?)\s*(?:{_TAGS})\s*>"
    r"|<\|(?:begin_of_thought|START_THINKING)\|>|(?P<close2><\|(?:end_of_thought|END_THINKING)\|>)"
    r"|\[(?P<close3>/?)THINK\]|◁(?P<close4>/?)think▷"
    # Gemma 4's; harmony's marks have a bar on both sides.
    r"|<\|channel>(?:thought\b)?|(?P<close5><channel\|>)",
    re.IGNORECASE,
)
_ANSWER_OPENS = re.compile(
    r"<\s*(?:answer|final_answer)\s*>|<\|(?:begin_of_solution|START_RESPONSE|begin_of_box)\|>",
    re.IGNORECASE,
)
_ANSWER_CLOSES = re.compile(
    r"<\s*/\s*(?:answer|final_answer)\s*>|<\|(?:end_of_solution|END_RESPONSE|end_of_box)\|>",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"<\|channel\|>\s*([a-z]+)[^<]{0,200}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>"
)
_CHANNEL_ENDS = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
# Harmony as it is left by a tokenizer that drops its marks.
_BARE_CHANNELS = re.compile(r"analysis(?=\S)")
_BARE_FINAL = "assistantfinal"


class Split(NamedTuple):
    """A reply in two parts.

    Attributes:
        reasoning: The model's reasoning, stripped; None without any.
        answer: The text to grade: the reply as received where it has neither reasoning nor marks of its format; None
            where reasoning was cut off, so that there is no answer.
    """

    reasoning: str | None
    answer: str | None


def split(text: str, setting: Mapping[str, str] | bool | str | None = None) -> Split:
    """Split a raw reply; never raises, whatever the reply.

    Args:
        setting: None for the known forms; false or "off" to split nothing; else the model's own pair, a mapping with
            ``open`` and ``close``.
    """
    reasoning, answer = _split(text, setting)
    return Split(reasoning, None if answer is None else without_marks(answer))


def _split(text: str, setting: Mapping[str, str] | bool | str | None) -> Split:
    if setting is False or setting == "off":
        return Split(None, text)
    if isinstance(setting, Mapping):
        marks = re.compile(f"{re.escape(setting['open'])}|(?P<close>{re.escape(setting['close'])})")
        return _between_marks(text, marks)
    return _channels(text) or _within_answer(_between_marks(text, _KNOWN))


def columns(
    text: str, served: str | None, setting: Mapping[str, str] | bool | str | None = None
) -> dict[str, str | None]:
    """Return the columns ``reasoning`` and ``answer_text`` of a response.

    Args:
        served: Reasoning that the server sent in a separate field; None if it sent none.
        setting: As for :func:`split`.
    """
    found = split(text, setting)
    thought = "\n".join(part for part in (served, found.reasoning) if part)
    return {"reasoning": thought or None, "answer_text": found.answer}


def is_mark(text: str) -> bool:
    """Tell whether a text, such as a special token, is exactly a known mark of reasoning or of the answer."""
    return any(marks.fullmatch(text) for marks in (_KNOWN, _ANSWER_OPENS, _ANSWER_CLOSES))


def graded_text(text: str) -> str:
    """Return the text to grade of a raw reply; empty if reasoning was cut off."""
    return split(text).answer or ""


def _between_marks(text: str, marks: re.Pattern[str]) -> Split:
    thoughts: list[str] = []
    outside: list[str] = []
    position, thinking, found = 0, False, False
    for mark in marks.finditer(text):
        found = True
        closes = mark.lastgroup is not None and any(mark.groups())
        if thinking and not closes:
            # "I should not write <think> here": reasoning may mention its own marks.
            continue
        piece = text[position : mark.start()]
        if thinking:
            thoughts.append(piece)
        elif closes:
            # The opening mark was in the chat template: all of this is reasoning.
            thoughts.extend([*outside, piece])
            outside = []
        else:
            outside.append(piece)
        thinking = not closes
        position = mark.end()
    if not found:
        return Split(None, text)
    (thoughts if thinking else outside).append(text[position:])
    thought = "\n".join(filter(None, map(str.strip, thoughts)))
    answer = None if thinking else "\n".join(filter(str.strip, outside)).strip()
    return Split(thought or None, answer)


def _within_answer(found: Split) -> Split:
    """Take the answer out of ``<answer>``; the last one counts, and inner marks are removed as well."""
    if found.answer is None or not (
        _ANSWER_OPENS.search(found.answer) or _ANSWER_CLOSES.search(found.answer)
    ):
        return found
    *_, last = [None, *_ANSWER_OPENS.finditer(found.answer)]
    closed = _ANSWER_CLOSES.search(found.answer, last.end() if last else 0)
    begin = last.end() if last else 0
    end = closed.start() if closed else len(found.answer)
    # Nested marks, "<answer><|begin_of_box|>B<|end_of_box|></answer>", are removed one after the other.
    before = _ANSWER_OPENS.sub("", found.answer[: last.start()]) if last else ""
    after = _ANSWER_CLOSES.sub("", found.answer[closed.end() :]) if closed else ""
    around = [found.reasoning or "", before, after]
    return Split(
        "\n".join(filter(None, map(str.strip, around))) or None,
        found.answer[begin:end].strip(),
    )


def _channels(text: str) -> Split | None:
    """Split a reply in harmony format; None if it is not in it."""
    if _BARE_CHANNELS.match(text) and _BARE_FINAL in text:
        thought, _, answer = text.rpartition(_BARE_FINAL)
        return Split(thought.removeprefix("analysis").strip() or None, answer.strip())
    if "<|channel|>" not in text:
        return None
    thoughts: list[str] = []
    final: str | None = None
    for channel in _CHANNEL.finditer(text):
        ends = _CHANNEL_ENDS.search(text, channel.end())
        content = text[channel.end() : ends.start() if ends else len(text)]
        if channel[1] == "final":
            final = content
        else:
            thoughts.append(content.strip())
    reasoning = "\n".join(filter(None, thoughts)) or None
    return Split(reasoning, None if final is None else final.strip())
