"""A free port on loopback that no other job of this machine takes at the same time."""

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from afterimage.errors import AfterimageError

HOST = "127.0.0.1"
# Below the ports that systems give to outgoing connections, any of which may come up before a server is ready.
_PORTS = range(20_000, 32_000)
_TRIES = 200


@contextmanager
def free_port() -> Iterator[int]:
    """Give a port that nobody listens at, and keep other jobs of the same machine from choosing it meanwhile.

    Servers take minutes before they listen, and some then share a port with another one without a word. So the job
    holds the UDP port of the same number, which no server wants and which the system frees however the job ends.

    Raises:
        AfterimageError: There is none.
    """
    chosen = random.SystemRandom()
    for _ in range(_TRIES):
        port = chosen.choice(_PORTS)
        with socket.socket(type=socket.SOCK_DGRAM) as claim:
            if _takes(claim, port) and _is_free(port):
                yield port
                return
    raise AfterimageError(f"no free port was found between {_PORTS.start} and {_PORTS.stop}.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # What was closed a moment ago is free, as servers see it.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return _takes(probe, port)


def _takes(claim: socket.socket, port: int) -> bool:
    try:
        claim.bind((HOST, port))
    except OSError:
        return False
    return True
