"""What keeps requests within a provider's limits and a study's budget. All for one event loop."""

import asyncio

from afterimage.models.openai_compatible.options import ClientOptions, Tokens


class Pace:
    """Spaces attempts so that no minute holds more requests or tokens than allowed."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        """Set the limits; None for none."""
        self._seconds_per_request = 60 / requests_per_minute if requests_per_minute else 0.0
        self._seconds_per_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._next_by_requests = self._next_by_tokens = self._not_before = 0.0

    async def turn(self, tokens: float) -> None:
        """Wait until an attempt that is thought to take so many tokens may be made."""
        clock = asyncio.get_running_loop().time
        turn = max(clock(), self._next_by_requests, self._next_by_tokens)
        self._next_by_requests = turn + self._seconds_per_request
        self._next_by_tokens = turn + tokens * self._seconds_per_token
        while (wait := max(turn, self._not_before) - clock()) > 0:
            await asyncio.sleep(wait)

    def correct(self, thought: float, used: float) -> None:
        """Say how many tokens an attempt did take."""
        self._next_by_tokens += (used - thought) * self._seconds_per_token

    def pause(self, seconds: float) -> None:
        """Make no attempt for so long: the server has said that there are too many."""
        now = asyncio.get_running_loop().time()
        self._not_before = max(self._not_before, now + seconds)


class BudgetError(Exception):
    """The next request might cost more than is left; the message says how much."""


class Budget:
    """What answers may cost: a request is made only if its highest cost fits into what is left.

    How many tokens a provider counts for an image is known from its answers only. So the first request is made alone,
    and estimates are raised to the worst ratio between counted and estimated tokens seen so far.
    """

    def __init__(self, options: ClientOptions, spent: Tokens) -> None:
        """Begin with the tokens that were paid for before."""
        self._prices = (options.price_per_million_input, options.price_per_million_output)
        self._most = options.max_cost
        self._spent = self._cost(spent)
        self._reserved = 0.0
        self._outstanding = 0
        self._ratio: float | None = None
        self._settled = asyncio.Event()

    async def reserve(self, tokens: Tokens) -> float:
        """Wait until a request with this estimate fits, and return the cost set aside for it.

        Raises:
            BudgetError: It does not fit, whatever the requests under way will cost.
        """
        if self._most is None:
            return 0.0
        while True:
            cost = self._cost(Tokens(tokens.prompt * max(self._ratio or 1, 1), tokens.completion))
            fits = self._spent + self._reserved + cost <= self._most
            if fits and (self._ratio is not None or not self._outstanding):
                break
            if not self._outstanding:
                raise BudgetError(
                    f"this request may cost {cost:.2g}, and of this job's part of max_cost, {self._most:.4g}, "
                    f"{self._spent:.4g} is spent"
                )
            await self._settled.wait()
        self._reserved += cost
        self._outstanding += 1
        return cost

    def charge(self, cost: float) -> None:
        """Count what an attempt without answer may have cost."""
        self._spent += cost

    def settle(self, cost: float, estimate: Tokens, used: Tokens | None) -> None:
        """Release what was set aside for a request and count what it took; None if it got no answer."""
        if self._most is None:
            return
        if used is not None:
            self._spent += self._cost(used)
            self._ratio = max(self._ratio or 0, used.prompt / estimate.prompt)
        self._reserved -= cost
        self._outstanding -= 1
        self._settled.set()
        self._settled.clear()

    def _cost(self, tokens: Tokens) -> float:
        return sum(number * price for number, price in zip(tokens, self._prices, strict=True)) / 1e6
