"""The answers that a study wants from a model, those of them that its journal holds, and what answers take."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from afterimage.commands.forecast.contents import Contents
from afterimage.contract.model import ModelEntry
from afterimage.models.asking import repeats_of
from afterimage.models.interface import Reply
from afterimage.models.item_requests import remembered
from afterimage.models.journaling.entries import Answerer
from afterimage.models.journaling.lookup import load_index


class Wanted:
    """The answers that are wanted of one suite.

    Attributes:
        contents: The shards' items.
        repeats: Which answers to each request are wanted.
        places: Hash of a request and repeat to shard and number where it comes first.
        replies: The same to the answer, where there is one.
        waiting: Shard and number of requests that hold an answer which is not there yet.
    """

    def __init__(self, contents: Sequence[Contents], entry: ModelEntry) -> None:
        """Take the shards' items and how a model is asked them; nothing is looked up yet."""
        self.contents = contents
        self.repeats = repeats_of(entry)
        self._settings = entry.settings
        self.places: dict[tuple[str, int], tuple[int, int]] = {}
        self.replies: dict[tuple[str, int], Reply] = {}
        self.waiting: list[tuple[int, int]] = []
        self._hashes: list[dict[int, str]] = [{} for _ in contents]

    def text(self, shard: int, number: int) -> str | None:
        """Return what of the answer to a request another one builds on; None if there is no answer."""
        request = self._hashes[shard].get(number, "")
        reply = self.replies.get((request, 0))
        return None if reply is None else remembered(reply, self._settings)

    def next_round(self, depth: int) -> bool:
        """Work out what is asked in one round of every shard; False after the last."""
        any_left = False
        for shard, content in enumerate(self.contents):
            requests = content.requests
            if depth >= len(requests.rounds):
                continue
            any_left = True
            answers: dict[str, str] = {}
            ready = []
            for number in requests.rounds[depth]:
                others = requests.builds_on.get(number, ())
                texts = [text for other in others if (text := self.text(shard, other)) is not None]
                if len(texts) < len(others):
                    self.waiting.append((shard, number))
                    continue
                ready.append(number)
                answers |= dict(zip((requests.item_ids[n] for n in others), texts, strict=True))
            hashes = requests.hashes(tuple(ready), answers)
            self._hashes[shard] |= hashes
            for number, request in hashes.items():
                for repeat in self.repeats:
                    self.places.setdefault((request, repeat), (shard, number))
        return any_left


def look_up(
    suites: Collection[Wanted], folder: Path, answerer: Answerer, contents: Collection[str]
) -> None:
    """Fill in the answers that there are, those first on which others build.

    The journal is read once for each round of all suites together.

    Args:
        folder: The model's folder in the journal.
        contents: The hashes of the model's weights, if known.
    """
    keys = answerer.keys()
    for depth in count():
        # Every suite takes part in a round, whether or not others have one left.
        if not sum(suite.next_round(depth) for suite in suites):
            return
        sought = {
            keys.key(request, repeat): (request, repeat)
            for suite in suites
            for request, repeat in suite.places
            if (request, repeat) not in suite.replies
        }
        index = load_index(folder, answerer, dict.fromkeys(sought, 0), contents)
        for key, reply in index.answers.items():
            for suite in suites:
                if sought[key] in suite.places:
                    suite.replies[sought[key]] = reply


# ---- what answers take, by a model's own average or its provider's rule ----


class Means:
    """What an answer of the model takes on average, as far as its answers tell."""

    def __init__(self, entry: ModelEntry, suites: Iterable[Wanted], answer_tokens: float) -> None:
        """Average over the answers that there are.

        Args:
            answer_tokens: Tokens of an answer, where no answer of the model tells.
        """
        self._rule = entry.image_tokens
        self._detail = entry.settings.get("image_detail")
        self._answer_tokens = answer_tokens
        self._whole = self._of(suites)

    def estimated(self, suite: Wanted, shard: int, number: int) -> float:
        """Return the tokens of a prompt by the provider's rule."""
        content = suite.contents[shard].by_number[number]
        return content.prompt_tokens(self._rule, self._detail, self._answer_tokens)

    def of(self, suite: Wanted) -> tuple[float, float, bool]:
        """Return counted tokens per estimated one, tokens of an answer, and whether either was measured.

        Of this suite if it has answers, else of all.
        """
        ratio, answer = self._of([suite])
        whole_ratio, whole_answer = self._whole
        known = (ratio or whole_ratio, answer or whole_answer)
        return known[0] or 1.0, known[1] or self._answer_tokens, known != (None, None)

    def _of(self, suites: Iterable[Wanted]) -> tuple[float | None, float | None]:
        counted = estimated = 0.0
        answers: list[int] = []
        for suite in suites:
            for position, reply in suite.replies.items():
                if reply.prompt_tokens is not None:
                    counted += reply.prompt_tokens
                    estimated += self.estimated(suite, *suite.places[position])
                if reply.completion_tokens is not None:
                    answers.append(reply.completion_tokens)
        ratio = counted / estimated if counted else None
        return ratio, sum(answers) / len(answers) if answers else None


# ---- whether a model thinks before it answers ----

#: Tokens of reasoning that are assumed of each answer of such a model, where no answer of it tells.
REASONING_TOKENS = 1_000

# Settings of servers and chat templates that turn reasoning on, off, or tell how much.
_SWITCH = re.compile(r"(enable_)?(thinking|reasoning)(_?(effort|level|budget|config|mode|tokens))?")
_INSIDE = ("effort", "type", "enabled", "budget_tokens", "max_tokens", "thinking_level")
_OFF = {"none", "off", "no", "false", "disabled", "disable", "minimal", "0"}
# Names of models that think unless instructed not to.
_NAMES = re.compile(
    r"(?<![a-z0-9])(o[134](-mini|-pro)?|gpt-(5|6|7)|gemini-(2\.5|3)|qwq|qvq|deepseek-r\d|magistral|glm-[\d.]+v-thinking)"
    r"(?![a-z])|[-_](thinking|reasoner|reasoning)(?![a-z])|(?<![a-z])r1(?![a-z0-9])",
    re.IGNORECASE,
)
# Passed to a server or a template as it is.
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
    """Yield, for each setting about reasoning, whether it turns reasoning on."""
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
