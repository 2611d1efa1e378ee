"""One request to the API, until there is an answer or none can be had."""

import asyncio
import json
import logging
import random
from collections.abc import Mapping

import httpx2
import openai

from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Reply, Request
from afterimage.models.openai_compatible.faults import Fault, fault_of, scrubber
from afterimage.models.openai_compatible.limits import Budget, BudgetError, Pace
from afterimage.models.openai_compatible.messages import chat_body, estimated_tokens
from afterimage.models.openai_compatible.options import ClientOptions, Tokens

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
#: A server that asks for more patience than this has as good as refused.
LONGEST_RETRY_AFTER_SECONDS = 900.0
#: So many requests in a row that used up their attempts, and the others need not wait as long.
FRUITLESS_REQUESTS = 3


def connected(base_url: str, key: str, options: ClientOptions) -> openai.AsyncOpenAI:
    """Return a client that verifies certificates, as is the package's default, and never repeats by itself.

    Raises:
        AfterimageError: ``base_url`` is no address.
    """
    try:
        return openai.AsyncOpenAI(
            api_key=key, base_url=base_url, max_retries=0, timeout=options.timeout_seconds
        )
    except httpx2.InvalidURL as error:
        raise AfterimageError(
            f"setting 'base_url': found '{base_url}', which is no address ({error})."
        ) from None


class Asker:
    """Asks one model; all its requests share limits, budget and the knowledge that there is no use in going on."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        model_id: str,
        settings: Mapping,
        options: ClientOptions,
        spent: Tokens,
        key: str | None,
    ) -> None:
        """Take everything that requests have in common.

        Args:
            client: The connection; never repeats by itself.
            model_id: The model's name for the API.
            settings: What can change answers.
            options: What cannot.
            spent: Tokens that were paid for before and count towards ``max_cost``.
            key: What must not appear in any text.
        """
        self._client = client
        self._model_id = model_id
        self._settings = settings
        self._options = options
        self._pace = Pace(options.requests_per_minute, options.tokens_per_minute)
        self._budget = Budget(options, spent)
        self._scrub = scrubber(key)
        self._jitter = random.SystemRandom()
        self._stopped: str | None = None
        self._fruitless = 0

    async def ask(self, request: Request) -> Reply | Failure:
        """Return the answer, or why there is none."""
        if self._stopped is not None:
            return Failure(request.number, f"not asked: {self._stopped}")
        estimate = estimated_tokens(request.messages, self._settings)
        body = chat_body(self._model_id, request.messages, self._settings)
        for attempt in range(self._options.retries + 1):
            reserved = await self._cleared(estimate)
            if reserved is None:
                return Failure(request.number, f"not asked: {self._stopped}")
            outcome = await self._attempt(request.number, body)
            if isinstance(outcome, Reply):
                used = _used(outcome, estimate)
                self._budget.settle(reserved, estimate, used)
                self._pace.correct(sum(estimate), sum(used))
                self._fruitless = 0
                return outcome
            if outcome.perhaps_charged:
                self._budget.charge(reserved)
            self._budget.settle(reserved, estimate, None)
            reason = self._scrub(outcome.reason)
            wait = self._wait(outcome, attempt)
            if not outcome.transient or wait > LONGEST_RETRY_AFTER_SECONDS:
                break
            logger.info("request %d, attempt %d: %s", request.number, attempt + 1, reason)
            if attempt < self._options.retries:
                await asyncio.sleep(wait)
        tries = f"{attempt + 1} attempts, the last: " if attempt else ""
        self._fruitless += outcome.transient
        if outcome.hopeless or self._fruitless >= FRUITLESS_REQUESTS:
            self._stopped = f"{tries}{reason}"
        return Failure(request.number, f"{tries}{reason}")

    async def _cleared(self, estimate: Tokens) -> float | None:
        """Wait until an attempt may be made, and return the cost set aside for it; None if none may be made."""
        try:
            reserved = await self._budget.reserve(estimate)
        except BudgetError as error:
            self._stopped = str(error)
            return None
        await self._pace.turn(sum(estimate))
        if self._stopped is None:
            return reserved
        self._budget.settle(reserved, estimate, None)
        return None

    async def _attempt(self, number: int, body: dict) -> Reply | Fault:
        clock = asyncio.get_running_loop().time
        started = clock()
        seconds = self._options.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.post(
                    "/chat/completions", body=body, cast_to=httpx2.Response
                )
            return _reply(number, json.loads(response.content), clock() - started)
        except (openai.APIError, TimeoutError, ValueError) as error:
            return fault_of(error, seconds)

    def _wait(self, fault: Fault, attempt: int) -> float:
        longest = min(FIRST_WAIT_SECONDS * 2.0**attempt, LONGEST_WAIT_SECONDS)
        wait = self._jitter.uniform(longest / 2, longest)
        if fault.wait_seconds is None:
            return wait
        if fault.status == 429:
            self._pace.pause(min(fault.wait_seconds, LONGEST_RETRY_AFTER_SECONDS))
        # Not all at the very moment that the server named.
        return fault.wait_seconds + self._jitter.uniform(0, min(longest, 1.0))


def _reply(number: int, completion: object, seconds: float) -> Reply:
    try:
        choice = completion["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content)
        text = "".join([content or refusal or ""])
        usage = completion.get("usage") or {}
        counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    except (TypeError, KeyError, IndexError, AttributeError):
        shown = json.dumps(completion, ensure_ascii=False)[:200]
        raise ValueError(f"no message in {shown}") from None
    finish_reason = choice.get("finish_reason") or "unknown"
    return Reply(
        number,
        text,
        "refusal" if refusal else finish_reason,
        prompt_tokens=counts[0],
        completion_tokens=counts[1],
        latency_seconds=seconds,
    )


def _used(reply: Reply, estimate: Tokens) -> Tokens:
    # Of a server that counts nothing, the worst is assumed.
    counted = (reply.prompt_tokens, reply.completion_tokens)
    return Tokens(
        *(bound if count is None else count for count, bound in zip(counted, estimate, strict=True))
    )
