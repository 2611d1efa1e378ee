"""A provider's rate limits and a study's budget. Not thread-safe."""

import asyncio

from afterimage.models.openai_compatible.options import (
    PRICE_FACTORS,
    ClientOptions,
    Tokens,
    token_prices,
)


class Pace:
    """Spaces attempts so that no minute holds more requests or tokens than allowed."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        self._seconds_per_request = 60 / requests_per_minute if requests_per_minute else 0.0
        self._seconds_per_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._next_by_requests = self._next_by_tokens = self._not_before = 0.0

    async def turn(self, tokens: float) -> None:
        """Wait until an attempt with this estimate of tokens may be made."""
        clock = asyncio.get_running_loop().time
        turn = max(clock(), self._next_by_requests, self._next_by_tokens)
        self._next_by_requests = turn + self._seconds_per_request
        self._next_by_tokens = turn + tokens * self._seconds_per_token
        while (wait := max(turn, self._not_before) - clock()) > 0:
            await asyncio.sleep(wait)

    def correct(self, thought: float, used: float) -> None:
        """Correct the estimate of an attempt's tokens."""
        self._next_by_tokens += (used - thought) * self._seconds_per_token

    def pause(self, seconds: float) -> None:
        """Make no attempt for this time, after the server reported too many requests."""
        now = asyncio.get_running_loop().time()
        self._not_before = max(self._not_before, now + seconds)


class BudgetError(Exception):
    """The next request might exceed the budget; the message has the amounts."""


class Budget:
    """The budget for answers: a request is made only if its highest possible cost fits into the rest.

    The tokens of an image are known only from answers. So the first request is made alone, and estimates are scaled by
    the largest ratio between counted and estimated tokens so far.
    """

    def __init__(self, options: ClientOptions) -> None:
        factor = PRICE_FACTORS[options.mode]
        self._prices = [price * factor for price in token_prices(vars(options))]
        self._max_cost = options.max_cost
        self._spent = self._lost = self._reserved = 0.0
        self._outstanding = 0
        self._ratio: float | None = None
        self._settled = asyncio.Event()

    def begin(self, spent: Tokens) -> None:
        """Begin a round of requests with the tokens of all existing answers; no request is in progress."""
        self._spent = self._cost(spent) + self._lost
        self._reserved = 0.0
        self._outstanding = 0
        # An event belongs to the loop in which it was first waited for.
        self._settled = asyncio.Event()

    async def reserve(self, tokens: Tokens) -> float:
        """Wait until a request with this estimate fits, and return the cost reserved for it.

        Raises:
            BudgetError: It does not fit, even if the requests in progress cost nothing.
        """
        while (cost := self.reserve_now(tokens)) is None:
            await self._settled.wait()
        return cost

    def reserve_now(self, tokens: Tokens) -> float | None:
        """Return the cost reserved for a request with this estimate; None if others must be settled first.

        Raises:
            BudgetError: It does not fit, and no request is in progress.
        """
        if self._max_cost is None:
            return 0.0
        cost = self._highest(tokens)
        fits = self._spent + self._reserved + cost <= self._max_cost
        if not fits and not self._outstanding:
            raise BudgetError(
                f"this request may cost {cost:.2g}, and of this job's part of max_cost, {self._max_cost:.4g}, "
                f"{self._spent:.4g} is spent"
            )
        if not fits or (self._ratio is None and self._outstanding):
            return None
        return self.owe(tokens)

    def owe(self, tokens: Tokens) -> float:
        """Reserve the cost of a request that was made already, and return it."""
        cost = self._highest(tokens)
        self._reserved += cost
        self._outstanding += 1
        return cost

    def charge(self, cost: float) -> None:
        """Count what an attempt without answer may have cost."""
        self._spent += cost
        self._lost += cost

    def settle(self, cost: float, estimate: Tokens, used: Tokens | None) -> None:
        """Release the cost reserved for a request and count its tokens; None if it got no answer."""
        if self._max_cost is None:
            return
        if used is not None:
            self._spent += self._cost(used)
            self._ratio = max(self._ratio or 0, used.prompt / estimate.prompt)
        self._reserved -= cost
        self._outstanding -= 1
        self._settled.set()
        self._settled.clear()

    def _highest(self, tokens: Tokens) -> float:
        prompt = tokens.prompt * max(self._ratio or 1, 1)
        # Nothing may come from the cache, and all of the prompt may go there at a higher price.
        written = prompt if self._prices[3] > 0 else 0
        return self._cost(Tokens(prompt, tokens.completion, 0, written))

    def _cost(self, tokens: Tokens) -> float:
        return sum(number * price for number, price in zip(tokens, self._prices, strict=True))
