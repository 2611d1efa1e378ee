"""A model behind an API of OpenAI's form: chat completions, at OpenAI, another provider or a server of one's own."""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from afterimage.errors import AfterimageError
from afterimage.models.interface import Answer, Failure, Reply, Request
from afterimage.models.openai_compatible.options import ClientOptions, Tokens

#: Whose account pays changes no answer.
NEUTRAL_SETTINGS = ("api_key_env",)

_OPENAI = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
# The package insists on a key; servers of one's own do not look at it.
_NO_KEY = "none"


def load(entry: Mapping, suite: str) -> Answer:
    """Return what asks the model over the network; nothing is sent yet.

    Args:
        entry: model_id and settings; beside them ``client`` (see :class:`ClientOptions`) and ``tokens_so_far``,
            the pair of prompt and completion tokens of answers that are there already and count towards
            ``max_cost``.
        suite: Without influence.

    Raises:
        AfterimageError: The variable with the key is missing, or ``max_cost`` cannot be kept.
    """
    # What takes long to import is imported only when something is asked.
    from afterimage.models.openai_compatible.asking import Asker, connected

    options = ClientOptions(**entry.get("client", {}))
    key = _key(entry)
    _require_bounded_cost(entry, options)
    # It would write one line per request, and these are many.
    logging.getLogger("httpx2").setLevel(logging.WARNING)

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        with asyncio.Runner() as runner:
            client = connected(entry["settings"]["base_url"] or _OPENAI, key or _NO_KEY, options)
            spent = Tokens(*entry.get("tokens_so_far", (0, 0)))
            asker = Asker(client, entry["model_id"], entry["settings"], options, spent, key)
            try:
                yield from _outcomes(runner.get_loop(), asker, requests, options.concurrency)
            finally:
                runner.run(client.close())

    return answer


def _outcomes(
    loop: asyncio.AbstractEventLoop, asker, requests: Iterable[Request], concurrency: int
) -> Iterator[Reply | Failure]:
    """Ask the requests, so many at a time, and yield each outcome once it is there.

    The loop runs only while this generator is waited on, so that requests are read no faster than answers are taken.
    """
    waiting = iter(requests)
    finished: deque[asyncio.Task] = deque()
    news = asyncio.Event()
    running = set()

    def note(task: asyncio.Task) -> None:
        finished.append(task)
        news.set()

    try:
        while True:
            if len(running) < concurrency and (request := next(waiting, None)) is not None:
                task = loop.create_task(asker.ask(request))
                task.add_done_callback(note)
                running.add(task)
                # One start per turn of the loop: many at once would be prepared in step, and the server would idle
                # until the last of them is sent.
                loop.run_until_complete(asyncio.sleep(0))
            elif running:
                loop.run_until_complete(news.wait())
            else:
                return
            news.clear()
            while finished:
                task = finished.popleft()
                running.remove(task)
                yield task.result()
    finally:
        for task in running:
            task.cancel()
        if running:
            loop.run_until_complete(asyncio.wait(running))


def _key(entry: Mapping) -> str | None:
    settings = entry["settings"]
    variable = settings["api_key_env"] or (None if settings["base_url"] else _OPENAI_KEY)
    if variable is None:
        return None
    # A line break from the file that the key was read from would end up in a header.
    key = os.environ.get(variable, "").strip()
    if not key:
        raise AfterimageError(
            f"model '{entry['model_id']}': environment variable '{variable}' is not set; expected the API's key in it."
        )
    if not key.isascii() or not key.isprintable():
        raise AfterimageError(
            f"model '{entry['model_id']}': environment variable '{variable}' holds characters that no key has."
        )
    return key


def _require_bounded_cost(entry: Mapping, options: ClientOptions) -> None:
    settings = entry["settings"]
    if options.max_cost is None:
        return
    if settings["max_tokens"] is None and settings["max_completion_tokens"] is None:
        raise AfterimageError(
            f"model '{entry['model_id']}': client key 'max_cost' needs the setting 'max_tokens' or "
            "'max_completion_tokens', since otherwise no answer's cost is bounded."
        )
