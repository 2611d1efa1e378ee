"""Replies as files can hold them, whatever a server, a checkpoint or an old journal has put into them."""

import math
import re
from dataclasses import replace
from typing import Any

from afterimage.contract.scores import is_sound
from afterimage.models.interface import MOST_TOKENS, Reply

#: What stands for half a character, which is no text and which no file in UTF-8 can hold.
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
_TEXTS = ("text", "finish_reason", "revision", "reasoning")
_COUNTS = (
    *("prompt_tokens", "completion_tokens", "reasoning_tokens"),
    *("cached_tokens", "cache_written_tokens"),
)


def storable(reply: Reply) -> tuple[Reply, str]:
    """Return a reply as it can be written down, and in words what of it could not; nothing where all of it could.

    Half characters (lone surrogates) become U+FFFD, one for one; numbers that count nothing become unknown, and
    scores of another form.

    Args:
        reply: As received, or as an earlier version wrote it down.
    """
    changes: dict[str, Any] = {}
    words = []
    for name in _TEXTS:
        text = vars(reply)[name]
        if text is None or text.isascii():
            continue
        whole, count = _HALF_CHARACTER.subn(REPLACEMENT, text)
        if count:
            changes[name] = whole
            words.append(f"{count} half characters in its {name} are now {REPLACEMENT}")
    for name in (*_COUNTS, "latency_seconds"):
        value = vars(reply)[name]
        if value is not None and not _is_measure(value, is_count=name in _COUNTS):
            changes[name] = None
            words.append(f"its {name} is no number that can be and now unknown")
    if reply.scores is not None and not is_sound(reply.scores):
        changes["scores"] = None
        words.append("its scores are none that can be and now unknown")
    return (replace(reply, **changes) if changes else reply), "; ".join(words)


def _is_measure(value: object, is_count: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int if is_count else (int, float)):
        return False
    return 0 <= value <= MOST_TOKENS and math.isfinite(value)
