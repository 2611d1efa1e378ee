"""Requests through a Batch API: submitted together, answered within a day, at half the price.

Batches are recorded on disk before they are submitted, so that a later job continues where a killed one stopped.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.errors import fault, model_entry
from afterimage.models.interface import Answer, Failure, LeftToOthers, Reply, Request, reason_of
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.openai_compatible.batch_api import BatchApi, BatchFaultError
from afterimage.models.openai_compatible.batch_records import (
    BatchFolder,
    RequestsFile,
    custom_id,
    forget_recorded,
)
from afterimage.models.openai_compatible.batch_waiting import Batch, Pending, Waiting
from afterimage.models.openai_compatible.connection import connected_for_batches, key_variable
from afterimage.models.openai_compatible.limits import Budget, BudgetError
from afterimage.models.openai_compatible.messages import estimated_tokens
from afterimage.models.openai_compatible.options import ClientOptions, Tokens, batch_form_of

logger = logging.getLogger(__name__)


def batched(
    entry: ModelEntry, options: ClientOptions, key: str | None, neutral: Collection[str]
) -> Answer:
    """Return a function that asks a model in batches; nothing is sent yet.

    Args:
        options: Options of the client; ``batches`` is the folder of batches in progress.
        neutral: Settings that change no answer.

    Raises:
        AfterimageError: There is no such folder.
    """
    if options.batches is None:
        raise fault(
            model_entry(entry.name),
            "client key 'mode' is 'batch', which works in jobs of the workflow only; "
            "expected 'online' here.",
        )
    answerer = answerer_of(entry, (*neutral, "repeats"))
    folder = BatchFolder(Path(options.batches))
    budget = Budget(options)

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        budget.begin(Tokens(*entry.tokens_so_far()))
        folder.remove_abandoned()
        forget_recorded(folder, answerer)
        with connected_for_batches(entry.settings["base_url"], key, options) as client:
            api = api_of(entry.settings["base_url"], options)(
                client, options, key, key_variable(entry.settings), entry.model_id
            )
            asking = _Asking(entry, options, folder, answerer.header(), api, budget)
            try:
                yield from asking.run(requests)
            finally:
                asking.close()

    return answer


def api_of(base_url: str | None, options: ClientOptions) -> type[BatchApi]:
    """Return the class for the batch format of an address, or for the one that the client names."""
    match options.batch_form or batch_form_of(base_url):
        case "anthropic":
            from afterimage.models.openai_compatible.batch_anthropic import MessageBatches

            return MessageBatches
        case "gemini":
            from afterimage.models.openai_compatible.batch_gemini import GeminiBatches

            return GeminiBatches
        case _:
            return BatchApi


class _Asking:
    """The requests of one call."""

    def __init__(
        self,
        entry: ModelEntry,
        options: ClientOptions,
        folder: BatchFolder,
        answerer: Mapping[str, Any],
        api: BatchApi,
        budget: Budget,
    ) -> None:
        self._model_id = entry.model_id
        self._settings = entry.settings
        self._still_ours = entry.still_ours
        self._folder = folder
        self._answerer = answerer
        self._api = api
        self._budget = budget
        # Of two batches with the same request the later one counts.
        self._earlier = {
            name: batch
            for batch in map(Batch, folder.records(answerer))
            for name in batch.record.custom_ids
        }
        self._waiting = Waiting(
            api, folder, budget, self._model_id, options.poll_seconds, entry.settings
        )
        self._filling: tuple[Batch, RequestsFile] | None = None
        self._refused: str | None = None

    def run(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Submit requests that are in no batch yet, wait for all batches, and yield every outcome."""
        for request in requests:
            try:
                estimate = estimated_tokens(request.messages, self._settings)
            except BaseException as error:
                yield Failure(request.number, reason_of(error, "it cannot be asked"))
                continue
            for repeat in request.repeats:
                earlier = self._earlier.get(custom_id(request, repeat))
                if earlier is None or not self._was_made(earlier):
                    yield from self._add(request, repeat, estimate)
                elif earlier.unknown is None:
                    self._join(earlier, request, repeat, estimate)
                else:
                    yield Failure(request.number, self._unknown(earlier))
        yield from self._hand_over()
        while self._waiting:
            yield from self._waiting.first_outcomes()

    def close(self) -> None:
        """Remove a batch that was not submitted."""
        if self._filling is not None:
            self._filling[1].close(keep=False)

    def _join(self, batch: Batch, request: Request, repeat: int, estimate: Tokens) -> None:
        """Wait for an earlier batch, which contains this request."""
        reserved = self._budget.owe(estimate)
        batch.pending[custom_id(request, repeat)] = Pending(
            request.number, repeat, estimate, reserved
        )
        self._waiting.add(batch)

    def _was_made(self, batch: Batch) -> bool:
        """Tell whether a batch of a killed or running job exists, and get its name."""
        if batch.record.batch_id is not None or batch.unknown is not None:
            return True
        with self._folder.made(batch.record.token) as record:
            if record is not None and record.batch_id is None:
                try:
                    record = replace(record, batch_id=self._api.find(record))
                except BatchFaultError as error:
                    batch.unknown = error
                    return True
                self._folder.named(record)
        if record is None or record.batch_id is None:
            self._earlier = {
                name: other for name, other in self._earlier.items() if other is not batch
            }
            return False
        batch.record = record
        return True

    def _unknown(self, batch: Batch) -> str:
        file = self._folder.record_file(batch.record.token)
        return (
            f"not asked: an earlier job was about to hand it over, and whether it did cannot be learnt now: "
            f"{batch.unknown}; run again, or delete {file} if there is no such batch"
        )

    def _add(self, request: Request, repeat: int, estimate: Tokens) -> Iterator[Reply | Failure]:
        """Add a request to a batch; yield outcomes of others if it has to wait for them."""
        name = custom_id(request, repeat)
        try:
            body = self._api.body(self._model_id, request, self._settings, repeat)
        except BaseException as error:
            yield Failure(request.number, reason_of(error, "it cannot be asked"))
            return
        size = len(self._api.line("", name, body)), self._api.max_requests, self._api.max_bytes
        if self._filling is not None and not self._filling[1].holds(*size):
            yield from self._hand_over()
        while True:
            if self._refused is not None:
                yield Failure(request.number, f"not asked: {self._refused}")
                return
            try:
                reserved = self._budget.reserve_now(estimate)
            except BudgetError as error:
                yield Failure(request.number, f"not asked: {error}")
                return
            if reserved is not None:
                break
            # It may fit when the costs of other answers are known.
            yield from self._hand_over()
            if self._waiting:
                yield from self._waiting.first_outcomes()
        if self._filling is None:
            batch = Batch(self._folder.new(self._answerer))
            self._filling = batch, self._folder.writing(batch.record.token)
        batch, file = self._filling
        file.append(self._api.line(batch.record.token, name, body))
        batch.pending[name] = Pending(request.number, repeat, estimate, reserved)

    def _hand_over(self) -> Iterator[Failure]:
        """Submit the current batch; yield failures if the API refuses it."""
        if self._filling is None:
            return
        (batch, file), self._filling = self._filling, None
        if not self._still_ours():
            file.close(keep=False)
            yield from self._waiting.give_up(batch, "another job has taken it over", LeftToOthers)
            return
        record = replace(batch.record, custom_ids=tuple(batch.pending))
        try:
            file.flush()
            self._folder.write(record)
            record = replace(record, file_id=self._api.upload(record, file.path))
            self._folder.write(record)
            record = replace(record, batch_id=self._api.create(record, file.path))
            self._folder.write(record)
        except BatchFaultError as error:
            self._refused = f"the batch could not be handed over: {error}"
            if not error.transient:
                self._folder.keep(record.token, set())
            file.close(keep=error.transient)
            batch.record = record
            yield from self._waiting.give_up(batch, self._refused)
            return
        except BaseException:
            file.close(keep=True)
            raise
        file.close(keep=False)
        batch.record = record
        self._waiting.add(batch)
        logger.info("batch %s: %d requests handed over", record.batch_id, len(batch.pending))
