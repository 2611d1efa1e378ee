"""How fast a model behind an API is asked, against what the server's latency allows.

    python benchmarks/inference.py [--requests 20000] [--latency-ms 50] [--concurrency 64]

A server on loopback, in a process of its own, takes the latency for every answer. Ideal is
`requests x latency / concurrency`; the ratio is the ideal time divided by the measured one. In the same run the
`openai` package alone is measured, called by as many coroutines as there may be requests under way, with one request
that is made once; and the transport below it. Every request carries an image of its own. Memory (Linux): resident set
of a process that asks all requests, a tenth, half and all the way through.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tabulate import tabulate

from afterimage.models.interface import Failure, Image, Message, Request
from afterimage.models.openai_compatible import load
from afterimage.models.openai_compatible.messages import chat_body

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


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--requests", type=int, default=20_000)
    options.add_argument("--latency-ms", type=float, default=50)
    options.add_argument("--concurrency", type=int, default=64)
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--ask", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        asyncio.run(serve(chosen.latency_ms / 1000))
    elif chosen.ask:
        way, url = chosen.ask
        print(json.dumps(WAYS[way](url, chosen.requests, chosen.concurrency)))
    else:
        measure(chosen.requests, chosen.latency_ms, chosen.concurrency)


def measure(count: int, latency_ms: float, concurrency: int) -> None:
    rows, memory = [], None
    for way in WAYS:
        # The packages below need no long measurement.
        number = count if way == "backend" else min(count, 4000)
        seen = in_processes_of_their_own(way, number, latency_ms, concurrency)
        memory = memory or seen.get("memory_mib")
        ideal = number * latency_ms / 1000 / concurrency
        rows.append(
            (
                way,
                f"{number:,}",
                f"{number / seen['seconds']:,.0f}",
                f"{number / ideal:,.0f}",
                f"{ideal / seen['seconds']:.2f}",
                f"{seen['cpu_seconds'] / number * 1000:.2f}",
            )
        )
    headers = ("asked by", "requests", "per second", "ideal", "ratio", "CPU ms per request")
    print(f"latency {latency_ms:g} ms, concurrency {concurrency}\n")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))
    if memory:
        shown = ", ".join(f"{mib:.1f}" for mib in memory)
        print(f"\nmemory after a tenth, half and all of {count:,} requests: {shown} MiB")


def in_processes_of_their_own(way: str, count: int, latency_ms: float, concurrency: int) -> dict:
    command = [sys.executable, __file__, "--latency-ms", str(latency_ms)]
    server = subprocess.Popen([*command, "--serve"], stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        sizes = ["--requests", str(count), "--concurrency", str(concurrency)]
        asked = subprocess.run(
            [*command, *sizes, "--ask", way, url], stdout=subprocess.PIPE, text=True, check=True
        )
    finally:
        server.kill()
        server.wait()
    return json.loads(asked.stdout)


def through_backend(url: str, count: int, concurrency: int) -> dict:
    entry = {
        "backend": "openai_compatible",
        "model_id": "m",
        "settings": {**SETTINGS, "base_url": url},
        "client": {"concurrency": concurrency},
    }
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
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    body = one_body()

    async def ask() -> None:
        await client.chat.completions.create(**body)

    return in_coroutines(ask, count, concurrency)


def through_httpx(url: str, count: int, concurrency: int) -> dict:
    import httpx2

    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=1000)
    client = httpx2.AsyncClient(limits=limits)
    body = one_body()

    async def ask() -> None:
        (await client.post(f"{url}/chat/completions", json=body)).json()

    return in_coroutines(ask, count, concurrency)


WAYS = {
    "backend": through_backend,
    "openai alone": through_openai,
    "httpx2 alone": through_httpx,
}


def in_coroutines(ask, count: int, concurrency: int) -> dict:
    async def run() -> dict:
        left = iter(range(count))

        async def work() -> None:
            for _ in left:
                await ask()

        started, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work() for _ in range(concurrency)))
        return spent(started, cpu)

    return asyncio.run(run())


def requests(count: int) -> Iterator[Request]:
    generator = np.random.default_rng(20250101)
    start = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (512).to_bytes(4) * 2
    for number in range(count):
        png = start + generator.bytes(IMAGE_BYTES)
        yield Request(number, (Message("user", (Image(png, f"{number:064x}"), QUESTION)),))


def one_body() -> dict:
    (request,) = requests(1)
    return chat_body("m", request.messages, SETTINGS)


def spent(started: float, cpu: float) -> dict:
    return {
        "seconds": time.perf_counter() - started,
        "cpu_seconds": time.process_time() - cpu,
    }


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def serve(seconds: float) -> None:
    """Answer everything after so many seconds; as little work as can be, since it shares the machine."""
    message = {"role": "assistant", "content": "Left."}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": 800, "completion_tokens": 3, "total_tokens": 803}
    whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
    body = json.dumps({**whole, "choices": [choice], "usage": usage}).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    response = f"{head}{len(body)}\r\n\r\n".encode() + body

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
                (size,) = (line for line in lines if line.startswith(b"content-length:"))
                await reader.readexactly(int(size.split(b":")[1]))
                await asyncio.sleep(seconds)
                writer.write(response)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, limit=2**22, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    main()
