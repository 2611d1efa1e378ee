"""Whether a model thinks before it answers, as far as its entry tells: then an answer takes many more tokens."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from afterimage.contract.model import ModelEntry

#: Tokens of reasoning that are assumed of each answer of such a model, where no answer of it tells.
REASONING_TOKENS = 1_000

# Settings of servers and chat templates that turn reasoning on, off, or tell how much.
_SWITCH = re.compile(r"(enable_)?(thinking|reasoning)(_?(effort|level|budget|config|mode|tokens))?")
_INSIDE = ("effort", "type", "enabled", "budget_tokens", "max_tokens", "thinking_level")
_OFF = {"none", "off", "no", "false", "disabled", "disable", "minimal", "0"}
# Names of models that think unless they are told not to.
_NAMES = re.compile(
    r"(?<![a-z0-9])(o[134](-mini|-pro)?|gpt-(5|6|7)|gemini-(2\.5|3)|qwq|qvq|deepseek-r\d|magistral|glm-[\d.]+v-thinking)"
    r"(?![a-z])|[-_](thinking|reasoner|reasoning)(?![a-z])|(?<![a-z])r1(?![a-z0-9])",
    re.IGNORECASE,
)
# What is sent to a server or a template as it stands.
_PASSED_ON = ("extra_body", "chat_template_kwargs")


def thinks(entry: ModelEntry) -> bool:
    """Tell whether a model reasons before it answers.

    Its settings decide where they say so (``enable_thinking``, ``reasoning_effort``, ``thinking: {type: enabled}``, at
    any depth of what is passed on); else its own marks of reasoning, or its name.
    """
    switches = list(_switches({key: entry.settings.get(key) for key in _PASSED_ON}))
    if switches:
        return any(switches)
    if isinstance(entry.settings.get("reasoning"), Mapping):
        return True
    return bool(_NAMES.search(f"{entry.name} {entry.model_id}"))


def _switches(settings: Mapping[str, Any]) -> Iterator[bool]:
    """Yield of each setting that is about reasoning whether it turns it on."""
    for name, value in settings.items():
        if _SWITCH.fullmatch(str(name).lower()):
            yield _is_on(value)
        elif isinstance(value, Mapping):
            yield from _switches(value)


def _is_on(value: Any) -> bool:
    if isinstance(value, Mapping):
        inside = [_is_on(value[name]) for name in _INSIDE if name in value]
        return all(inside) if inside else bool(value)
    return value is not None and str(value).strip().lower() not in _OFF
