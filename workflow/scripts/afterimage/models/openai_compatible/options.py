"""How a model behind an API is asked, as far as it cannot change an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ONLINE = "online"
BATCH = "batch"
#: What an answer costs in mode ``batch``, as a part of its price in mode ``online``.
PRICE_FACTORS = {ONLINE: 1.0, BATCH: 0.5}
#: Kinds of tokens of a prompt that may have prices of their own.
CACHE = ("cached", "cache_written")
#: In which form batches are handed over, by the host of an address; elsewhere OpenAI's.
OPENAI, ANTHROPIC, GEMINI = "openai", "anthropic", "gemini"
_FORMS = {"api.anthropic.com": ANTHROPIC, "generativelanguage.googleapis.com": GEMINI}
#: Settings that a form has nothing for.
NOT_IN_BATCHES = {
    OPENAI: (),
    ANTHROPIC: ("scores", "chat_template_kwargs"),
    GEMINI: ("scores", "chat_template_kwargs"),
}


def batch_form_of(base_url: str | None) -> str:
    """Return the form in which the API at an address takes batches."""
    return _FORMS.get(urlsplit(base_url or "").hostname or "", OPENAI)


@dataclass(frozen=True)
class ClientOptions:
    """The mapping ``client`` of a model's entry.

    Attributes:
        mode: ``online`` asks request by request; ``batch`` hands all of them over and comes for the answers later.
        concurrency: Requests under way at once.
        requests_per_minute: None for no limit; repeated attempts count.
        tokens_per_minute: None for no limit; prompt and completion together.
        timeout_seconds: For one attempt, from its start to the last byte of the answer.
        max_response_mb: How long a response may be, unpacked, in millions of bytes.
        retries: Attempts after the first, for faults that may pass.
        max_cost: What the model's answers may cost this job; in the currency of the prices.
        price_per_million_input: Price of a million prompt tokens, in mode ``online``.
        price_per_million_output: Price of a million completion tokens, in mode ``online``.
        batch_form: In which form batches are handed over (``openai``, ``anthropic``, ``gemini``); None to go by the
            address.
        price_per_million_cached: Price of a million prompt tokens that the provider read from its cache; None if
            they cost as others.
        price_per_million_cache_written: The same for those that it wrote there.
        poll_seconds: Time between two questions after the state of a batch.
        openai_variables: Whether what the environment holds for OpenAI (``OPENAI_ORG_ID``) goes to another address.
        batches: The folder in which batches under way are kept in mind; needed in mode ``batch``.
    """

    mode: str = ONLINE
    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_seconds: float = 120
    max_response_mb: float = 8
    retries: int = 8
    max_cost: float | None = None
    price_per_million_input: float = 0
    price_per_million_output: float = 0
    price_per_million_cached: float | None = None
    price_per_million_cache_written: float | None = None
    batch_form: str | None = None
    poll_seconds: float = 60
    openai_variables: bool = False
    batches: str | None = None

    @property
    def max_response_bytes(self) -> int:
        return int(self.max_response_mb * 1e6)


def token_prices(client: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """Return what a token of each kind of :class:`Tokens` costs, in mode ``online``; of what is cached, how much more.

    Args:
        client: The mapping ``client`` of a model's entry, with the price of a million tokens of prompts and of answers.
    """
    prompt, completion = (
        float(client[f"price_per_million_{kind}"]) for kind in ("input", "output")
    )
    named = (client.get(f"price_per_million_{kind}") for kind in CACHE)
    read, written = (0.0 if price is None else price - prompt for price in named)
    return prompt / 1e6, completion / 1e6, read / 1e6, written / 1e6


class Tokens(NamedTuple):
    """What a provider counts and charges; the last two are among those of the prompt, at prices of their own."""

    prompt: float = 0
    completion: float = 0
    cached: float = 0
    cache_written: float = 0
