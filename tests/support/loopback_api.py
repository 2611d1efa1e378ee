"""A server on loopback with chat completions of OpenAI's form, which behaves as well or as badly as a test wants."""

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Call:
    """What reached the server, and what became of it."""

    path: str
    headers: dict[str, str]
    #: The parsed JSON; empty where the body is something else.
    body: dict
    at: float
    method: str = "POST"
    #: The body as it came, where it is no JSON.
    raw: bytes = b""
    #: When a whole and sound answer began to be written to a client that was still there.
    answered_at: float | None = None

    @property
    def text(self) -> str:
        """The last text that was asked."""
        content = self.body["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return [part["text"] for part in content if part["type"] == "text"][-1]


def _is_held_by_nobody() -> bool:
    return False


@dataclass(frozen=True)
class Reaction:
    """What the server does with a call.

    Attributes:
        body: The response's body.
        status: HTTP status.
        headers: Beyond those that every response has.
        seconds: How long it takes.
        held: While it is true, the response waits: for whatever a test wants to happen before, however long that
            takes on a busy machine.
        written: How many bytes of body are written before the connection is cut; None for all; -1 for not even a
            status line.
        sized: Whether the response says how long its body is.
        sound: Whether it is an answer.
        raw: What is written in place of a response, before the connection is closed.
        before: What is written before the response, such as an interim one.
        after: What nobody asked for and is written behind the response, on the same connection.
        after_seconds: How much later; at 0 it goes out together with the response.
    """

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    held: Callable[[], bool] = _is_held_by_nobody
    written: int | None = None
    sized: bool = True
    sound: bool = False
    raw: bytes | None = None
    before: bytes = b""
    after: bytes = b""
    after_seconds: float = 0.0

    @property
    def whole(self) -> bytes:
        """The response as it is written, all of it."""
        head = [f"HTTP/1.1 {self.status} Status", "Content-Type: application/json"]
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        head += [f"Content-Length: {len(self.body)}"] if self.sized else ["Connection: close"]
        return "\r\n".join([*head, "", ""]).encode() + self.body


def completion(
    text, finish_reason="stop", refusal=None, usage=(100, 5), seconds=0.0, name="c", held=None
) -> Reaction:
    """An answer; ``name`` is its id."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "finish_reason": finish_reason, "message": message}
    counts = usage and {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    whole = {"id": name, "object": "chat.completion", "choices": [choice], "usage": counts}
    body = json.dumps(whole).encode()
    return Reaction(body, seconds=seconds, sound=True, held=held or _is_held_by_nobody)


def refused(status, message, headers=None, code=None) -> Reaction:
    """An error in OpenAI's form."""
    error = {"error": {"message": message, "type": "error", "code": code}}
    return Reaction(json.dumps(error).encode(), status, headers or {})


class LoopbackApi:
    """The server, in a thread of its own; a context manager.

    Attributes:
        calls: Everything that came, in order.
        most_at_once: The largest number of calls that were under way together.
    """

    def __init__(self, react: Callable[[Call], Reaction], certificate=None, port=0) -> None:
        self._react = react
        self._wanted_port = port
        self._tls = None
        if certificate is not None:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.calls: list[Call] = []
        self.most_at_once = 0
        self._at_once = 0
        self._failure: OSError | None = None

    @property
    def port(self) -> int:
        """Where it listens, known once it does."""
        return self._port

    @property
    def url(self) -> str:
        """What goes into ``base_url``."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}/v1"

    def __enter__(self):
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._main.cancel)
        self._thread.join()

    def _serve(self):
        self._main = self._loop.create_task(self._listen())
        try:
            self._loop.run_until_complete(self._main)
        except asyncio.CancelledError:
            rest = asyncio.all_tasks(self._loop)
            for task in rest:
                task.cancel()
            if rest:
                self._loop.run_until_complete(asyncio.wait(rest))
        finally:
            self._loop.close()

    async def _listen(self):
        try:
            server = await asyncio.start_server(
                self._connection,
                "127.0.0.1",
                self._wanted_port,
                ssl=self._tls,
                limit=2**24,
                backlog=512,
            )
        except OSError as error:
            self._failure = error
            self._ready.set()
            return
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        try:
            await asyncio.Event().wait()
        finally:
            # At once, so that the next server can have its port.
            server.close()

    async def _connection(self, reader, writer):
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader, writer) -> bool:
        request, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        pairs = (line.split(": ", 1) for line in lines)
        headers = {name.lower(): value for name, value in pairs}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        is_json = headers.get("content-type", "").split(";")[0] == "application/json" and raw
        body, raw = (json.loads(raw), b"") if is_json else ({}, raw)
        method, path, _ = request.split()
        call = Call(path, headers, body, time.monotonic(), method, raw)
        self.calls.append(call)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            reaction = self._react(call)
            await asyncio.sleep(reaction.seconds)
            while reaction.held():
                await asyncio.sleep(0.01)
        finally:
            self._at_once -= 1
        if reader.at_eof() or reaction.written == -1:
            return False
        if reaction.raw is not None:
            writer.write(reaction.raw)
            await writer.drain()
            return False
        end = None if reaction.written is None else reaction.written - len(reaction.body)
        together = b"" if reaction.after_seconds else reaction.after
        if reaction.sound:
            # Before the client can have it: who asks it goes on in a thread of its own.
            call.answered_at = time.monotonic()
        writer.write(reaction.before + reaction.whole[: end or None] + together)
        if reaction.after_seconds:
            self._loop.call_later(reaction.after_seconds, _write_if_open, writer, reaction.after)
        await writer.drain()
        return reaction.sized and reaction.written is None


def _write_if_open(writer, content):
    if not writer.is_closing():
        writer.write(content)
