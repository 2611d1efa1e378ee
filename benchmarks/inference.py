"""How fast a model behind an API is asked, against what the server's latency allows.

    python benchmarks/inference.py [--requests 20000] [--latency-ms 50] [--concurrency 64] [--times 3]

A server on loopback, in a process of its own, takes the latency for every answer. Ideal is
`requests x latency / concurrency`; the ratio is the ideal time divided by the measured one, the median of several
measurements, each with a server and a client of its own. In the same run are measured: bare sockets, which shows what
server and system leave to be reached, and the `openai` package with one request that is made once. Every request of
the backend carries an image of its own. Memory (Linux): resident set of the process that asks, a tenth, half and all
the way through.
"""

import argparse
import asyncio
import json
import os
import selectors
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import numpy as np
from tabulate import tabulate

from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Failure, Image, Message, Request
from afterimage.models.openai_compatible import load
from afterimage.models.openai_compatible.connection import chat_address, connected
from afterimage.models.openai_compatible.messages import chat_json
from afterimage.models.openai_compatible.options import ClientOptions

#: About the size of a stimulus' PNG.
IMAGE_BYTES = 6000
SETTINGS = {
    "api_key_env": None,
    "temperature": 0,
    "top_p": None,
    "seed": None,
    "max_tokens": 64,
    "max_completion_tokens": None,
    "image_detail": None,
    "extra_body": {},
}
QUESTION = "Which of the two circles is larger? Answer with left, right or same. " * 8
#: What is measured only for comparison takes no long measurement.
REQUESTS_FOR_COMPARISON = 8000
PATH = "/chat/completions"

Ask = Callable[[], Awaitable[object]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--requests", type=int, default=20_000)
    options.add_argument("--latency-ms", type=float, default=50)
    options.add_argument("--concurrency", type=int, default=64)
    options.add_argument("--times", type=int, default=3)
    options.add_argument("--only", choices=list(WAYS), help="measure one way only")
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--ask", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        serve(chosen.latency_ms / 1000)
    elif chosen.ask:
        way, url = chosen.ask
        print(json.dumps(WAYS[way](url, chosen.requests, chosen.concurrency)))
    else:
        measure(chosen)


def measure(chosen: argparse.Namespace) -> None:
    rows, memory = [], None
    for way in [chosen.only] if chosen.only else WAYS:
        count = chosen.requests
        if way != "backend":
            count = min(count, REQUESTS_FOR_COMPARISON)
        ideal = count * chosen.latency_ms / 1000 / chosen.concurrency
        seen = [in_processes_of_their_own(way, count, chosen) for _ in range(chosen.times)]
        memory = memory or seen[0].get("memory_mib")
        ratios = [ideal / one["seconds"] for one in seen]
        ratio = statistics.median(ratios)
        rows.append(
            (
                way,
                f"{count:,}",
                f"{ratio * count / ideal:,.0f} of {count / ideal:,.0f}",
                f"{ratio:.3f} ({min(ratios):.3f} to {max(ratios):.3f})",
                *(
                    f"{statistics.median(one[name] for one in seen) / count * 1000:.2f}"
                    for name in ("cpu_seconds", "server_cpu_seconds")
                ),
            )
        )
    headers = ("asked by", "requests", "per second", "ratio", "CPU ms per request", "server's")
    print(f"latency {chosen.latency_ms:g} ms, concurrency {chosen.concurrency}\n")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))
    if memory:
        shown = ", ".join(f"{mib:.1f}" for mib in memory)
        print(f"\nmemory after a tenth, half and all of {chosen.requests:,} requests: {shown} MiB")


