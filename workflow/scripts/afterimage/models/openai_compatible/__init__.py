"""A model behind an API of OpenAI's form: chat completions, at OpenAI, another provider or a server of one's own."""

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from afterimage.contract.model import ALSO_NAMED, ON_OTHER_MODEL, Backend, ModelEntry
from afterimage.contract.scores import as_json
from afterimage.errors import fault, model_entry
from afterimage.models.interface import Answer, Failure, Reply, Request
from afterimage.models.openai_compatible.options import BATCH, ClientOptions, Tokens
from afterimage.models.openai_compatible.turns import run_whole_turns

if TYPE_CHECKING:
    from afterimage.models.openai_compatible.asking import Asker

logger = logging.getLogger(__name__)

#: The key and the rules for other models' answers do not change answers.
NEUTRAL_SETTINGS = ("api_key_env", ON_OTHER_MODEL, ALSO_NAMED)


def load(
    entry: ModelEntry, part: None = None, hindrance: Callable[[], str | None] | None = None
) -> Answer:
    """Return a function that asks the model over the network; nothing is sent yet.

    Args:
        entry: The model; ``client`` has the keys of :class:`ClientOptions`.
        hindrance: Called before each attempt: returns why further attempts are useless, or None.

    Raises:
        AfterimageError: The variable with the key is missing, the address is invalid, or ``max_cost`` cannot be kept.
    """
    # Slow imports wait until something is asked.
    from afterimage.models.openai_compatible.connection import key_of, require_address

    options = ClientOptions(**entry.client)
    key = key_of(entry)
    require_address(entry)
    _require_bounded_cost(entry, options)
    if options.mode == BATCH:
        from afterimage.models.openai_compatible.batching import batched

        return _without_key(batched(entry, options, key, NEUTRAL_SETTINGS), key)
    return _without_key(_online(entry, options, key, hindrance), key)


def _without_key(answer: Answer, key: str | None) -> Answer:
    """Return the same function with the key covered in everything from the server."""
    from afterimage.models.scrubbing import Scrubber

    scrub = Scrubber(key)

    def answered(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for outcome in answer(requests):
            changes: dict[str, Any] = {
                name: covered
                for name, value in vars(outcome).items()
                if isinstance(value, str) and (covered := scrub(value)) != value
            }
            if getattr(outcome, "scores", None) is not None and _repeats(outcome, changes, scrub):
                changes["scores"] = None
            if changes:
                logger.warning("request %d: the server repeated the key", outcome.number)
            yield replace(outcome, **changes) if changes else outcome

    return answered


def _repeats(reply: Any, changes: dict[str, Any], scrub: Callable[[str], str]) -> bool:
    """Tell whether the tokens of a reply contain the key, together, as its text, or one of them."""
    scores = as_json(reply.scores) or ""
    return "text" in changes or scrub(scores) != scores


def _online(
    entry: ModelEntry,
    options: ClientOptions,
    key: str | None,
    hindrance: Callable[[], str | None] | None,
) -> Answer:
    from afterimage.models.openai_compatible.asking import Asker, Copies, Known, no_hindrance
    from afterimage.models.openai_compatible.connection import connected
    from afterimage.models.openai_compatible.limits import Budget

    budget, copies, known = Budget(options), Copies(), Known()

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        budget.begin(Tokens(*entry.tokens_so_far()))
        runner = asyncio.Runner()
        client = connected(entry.settings["base_url"], key, options)
        asker = Asker(
            client,
            entry.model_id,
            entry.settings,
            options,
            budget,
            copies,
            key,
            hindrance or no_hindrance,
            known,
            entry.still_ours,
        )
        try:
            yield from _outcomes(runner.get_loop(), asker, requests, options.concurrency)
        finally:
            if not sys.is_finalizing():
                runner.run(client.close())
                runner.close()

    return answer


def _outcomes(
    loop: asyncio.AbstractEventLoop, asker: "Asker", requests: Iterable[Request], concurrency: int
) -> Iterator[Reply | Failure]:
    """Ask every repeat of the requests, up to ``concurrency`` at a time, and yield each outcome when it arrives.

    The loop runs only while the caller waits for this generator, so that requests are read no faster than answers are
    consumed.
    """
    questions = ((request, repeat) for request in requests for repeat in request.repeats)
    finished: deque[asyncio.Task[Reply | Failure]] = deque()
    running = set()
    is_closing = False

    def note(task: asyncio.Task[Reply | Failure]) -> None:
        finished.append(task)
        if not is_closing:
            loop.stop()

    def start() -> bool:
        if (question := next(questions, None)) is None:
            return False
        task = loop.create_task(asker.ask(*question))
        task.add_done_callback(note)
        running.add(task)
        return True

    try:
        # At first one per turn of the loop: many at once would be prepared together, and the server would idle until
        # the last of them is sent.
        while len(running) < concurrency and start():
            loop.call_soon(loop.stop)
            run_whole_turns(loop)
        while running:
            if not finished:
                run_whole_turns(loop)
            while finished:
                task = finished.popleft()
                running.remove(task)
                yield task.result()
                start()
    finally:
        is_closing = True
        for task in running:
            task.cancel()
        # While the interpreter shuts down, no thread can be started, and a loop that needs one would wait for ever.
        if running and not sys.is_finalizing():
            loop.run_until_complete(asyncio.wait(running))


def _require_bounded_cost(entry: ModelEntry, options: ClientOptions) -> None:
    settings = entry.settings
    if options.max_cost is None:
        return
    if settings["max_tokens"] is None and settings["max_completion_tokens"] is None:
        raise fault(
            model_entry(entry.name),
            "client key 'max_cost' needs the setting 'max_tokens' or "
            "'max_completion_tokens', since otherwise no answer's cost is bounded.",
        )


BACKEND = Backend(load, neutral_settings=NEUTRAL_SETTINGS)
