"""Asking one model, through its journal: nothing twice, nothing lost."""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from types import TracebackType

from afterimage.contract.model import ModelEntry, load_backend, refuses
from afterimage.errors import AfterimageError
from afterimage.models.interface import (
    Answer,
    Failure,
    LeftToOthers,
    Repeats,
    Replies,
    Reply,
    Request,
    grouped,
    reason_of,
    storable,
    tokens_of,
    without_answer,
)
from afterimage.models.journaling.claims import Claim, Claims
from afterimage.models.journaling.entries import Answerer, answerer_of
from afterimage.models.journaling.lookup import load_index, messages
from afterimage.models.journaling.writing import Journalist
from afterimage.models.loading import breakdown_reason, loaded
from afterimage.models.progress import Progress, note, shown
from afterimage.models.weights import present_contents

logger = logging.getLogger(__name__)

# The setting that says how many answers a request gets; each has a key of its own.
_REPEATS = "repeats"


def repeats_of(entry: ModelEntry) -> tuple[int, ...]:
    """Return the repeats that a model's entry asks for: the number in its setting ``repeats``, or one."""
    return tuple(range(entry.settings.get(_REPEATS, 1)))


class Asking:
    """One model and all that a job asks of it, in one or several rounds; a context manager.

    The model is loaded once, with the first request that the journal does not answer; if there is none, never. Requests
    with the same content are asked once and share the answer. Every answer is in the journal before the next one is
    taken.

    Attributes:
        replies: All answers so far, of every round.
        failures: Number of a request to why it got no answer.
        broken: Why the model cannot be asked any more; None while it can.
        reads_metadata: Whether the backend declares that it reads the metadata of requests.
    """

    def __init__(
        self,
        entry: ModelEntry,
        part: str | None,
        journal: Path | None,
        progress: Progress,
    ) -> None:
        """Prepare; nothing is loaded, read or written yet.

        Args:
            part: Where the part of the suite is that answers, for responders that take their answers from it.
            journal: The folder of all models' journals; only responders that are not journaled do without.
            progress: Where answers are counted; shown while the model is asked.

        Raises:
            ValueError: The model is journaled and there is no journal.
        """
        self._part = part
        # A backend that counts what was spent asks for it whenever it is asked, in later rounds too.
        self._entry = replace(
            entry,
            tokens_so_far=self._tokens,
            still_ours=lambda: self._claim is None or self._claim.is_held(),
        )
        self._claim: Claim | None = None
        self._backend = load_backend(entry.backend)
        self.reads_metadata = self._backend.reads_metadata
        self._journaled = self._backend.journaled
        if self._journaled and journal is None:
            raise ValueError(
                f"model '{entry.name}' is journaled; expected the journal's folder, found none"
            )
        self._folder = (journal or Path()) / entry.name
        self._answer: Answer | None = None
        self.broken: str | None = None
        self._stack = ExitStack()
        self.replies: Replies = {}
        self.failures: dict[int, str] = {}
        self._refuses = partial(refuses, entry.backend, entry.model_id, entry.settings)
        # Answers of other models, by request and repeat, where they do not count.
        self._refused: dict[tuple[int, int], list[Reply]] = {}
        self._replaced = 0
        self._logged: set[str] = set()
        self._waits = True
        self.progress = progress

    @property
    def is_loaded(self) -> bool:
        """Whether there is a model that can be asked on."""
        return self._answer is not None and self.broken is None

    @property
    def images(self) -> int:
        """The largest number of images in a request that the model is loaded for."""
        return self._entry.images

    def begin(self, images: int = 1, waits: bool = True) -> None:
        """Begin with other requests, without replies; a loaded model stays loaded.

        Args:
            images: The largest number of images in a request, for a model that is still to be loaded.
            waits: Whether to wait for answers that another job asks for.
        """
        if self._answer is None:
            self._entry = replace(self._entry, images=images)
        self._waits = waits
        self.replies, self.failures, self._refused = {}, {}, {}
        self.progress = Progress()

    def __enter__(self) -> "Asking":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the model and close the journal's file; an exception in flight is not replaced by another."""
        self._answer = None
        self._stack.__exit__(kind, error, trace)

    def ask(
        self,
        hashes: Mapping[int, str],
        repeats: Repeats,
        requests: Callable[[Repeats], Iterator[Request]],
    ) -> None:
        """Get the wanted repeats of some requests, from the journal or from the model.

        Args:
            hashes: Number of each request, unique in this job, to the hash of its content. A number may occur again in
                a later round, with further repeats.
            repeats: The wanted repeats of each of these numbers.
            requests: Yields the requests with the given numbers and repeats in any order, lazily, so that not all
                images are in memory.

        Raises:
            AfterimageError: An answer could not be recorded, or the backend answered something that it was not asked.
                Failed requests and models that cannot be asked raise nothing; see ``failures``. Backends without a
                journal, which answer from code, may raise anything.
        """
        if self._journaled:
            self._ask_through_journal(hashes, repeats, requests)
        else:
            self.progress.expect(sum(map(len, repeats.values())), from_journal=0)
            self._ask(repeats, requests, record=None)

    def _ask_through_journal(
        self,
        hashes: Mapping[int, str],
        repeats: Repeats,
        requests: Callable[[Repeats], Iterator[Request]],
    ) -> None:
        first: dict[str, int] = {}
        wanted: dict[int, dict[int, None]] = {}
        for number, request_sha256 in hashes.items():
            same = first.setdefault(request_sha256, number)
            wanted.setdefault(same, {}).update(dict.fromkeys(repeats[number]))
        self._look_up(first, wanted)
        missing = without_answer(wanted, self.replies)
        answers = sum(map(len, wanted.values()))
        there = answers - sum(map(len, missing.values()))
        self.progress.expect(answers, from_journal=there)
        logger.info("%d of %d answers are in the journal", there, answers)
        note(self.progress)
        if missing:
            self._ask_or_wait(first, missing, requests)
        for number, request_sha256 in hashes.items():
            same = first[request_sha256]
            if same == number:
                continue
            if given := self._given(same):
                self.replies.setdefault(number, {}).update(given)
            if same in self.failures:
                self.failures[number] = self.failures[same]

    def _given(self, number: int) -> Mapping[int, Reply]:
        return self.replies.get(number, {})

    def _ask_or_wait(
        self,
        numbers: Mapping[str, int],
        missing: Repeats,
        requests: Callable[[Repeats], Iterator[Request]],
    ) -> None:
        """Ask what no other job is asking; wait for the rest until it is in the journal or no job asks it."""
        # Opened before the model is loaded: nothing is asked if no answer can be recorded.
        journalist = self._journalist
        hashes = {number: request_sha256 for request_sha256, number in numbers.items()}
        while missing:
            keys = self._keys(numbers, missing)
            with self._claims.claim(keys) as claim:
                self._claim = claim
                mine = grouped(at for key, at in keys.items() if key in claim.keys)
                # Answers that were recorded between the first lookup and the claim.
                self._look_up_more(numbers, mine)
                if left := without_answer(mine, self.replies):
                    self._ask(
                        left,
                        claim.while_held(requests),
                        lambda reply: journalist.record(hashes[reply.number], reply),
                    )
                    # Other jobs that wait for these answers have to find them.
                    journalist.sync()
                done = claim.keys if claim.is_held() else frozenset()
            missing = grouped(at for key, at in keys.items() if key not in done)
            if claim.others and not self._waits:
                return
            if claim.others:
                self._claims.wait(claim.others, self._entry.name, sum(map(len, missing.values())))
            if missing:
                self._look_up_more(numbers, missing)
                missing = {
                    number: left
                    for number, left in without_answer(missing, self.replies).items()
                    if number not in self.failures
                }

    def _look_up_more(self, numbers: Mapping[str, int], wanted: Repeats) -> None:
        """Look for answers that other jobs have recorded since the first lookup, and count them."""
        before = sum(map(len, without_answer(wanted, self.replies).values()))
        self._look_up(numbers, wanted)
        after = sum(map(len, without_answer(wanted, self.replies).values()))
        self.progress.from_journal += before - after

    def _keys(
        self, numbers: Mapping[str, int], wanted: Mapping[int, Collection[int]]
    ) -> dict[str, tuple[int, int]]:
        """Return the keys of answers, each to the number of its request and to its repeat."""
        keys = self._answerer.keys()
        return {
            keys.key(request_sha256, repeat): (number, repeat)
            for request_sha256, number in numbers.items()
            for repeat in wanted.get(number, ())
        }

    def _look_up(self, numbers: Mapping[str, int], wanted: Mapping[int, Collection[int]]) -> None:
        sought = {key: number for key, (number, _) in self._keys(numbers, wanted).items()}
        index = load_index(self._folder, self._answerer, sought, self._contents, self._refuses)
        for refused in index.refused:
            self._refused[refused[0].number, refused[0].repeat] = refused
        for level, sentence in messages(index, self._entry.model_id):
            if sentence not in self._logged:
                self._logged.add(sentence)
                logger.log(level, "%s", sentence)
        for reply in map(self._kept, index.answers.values()):
            self.replies.setdefault(reply.number, {})[reply.repeat] = reply
            self.progress.count_tokens(reply)

    def _kept(self, reply: Reply) -> Reply:
        """Return a storable reply and log what was replaced, the first time as a warning."""
        kept, words = storable(reply)
        if words:
            self._replaced += 1
            level = logging.WARNING if self._replaced == 1 else logging.INFO
            logger.log(
                level, "the answer to request %d cannot be kept whole: %s", reply.number, words
            )
        return kept

    @cached_property
    def _answerer(self) -> Answerer:
        return answerer_of(self._entry, (*self._backend.neutral_settings, _REPEATS))

    @cached_property
    def _contents(self) -> tuple[str, ...]:
        """The hashes of the folder of weights, computed once and before the model is loaded."""
        return present_contents(self._entry, self._backend, self._answerer, self._folder)

    @cached_property
    def _journalist(self) -> Journalist:
        return self._stack.enter_context(Journalist(self._folder, self._answerer))

    @cached_property
    def _claims(self) -> Claims:
        return Claims(self._folder)

    def _ask(
        self,
        missing: Repeats,
        requests: Callable[[Repeats], Iterator[Request]],
        record: Callable[[Reply], None] | None,
    ) -> None:
        """Ask for missing answers; add answers and failures to those of earlier rounds, and count them."""
        with shown(self.progress, self._entry.name) as refresh:
            for outcome in self._outcomes(missing, requests):
                self._require_asked(outcome.number, missing)
                if isinstance(outcome, LeftToOthers):
                    continue
                if isinstance(outcome, Failure):
                    self._note_failure(outcome, missing[outcome.number])
                elif outcome.repeat not in self._given(outcome.number):
                    outcome = self._kept(outcome)
                    # An answer that was paid for is kept, even a superfluous one.
                    if record is not None:
                        record(outcome)
                    self._take(outcome, missing[outcome.number])
                refresh()

    def _take(self, reply: Reply, wanted: tuple[int, ...]) -> None:
        """Count a new reply as an answer, or as a failure if its model is refused."""
        if self._refuses(reply.revision):
            self._refused.setdefault((reply.number, reply.repeat), []).append(reply)
            words = f"another model answered: {reply.revision}"
            self._note_failure(Failure(reply.number, words), wanted)
            return
        self.replies.setdefault(reply.number, {})[reply.repeat] = reply
        self._require_wanted(reply, wanted)
        self.progress.answered += 1
        self.progress.count_tokens(reply)

    def _tokens(self) -> tuple[int, ...]:
        """Return the tokens of all answers so far, including refused ones, which were paid for as well."""
        refused = dict(enumerate(chain.from_iterable(self._refused.values())))
        counted, others = tokens_of(self.replies), tokens_of({0: refused})
        return tuple(map(sum, zip(counted, others, strict=True)))

    def _outcomes(
        self, missing: Repeats, requests: Callable[[Repeats], Iterator[Request]]
    ) -> Iterator[Reply | Failure]:
        """Yield the backend's outcomes; if it breaks down, all remaining requests fail."""
        if self.broken is None:
            try:
                if self._answer is None:
                    content = self._contents[0] if self._journaled and self._contents else None
                    self._answer = loaded(self._backend, self._entry, self._part, content)
                self.progress.start()
                yield from self._answer(requests(missing))
                return
            except BaseException as error:
                # A panic of a library in Rust is no Exception.
                reason_of(error, "")
                if not self._journaled:
                    # This package's own code has failed, no server and no model.
                    raise
                self.broken = breakdown_reason(error)
        for number, wanted in missing.items():
            given = self._given(number)
            if number not in self.failures and any(repeat not in given for repeat in wanted):
                yield Failure(number, self.broken)

    def _note_failure(self, failure: Failure, wanted: tuple[int, ...]) -> None:
        if failure.number not in self.failures:
            given = self._given(failure.number)
            self.progress.failed += sum(repeat not in given for repeat in wanted)
        self.failures[failure.number] = failure.reason

    def _require_asked(self, number: int, missing: Repeats) -> None:
        if number not in missing:
            raise AfterimageError(
                f"backend '{self._entry.backend}' answered request {number}, which it was not asked."
            )

    def _require_wanted(self, reply: Reply, wanted: tuple[int, ...]) -> None:
        if reply.repeat not in wanted:
            raise AfterimageError(
                f"backend '{self._entry.backend}' gave answer number {reply.repeat} (from 0) to one request; "
                f"expected only the repeats that were asked for: {', '.join(map(str, wanted))}."
            )