def in_processes_of_their_own(way: str, count: int, chosen: argparse.Namespace) -> dict:
    command = [sys.executable, __file__, "--latency-ms", str(chosen.latency_ms)]
    server = subprocess.Popen(
        [*command, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        sizes = ["--requests", str(count), "--concurrency", str(chosen.concurrency)]
        asked = subprocess.run(
            [*command, *sizes, "--ask", way, url], stdout=subprocess.PIPE, text=True, check=True
        )
        server.stdin.close()
        served = json.loads(server.stdout.read())
    finally:
        server.kill()
        server.wait()
    return {**json.loads(asked.stdout), **served}


# ---- ways of asking ----


def through_backend(url: str, count: int, concurrency: int) -> dict:
    settings, client = {**SETTINGS, "base_url": url}, {"concurrency": concurrency}
    entry = ModelEntry("m", "openai_compatible", "m", settings=settings, client=client)
    answer = load(entry, "illusion_vqa")
    memory = []
    started, cpu = time.perf_counter(), time.process_time()
    for number, outcome in enumerate(answer(requests(count)), start=1):
        if isinstance(outcome, Failure):
            sys.exit(outcome.reason)
        if number in (count // 10, count // 2, count):
            memory.append(resident_mib())
    return {**spent(started, cpu), "memory_mib": memory}


def through_openai(url: str, count: int, concurrency: int) -> dict:
    import httpx2

    @asynccontextmanager
    async def asking() -> AsyncIterator[Ask]:
        body, address = one_body(), chat_address(url)
        async with connected(url, None, ClientOptions(concurrency=concurrency)) as client:

            async def ask() -> object:
                response = await client.post(address, content=body, cast_to=httpx2.Response)
                return json.loads(response.content)

            yield ask

    return in_coroutines(asking, count, concurrency)


def through_sockets(url: str, count: int, concurrency: int) -> dict:
    host, port = url.split("/")[2].split(":")
    body = one_body()
    head = f"POST /v1{PATH} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n"
    asked = head.encode() + body

    @asynccontextmanager
    async def asking() -> AsyncIterator[Ask]:
        idle = [await asyncio.open_connection(host, int(port)) for _ in range(concurrency)]

        async def ask() -> object:
            reader, writer = idle.pop()
            writer.write(asked)
            head = await reader.readuntil(b"\r\n\r\n")
            answer = await reader.readexactly(int(head.rpartition(b": ")[2]))
            idle.append((reader, writer))
            return json.loads(answer)

        yield ask
        for _, writer in idle:
            writer.close()

    return in_coroutines(asking, count, concurrency)


WAYS = {
    "backend": through_backend,
    "openai alone": through_openai,
    "sockets alone": through_sockets,
}


def in_coroutines(
    asking: Callable[[], AbstractAsyncContextManager[Ask]], count: int, concurrency: int
) -> dict:
    async def run() -> dict:
        started, cpu = time.perf_counter(), time.process_time()
        left = iter(range(count))
        async with asking() as ask:

            async def work() -> None:
                for _ in left:
                    await ask()

            await asyncio.gather(*(work() for _ in range(concurrency)))
            return spent(started, cpu)

    return asyncio.run(run())


def requests(count: int) -> Iterator[Request]:
    generator = np.random.default_rng(20250101)
    start = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (512).to_bytes(4) * 2
    for number in range(count):
        png = start + generator.bytes(IMAGE_BYTES)
        yield Request(number, (Message("user", (Image(png, f"{number:064x}"), QUESTION)),))


def one_body() -> bytes:
    (request,) = requests(1)
    return chat_json("m", request, SETTINGS, 0)


def spent(started: float, cpu: float) -> dict:
    return {
        "seconds": time.perf_counter() - started,
        "cpu_seconds": time.process_time() - cpu,
    }


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


# ---- the server ----


class Connection(asyncio.Protocol):
    """Answers every request on one connection after some time, with as little work as can be."""

    def __init__(self, seconds: float, response: bytes) -> None:
        self._seconds = seconds
        self._response = response
        self._received = bytearray()
        self._size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._size:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self._received[:end].lower()
            length = head[head.index(b"content-length:") + 15 :].split(b"\r\n", 1)[0]
            self._size = end + 4 + int(length)
        if len(self._received) >= self._size:
            del self._received[: self._size]
            self._size = 0
            loop = asyncio.get_running_loop()
            loop.call_later(self._seconds, self._transport.write, self._response)


def serve(seconds: float) -> None:
    """Serve until standard input ends, and print how much of a processor that took."""
    # `select` knows microseconds; the default selector rounds up to milliseconds.
    with asyncio.Runner(
        loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())
    ) as runner:
        runner.run(serving(seconds))


async def serving(seconds: float) -> None:
    message = {"role": "assistant", "content": "Left."}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": 800, "completion_tokens": 3, "total_tokens": 803}
    whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
    body = json.dumps({**whole, "choices": [choice], "usage": usage}).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    response = f"{head}{len(body)}\r\n\r\n".encode() + body
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Connection(seconds, response), "127.0.0.1", 0, backlog=1024
    )
    cpu = time.process_time()
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    print(json.dumps({"server_cpu_seconds": time.process_time() - cpu}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
