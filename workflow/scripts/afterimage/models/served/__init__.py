"""A model behind a server that the job starts itself and ends with itself: vLLM, SGLang, ``transformers serve``."""

import os
import shutil
import socket
import weakref
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from afterimage.contract.model import (
    ALSO_NAMED,
    ASKED_AS,
    ON_OTHER_MODEL,
    Backend,
    ModelEntry,
    is_other_model,
)
from afterimage.errors import fault, model_entry
from afterimage.models.interface import Answer, Failure, Reply, Request
from afterimage.models.weights import Adapter, find_adapter


def load(entry: ModelEntry, part: None = None) -> Answer:
    """Start the model's server, wait until it is healthy, and return a function that asks it.

    The server ends when this function is no longer used, at the latest with this process.

    Args:
        entry: The model; ``settings["command"]`` starts the server, ``serve`` has the keys of ``ServerOptions``.

    Raises:
        AfterimageError: The command is not found, or the server does not become healthy.
    """
    # Slow imports wait until something is asked.
    from afterimage.models import openai_compatible
    from afterimage.models.openai_compatible.connection import key_of
    from afterimage.models.served.command import filled
    from afterimage.models.served.server import (
        HOST,
        Server,
        ServerOptions,
        exiting_on_signals,
        free_port,
    )

    name = entry.model_id
    served_name = entry.settings.get(ASKED_AS, name)
    adapter = find_adapter(entry)
    options = ServerOptions(**entry.serve)
    with ExitStack() as stack:
        port = stack.enter_context(free_port())
        named = {"port": port, "host": HOST, "model": name, "revision": entry.revision}
        named["adapter"] = adapter and adapter.folder
        command = filled(entry.settings["command"], named)
        _require_program(name, command[0])
        client_entry = replace(entry, model_id=served_name).with_settings(
            base_url=f"http://{HOST}:{port}/v1"
        )
        key = key_of(client_entry)
        log = Path(options.log) / f"{socket.gethostname()}-{os.getpid()}-{port}.log"
        stack.enter_context(exiting_on_signals())
        server = Server(name, command, log, key)
        stack.callback(server.stop)
        server.await_health(f"http://{HOST}:{port}{options.health}", options.start_timeout)
        ask = openai_compatible.load(client_entry, hindrance=server.why_not_running)
        running = stack.pop_all()

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for outcome in ask(requests):
            if isinstance(outcome, Reply):
                outcome = _with_weights_version(outcome, served_name, entry, adapter)
            yield outcome

    # Also at the normal end of the process.
    weakref.finalize(answer, running.close)
    return answer


def _with_weights_version(
    reply: Reply, served_name: str, entry: ModelEntry, adapter: Adapter | None
) -> Reply | Failure:
    """Return a reply with the version of the weights; a failure if another model than the adapter answered."""
    also_named = entry.settings.get(ALSO_NAMED) or ()
    if served_name != entry.model_id and is_other_model(served_name, reply.revision, also_named):
        return Failure(
            reply.number,
            f"'{served_name}' was asked, and '{reply.revision}' answered, as the server says",
        )
    versions = (entry.content, adapter.commit if adapter else None)
    return replace(reply, revision="+".join(filter(None, versions)) or reply.revision)


def _require_program(name: str, program: str) -> None:
    if shutil.which(program) is None:
        raise fault(
            model_entry(name),
            f"the program '{program}', which is to start its server, is not found; expected it on the "
            "job's PATH, or with its folder.",
        )


# The key and the rules for other models' answers do not change answers.
BACKEND = Backend(
    load,
    neutral_settings=("api_key_env", ON_OTHER_MODEL, ALSO_NAMED),
    weights_in_folder=True,
    loads=True,
)
