"""How a model behind an API is asked, as far as it cannot change an answer."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class ClientOptions:
    """The mapping ``client`` of a model's entry.

    Attributes:
        concurrency: Requests under way at once.
        requests_per_minute: None for no limit; repeated attempts count.
        tokens_per_minute: None for no limit; prompt and completion together.
        timeout_seconds: For one attempt, from its start to the last byte of the answer.
        retries: Attempts after the first, for faults that may pass.
        max_cost: What the model's answers may cost this job; in the currency of the prices.
        price_per_million_input: Price of a million prompt tokens.
        price_per_million_output: Price of a million completion tokens.
    """

    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_seconds: float = 120
    retries: int = 8
    max_cost: float | None = None
    price_per_million_input: float = 0
    price_per_million_output: float = 0


class Tokens(NamedTuple):
    """What a provider counts and charges."""

    prompt: float
    completion: float
