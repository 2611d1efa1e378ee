"""Waiting for batches, and the outcomes of their requests."""

import json
import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from afterimage.models.interface import Failure, Reply
from afterimage.models.openai_compatible.asking import Copies
from afterimage.models.openai_compatible.batch_api import (
    BatchApi,
    BatchFaultError,
    BatchState,
    TooLong,
)
from afterimage.models.openai_compatible.batch_records import BatchFolder, BatchRecord
from afterimage.models.openai_compatible.limits import Budget
from afterimage.models.openai_compatible.messages import outcome_of
from afterimage.models.openai_compatible.options import Tokens
from afterimage.models.openai_compatible.replies import NoAnswerError, used_tokens

logger = logging.getLogger(__name__)

#: After this many consecutive failures to get the state of a batch, this job stops waiting.
FRUITLESS_POLLS = 3
#: Batches have 24 hours; a job stops waiting for one after this time.
LONGEST_BATCH_SECONDS = 48 * 3600.0


@dataclass(frozen=True)
class Pending:
    """One repeat of a request in a batch, and the cost reserved for it."""

    number: int
    repeat: int
    estimate: Tokens
    reserved: float


@dataclass(eq=False)
class Batch:
    """A batch, and the answers that this job expects from it.

    Attributes:
        pending: Expected answers, by custom id.
        state: Its last known state.
        fruitless: Consecutive failures to get its state.
        unknown: Why it is unknown whether the API has it.
        since: When this job began to wait for it.
    """

    record: BatchRecord
    pending: dict[str, Pending] = field(default_factory=dict)
    state: BatchState | None = None
    fruitless: int = 0
    unknown: BatchFaultError | None = None
    since: float = field(default_factory=time.monotonic)


class Waiting:
    """The batches that a job waits for."""

    def __init__(
        self,
        api: BatchApi,
        folder: BatchFolder,
        budget: Budget,
        model_id: str,
        poll_seconds: float,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self._api = api
        self._folder = folder
        self._budget = budget
        self._model_id = model_id
        self._poll_seconds = poll_seconds
        self._settings = settings
        self._copies = Copies()
        self._waiting: list[Batch] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, batch: Batch) -> None:
        if batch not in self._waiting:
            self._waiting.append(batch)

    def first_outcomes(self) -> Iterator[Reply | Failure]:
        """Wait until a batch is finished, and yield the outcomes of its requests."""
        while True:
            for batch in tuple(self._waiting):
                try:
                    state = self._state_if_over(batch)
                except BatchFaultError as error:
                    self._waiting.remove(batch)
                    yield from self._lost_from_sight(batch, error)
                    return
                if state is not None:
                    self._waiting.remove(batch)
                    yield from self._outcomes(batch, state)
                    return
            time.sleep(self._poll_seconds)

    def _state_if_over(self, batch: Batch) -> BatchState | None:
        try:
            state = self._api.state(str(batch.record.batch_id))
        except BatchFaultError as error:
            batch.fruitless += 1
            if not error.transient or batch.fruitless >= FRUITLESS_POLLS:
                raise
            logger.warning("batch %s: %s", batch.record.batch_id, error)
            return None
        batch.fruitless = 0
        if state != batch.state:
            logger.info("%s", state)
        batch.state = state
        if not state.is_over and time.monotonic() - batch.since > LONGEST_BATCH_SECONDS:
            hours = LONGEST_BATCH_SECONDS / 3600
            words = f"it is '{self._api.shown(state.status)}' after {hours:g} hours"
            raise BatchFaultError(words, transient=True)
        return state if state.is_over else None

    def _outcomes(self, batch: Batch, state: BatchState) -> Iterator[Reply | Failure]:
        wanted = set(batch.pending)
        kept: set[str] = set()
        failed: set[str] = set()
        too_long = 0
        try:
            for result in self._api.results(state, batch.record, self._folder.path):
                if isinstance(result, TooLong):
                    too_long += 1
                    continue
                name = str(result.get("custom_id"))
                pending = batch.pending.pop(name, None)
                if pending is not None:
                    outcome = self._outcome(pending, result)
                    failed |= {name} if isinstance(outcome, Failure) else set()
                    yield outcome
                # Answers for other jobs, and an answer after a failure; other repeated results count once.
                elif (name not in wanted or name in failed) and self._is_answer(result):
                    kept.add(name)
        except BatchFaultError as error:
            yield from self._lost_from_sight(batch, error)
            return
        words = f" ({state.reason})" if state.reason else ""
        reason = f"batch {state.batch_id} has ended without an answer to it: {state.status}{words}"
        if too_long:
            # They exist and were paid for: with a higher limit a later run reads them.
            kept |= batch.pending.keys()
            reason += (
                f"; {too_long} lines of its results are longer than client key 'max_response_mb' allows: raise it and "
                "run again to fetch them"
            )
        yield from self.give_up(batch, reason)
        # This job's answers are recorded by now; failed requests have to be asked again.
        self._folder.keep(batch.record.token, kept)

    def _is_answer(self, result: Mapping[str, Any]) -> bool:
        return isinstance(outcome_of(result, 0, 0, self._model_id), Reply)

    def _outcome(self, pending: Pending, result: Mapping[str, Any]) -> Reply | Failure:
        outcome = outcome_of(result, pending.number, pending.repeat, self._model_id, self._settings)
        if isinstance(outcome, Reply):
            outcome = self._copy_in(pending, result) or outcome
        if isinstance(outcome, Reply):
            used = used_tokens(outcome, pending.estimate)
            self._budget.settle(pending.reserved, pending.estimate, used)
            return outcome
        self._budget.settle(pending.reserved, pending.estimate, None)
        return Failure(pending.number, self._api.shown(outcome))

    def _copy_in(self, pending: Pending, result: Mapping[str, Any]) -> str | None:
        """Return an error text if a result is a copy of another request's; else None."""
        response = result.get("response")
        body = response.get("body") if isinstance(response, Mapping) else None
        content = json.dumps(body, sort_keys=True).encode()
        try:
            self._copies.require_first((pending.number, pending.repeat), body, content)
        except NoAnswerError as error:
            return f"an error in place of an answer: {error}"
        return None

    def give_up(
        self, batch: Batch, reason: str, kind: type[Failure] = Failure
    ) -> Iterator[Failure]:
        """Give up the requests of a batch."""
        while batch.pending:
            _, pending = batch.pending.popitem()
            self._budget.settle(pending.reserved, pending.estimate, None)
            yield kind(pending.number, reason)

    def _lost_from_sight(self, batch: Batch, error: BatchFaultError) -> Iterator[Failure]:
        """Give up the requests of a batch with unknown state; they may have to be paid for."""
        for pending in batch.pending.values():
            self._budget.charge(pending.reserved)
        file = self._folder.record_file(batch.record.token)
        yield from self.give_up(
            batch,
            f"batch {batch.record.batch_id} was handed over, and its answers cannot be had now: {error}; run again to "
            f"fetch them, or delete {file} to ask again",
        )
