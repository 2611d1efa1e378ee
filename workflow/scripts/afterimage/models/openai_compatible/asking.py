"""One request to the API, with attempts until there is an answer or a final failure."""

import asyncio
import hashlib
import logging
import random
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import openai

from afterimage.models.interface import Failure, LeftToOthers, Reply, Request, reason_of
from afterimage.models.openai_compatible.connection import (
    advice,
    chat_address,
    key_variable,
    other_scheme,
    shown_address,
)
from afterimage.models.openai_compatible.faults import Fault, fault_of, scrubber
from afterimage.models.openai_compatible.limits import Budget, BudgetError, Pace
from afterimage.models.openai_compatible.messages import chat_json, estimated_tokens
from afterimage.models.openai_compatible.options import ClientOptions, Tokens
from afterimage.models.openai_compatible.replies import (
    NoAnswerError,
    completion_in,
    reply_of,
    used_tokens,
    withheld,
)

logger = logging.getLogger(__name__)

# ---- a completion with a repeated ``id`` ----
#
# It is a copy of another request's answer, sent instead of this one's.
#
# A connection carries one request (``connection.py``), so connections cause no copies. A provider's backend may still
# confuse answers, and then the id is the only sign. Not all ids are unique: some servers send none or always the same,
# some draw from a few hundred (Ollama), so repeated short ids count only together with the same body.

#: Ids of at least this length do not repeat by chance.
LONG_ID = 16
# A copy comes soon after the original.
_IDS = 10_000
_BODIES_OF_AN_ID = 8


class Copies:
    """The ids of the completions that a model has sent so far; for one thread."""

    def __init__(self) -> None:
        # The id to the first question with it and the hashes of bodies with it; the oldest are forgotten, so that
        # memory stays constant.
        self._bodies: OrderedDict[str, tuple[int, tuple[bytes, ...]]] = OrderedDict()
        self._doubted: tuple[int, int] | None = None
        self._is_constant = False

    def require_first(self, question: tuple[int, int], completion: Any, body: bytes) -> None:
        """Note a completion.

        Args:
            question: Number of the request, and its repeat.
            completion: The parsed body.
            body: As received, or anything that differs between different completions.

        Raises:
            NoAnswerError: It is a copy of an earlier one.
        """
        name = completion.get("id") if isinstance(completion, Mapping) else None
        if not isinstance(name, str) or not name or self._is_constant:
            return
        digest = hashlib.sha256(body).digest()[:8]
        first, bodies = self._bodies.pop(name, (question[0], ()))
        is_copy = bool(bodies) and self._is_copy(question, name, digest in bodies)
        self._bodies[name] = first, (*bodies, digest)[-_BODIES_OF_AN_ID:]
        if len(self._bodies) > _IDS:
            self._bodies.popitem(last=False)
        if is_copy:
            if first != question[0]:
                logger.warning(
                    "one completion came as the answer to requests %d and %d; the second is asked again, and whose it "
                    "was the server alone knows",
                    first,
                    question[0],
                )
            raise NoAnswerError(f"the id '{name[:100]}' came before, with another answer")

    def _is_copy(self, question: tuple[int, int], name: str, is_same: bool) -> bool:
        is_long = len(name) >= LONG_ID
        # This id was removed before: if nothing is left, the server has sent no other id.
        if self._bodies:
            return is_long or is_same
        if not (is_long and is_same):
            return False
        # Either a copy of the first answer, or a constant id and two equal answers: asking again shows which.
        self._is_constant = self._doubted == question
        self._doubted = question
        return not self._is_constant


# ---- one request ----

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
#: A server that asks for a longer wait than this has practically refused.
LONGEST_RETRY_AFTER_SECONDS = 900.0
#: After this many consecutive requests without success after all attempts, no further one is asked.
FRUITLESS_REQUESTS = 3
#: The same if the server replied: a request that it cannot answer may say nothing about others.
FRUITLESS_REPLIES = 30
#: If the server was never reached, this many attempts of one request are enough for all.
ATTEMPTS_UNREACHED = 4
#: The same if a server replies, but never like the API.
ATTEMPTS_MISPLACED = 2
#: Waits of at least this length are logged as warnings.
_LONG_WAIT_SECONDS = 60.0
_NO_KEY_SENT = (
    "(no key was sent; setting 'api_key_env' names the environment variable that holds one)"
)


