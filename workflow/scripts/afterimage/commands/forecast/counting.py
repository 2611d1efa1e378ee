"""What a model is to be asked in a study: what the journal answers, what is left, and what that takes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from afterimage.commands.forecast.answers import Means, Wanted, look_up
from afterimage.commands.forecast.contents import Contents
from afterimage.commands.forecast.journaled import answers_per_second, superseded
from afterimage.contract.model import ModelEntry, load_backend
from afterimage.models.journaling.entries import Answerer, answerer_of
from afterimage.models.journaling.files import undisturbed
from afterimage.models.openai_compatible.options import PRICE_FACTORS, Tokens, token_prices
from afterimage.models.weights import present_contents

# Settings that bound an answer, and the one that is no part of an answer's key.
_BOUNDS = ("max_tokens", "max_completion_tokens", "max_new_tokens")
_REPEATS = "repeats"


@dataclass
class Forecast:
    """One model and one suite.

    Attributes:
        uncounted: Stimuli whose items are not made yet, so that their questions are unknown.
        requests: Answers that are wanted; requests of the same content are asked once.
        answered: How many of them the journal holds.
        waiting: How many hold an answer that is not there yet; they are among the requests.
        spent: Tokens of the answers that are there, as counted.
        left: Tokens of what is to be asked, as estimated.
        bound: Most tokens of answers that may come; None without a bound.
        measured: Whether tokens are estimated from answers of this model.
        currency: Of the costs; empty without prices.
        cost: Of the answers that are there; None without prices.
        cost_left: Estimated cost of what is to be asked.
        cost_bound: The same if every answer is as long as may be.
        rate: Answers per second of a job; None if none is known.
    """

    suite: str
    model: str
    stimuli: int = 0
    uncounted: int = 0
    requests: int = 0
    answered: int = 0
    waiting: int = 0
    spent: Tokens = field(default_factory=Tokens)
    left: Tokens = field(default_factory=Tokens)
    bound: float | None = None
    measured: bool = False
    cost: float | None = None
    currency: str = ""
    cost_left: float | None = None
    cost_bound: float | None = None
    gpus: int = 0
    rate: float | None = None

    @property
    def to_ask(self) -> int:
        """Answers that are still to be asked for."""
        return self.requests - self.answered

    @property
    def gpu_hours(self) -> float | None:
        """GPU-hours of what is to be asked, without loading the model; None if unknown."""
        return None if self.rate is None else self.to_ask / self.rate * self.gpus / 3600

    def stimuli_for(self, seconds: float) -> int | None:
        """Return how many stimuli fill a job of this length; None if unknown."""
        if self.rate is None or not self.requests:
            return None
        return max(1, round(self.rate * seconds * (self.stimuli - self.uncounted) / self.requests))


@dataclass(frozen=True)
class Shards:
    """The items of one suite as one model is asked them.

    Attributes:
        uncounted: Stimuli in shards whose items are not made yet.
        contents: The shards whose items are made.
        most: Answers that are asked for of these, where each question is chosen by the answers before it; None if
            all are.
    """

    stimuli: int
    uncounted: int
    contents: Sequence[Contents]
    most: int | None = None


def forecast(
    entry: ModelEntry,
    suites: Mapping[str, Shards],
    journal: Path,
    answer_tokens: float,
) -> list[Forecast]:
    """Count and estimate what a model is to be asked, suite by suite.

    Args:
        suites: Suite to its items.
        journal: The folder of all journals; it need not exist.
        answer_tokens: Tokens of an answer, where no answer of the model tells and its settings allow as many.
    """
    answerer = _answerer(entry)
    contents = present_contents(entry, load_backend(entry.backend), answerer, journal / entry.name)
    found = {suite: Wanted(shards.contents, entry) for suite, shards in suites.items()}
    look_up(found.values(), journal / entry.name, answerer, contents)
    most = _most(entry)
    means = Means(entry, found.values(), min(answer_tokens, most or answer_tokens))
    rate = undisturbed(lambda: answers_per_second(journal / entry.name, answerer))
    return [_forecast(suite, entry, suites[suite], found[suite], means, rate) for suite in suites]


def no_longer_serving(entry: ModelEntry, journal: Path) -> Counter[str]:
    """Count a model's journaled answers that its entry no longer meets, by what has changed since they were given.

    Args:
        journal: The folder of all journals; it need not exist.
    """
    serving = [_answerer(entry)]
    if "one_at_a_time" in entry.settings:
        # Those that are compared with answers in batches.
        serving.append(_answerer(entry.with_settings(one_at_a_time=True)))
    folder = journal / entry.name
    contents = present_contents(entry, load_backend(entry.backend), serving[0], folder)
    return undisturbed(lambda: superseded(folder, serving, contents))


def _answerer(entry: ModelEntry) -> Answerer:
    return answerer_of(entry, (*load_backend(entry.backend).neutral_settings, _REPEATS))


def _forecast(
    suite: str,
    entry: ModelEntry,
    shards: Shards,
    found: Wanted,
    means: Means,
    rate: float | None,
) -> Forecast:
    ratio, answer, measured = means.of(found)
    left = [position for wanted, position in found.places.items() if wanted not in found.replies]
    left += [position for position in found.waiting for _ in found.repeats]
    requests = len(found.places) + len(found.waiting) * len(found.repeats)
    answered = len(found.replies)
    if shards.most is not None:
        requests = min(requests, shards.most)
        answered = min(answered, requests)
        # Which of them is not known before: those between are as good as any.
        step = max(1, len(left) // max(1, requests - answered))
        left = left[::step][: requests - answered]
    replies = found.replies.values()
    result = Forecast(
        suite,
        entry.name,
        stimuli=shards.stimuli,
        uncounted=shards.uncounted,
        requests=requests,
        answered=answered,
        waiting=len(found.waiting) * len(found.repeats),
        spent=Tokens(
            sum(reply.prompt_tokens or 0 for reply in replies),
            sum(reply.completion_tokens or 0 for reply in replies),
            sum(reply.cached_tokens or 0 for reply in replies),
            sum(reply.cache_written_tokens or 0 for reply in replies),
        ),
        left=Tokens(
            ratio * sum(means.estimated(found, *position) for position in left), answer * len(left)
        ),
        bound=most * len(left) if (most := _most(entry)) else None,
        measured=measured,
        gpus=entry.resources["gpu"],
        rate=rate,
    )
    _price(result, entry)
    return result


def _most(entry: ModelEntry) -> int | None:
    """Return the most tokens of an answer; None without a bound."""
    return max((entry.settings[name] for name in _BOUNDS if entry.settings.get(name)), default=None)


def _price(result: Forecast, entry: ModelEntry) -> None:
    client = entry.client
    if not all(f"price_per_million_{part}" in client for part in ("input", "output")):
        return
    factor = PRICE_FACTORS[client.get("mode", "online")]
    prices = token_prices(client)

    def cost(tokens: Tokens) -> float:
        return factor * sum(n * price for n, price in zip(tokens, prices, strict=True))

    result.currency = entry.currency
    result.cost = cost(result.spent)
    result.cost_left = cost(result.left)
    if result.bound is not None:
        result.cost_bound = cost(Tokens(result.left.prompt, result.bound))


def as_rows(forecasts: Iterable[Forecast]) -> list[dict[str, object]]:
    """Return forecasts as plain rows, for CSV."""
    return [
        {
            "suite": each.suite,
            "model": each.model,
            "requests": each.requests,
            "in_journal": each.answered,
            "to_ask": each.to_ask,
            "stimuli_without_items": each.uncounted,
            "prompt_tokens_left": round(each.left.prompt),
            "answer_tokens_left": round(each.left.completion),
            "cost_so_far": each.cost,
            "cost_left": each.cost_left,
            "cost_left_at_most": each.cost_bound,
            "currency": each.currency,
            "gpu_hours_left": each.gpu_hours,
            "tokens": "measured" if each.measured else "estimated",
        }
        for each in forecasts
    ]