def no_hindrance() -> None:
    """Return None: further attempts are never useless."""


@dataclass
class Known:
    """What this job knows about a server.

    Attributes:
        has_responded: It has sent any response.
        has_answered: It has answered a request as the API.
    """

    has_responded: bool = False
    has_answered: bool = False


class Asker:
    """Asks one model; all its requests share limits, budget and the reason to stop."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        model_id: str,
        settings: Mapping[str, Any],
        options: ClientOptions,
        budget: Budget,
        copies: Copies,
        key: str | None,
        hindrance: Callable[[], str | None] = no_hindrance,
        known: Known | None = None,
        still_ours: Callable[[], bool] = lambda: True,
    ) -> None:
        """Take what all requests have in common.

        Args:
            client: The connection; never repeats requests by itself.
            model_id: The model's name for the API.
            settings: Everything that can change answers; ``options`` cannot.
            key: Must not appear in any text.
            hindrance: Called before each attempt: returns why further attempts are useless, or None.
            known: What earlier rounds know about the server; None before the first.
            still_ours: Called before each attempt: whether the requests are still this job's.
        """
        self._client = client
        # The full address, so that it is not built for every request.
        self._address = chat_address(settings["base_url"])
        self._model_id = model_id
        self._settings = settings
        self._options = options
        self._pace = Pace(options.requests_per_minute, options.tokens_per_minute)
        self._budget = budget
        self._copies = copies
        self._scrub = scrubber(key)
        self._key_variable = key_variable(settings)
        self._hindrance = hindrance
        self._known = known or Known()
        self._still_ours = still_ours
        self._jitter = random.SystemRandom()
        self._stopped: str | None = None
        # By whether the server replied.
        self._fruitless = {True: 0, False: 0}

    async def ask(self, request: Request, repeat: int) -> Reply | Failure:
        try:
            return await self._ask(request, repeat)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            reason = self._scrub(reason_of(error, "it cannot be asked"))
            return Failure(request.number, reason)

    async def _ask(self, request: Request, repeat: int) -> Reply | Failure:
        if self._is_stopped():
            return self._not_asked(request)
        estimate = estimated_tokens(request.messages, self._settings)
        body = chat_json(self._model_id, request, self._settings, repeat)
        patience = LONGEST_RETRY_AFTER_SECONDS
        for attempt in range(self._options.retries + 1):
            reserved = await self._reserved_turn(estimate)
            if reserved is None:
                return self._not_asked(request)
            outcome = await self._attempt(request.number, repeat, body)
            if isinstance(outcome, Reply):
                used = used_tokens(outcome, estimate)
                self._budget.settle(reserved, estimate, used)
                self._pace.correct(sum(estimate), sum(used))
                self._fruitless = {True: 0, False: 0}
                self._known.has_responded = self._known.has_answered = True
                return outcome
            fault = self._diagnosed(outcome, attempt + 1)
            if fault.perhaps_charged:
                self._budget.charge(reserved)
            self._budget.settle(reserved, estimate, None)
            reason = self._scrub(fault.reason)
            patience -= fault.wait_seconds or 0.0
            if patience < 0:
                fault = replace(fault, spoke=True)
                details = f"{fault.wait_seconds:g} s; at most {LONGEST_RETRY_AFTER_SECONDS:g} s are waited"
                reason += f" (it asks to wait for {details})"
            if (
                fault.hopeless
                or not fault.transient
                or patience < 0
                or attempt == self._options.retries
            ):
                break
            wait = self._wait(fault, attempt)
            self._log_retry(f"request {request.number}, attempt {attempt + 1}: {reason}", wait)
            await asyncio.sleep(wait)
        tries = f"{attempt + 1} attempts, the last: " if attempt else ""
        self._fruitless[fault.spoke] += fault.transient
        limit = FRUITLESS_REPLIES if fault.spoke else FRUITLESS_REQUESTS
        if fault.hopeless or self._fruitless[fault.spoke] >= limit:
            self._stopped = f"{tries}{reason}"
        return Failure(request.number, f"{tries}{reason}")

    def _diagnosed(self, fault: Fault, attempts: int) -> Fault:
        """Return a fault, marked as hopeless if the server was never reached or no API ever answered there."""
        self._known.has_responded |= fault.spoke or fault.status is not None
        if fault.status == 401 and self._key_variable is None and self._stopped is None:
            logger.warning("%s %s", self._scrub(fault.reason), _NO_KEY_SENT)
        if fault.misplaced and not self._known.has_answered:
            if attempts >= ATTEMPTS_MISPLACED or not fault.transient:
                return replace(
                    fault, hopeless=True, reason=f"{fault.reason}{self._address_note(fault)}"
                )
        elif fault.unreached and not self._known.has_responded and attempts >= ATTEMPTS_UNREACHED:
            address = shown_address(self._address)
            words = f"{fault.reason}; nobody answers at {address}: is the server running there?"
            return replace(fault, hopeless=True, reason=words)
        return fault

    def _address_note(self, fault: Fault) -> str:
        """Return a note with the address and what may be wrong with it, unless the reason has it."""
        address = shown_address(self._address)
        if address in fault.reason:
            return ""
        is_there = fault.spoke or fault.status is not None
        return f"; asked was {address}: {advice(address) if is_there else other_scheme(address)}"

    def _is_stopped(self) -> bool:
        if self._stopped is None:
            self._stopped = self._hindrance()
        return self._stopped is not None

    def _not_asked(self, request: Request) -> Failure:
        if self._stopped is None:
            return LeftToOthers(request.number, "another job has taken it over")
        return Failure(request.number, f"not asked: {self._stopped}")

    async def _reserved_turn(self, estimate: Tokens) -> float | None:
        """Wait until an attempt may be made, and return the cost reserved for it; None if no attempt may be made."""
        try:
            reserved = await self._budget.reserve(estimate)
        except BudgetError as error:
            self._stopped = str(error)
            return None
        await self._pace.turn(sum(estimate))
        if not self._is_stopped() and self._still_ours():
            return reserved
        self._budget.settle(reserved, estimate, None)
        return None

    async def _attempt(self, number: int, repeat: int, body: bytes) -> Reply | Fault:
        clock = asyncio.get_running_loop().time
        started = clock()
        seconds = self._options.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.post(
                    self._address, content=body, cast_to=httpx2.Response
                )
            completion = completion_in(response.content)
            self._copies.require_first((number, repeat), completion, response.content)
            seconds_taken = clock() - started
            return reply_of(
                number, repeat, completion, self._model_id, seconds_taken, self._settings
            )
        except openai.APIStatusError as error:
            held_back = None if error.status_code >= 500 else withheld(number, repeat, error.body)
            return held_back or fault_of(error, seconds, self._key_variable)
        except Exception as error:
            # Any error of reading a response must not lose the answers to other requests.
            return fault_of(error, seconds, self._key_variable)

    def _log_retry(self, what: str, wait: float) -> None:
        level = logging.WARNING if wait >= _LONG_WAIT_SECONDS else logging.INFO
        logger.log(level, "%s; again in %.1f s", what, wait)

    def _wait(self, fault: Fault, attempt: int) -> float:
        longest = min(FIRST_WAIT_SECONDS * 2.0**attempt, LONGEST_WAIT_SECONDS)
        wait = self._jitter.uniform(longest / 2, longest)
        if fault.wait_seconds is None:
            return wait
        if fault.status == 429:
            self._pace.pause(fault.wait_seconds)
        # Spread, so that not all attempts come at the same moment.
        return fault.wait_seconds + self._jitter.uniform(0, min(longest, 1.0))
