"""Bodies of responses, read and unpacked piece by piece, so that none costs more memory than it may be long."""

import zlib
from collections.abc import AsyncIterable, Callable
from typing import Any

import httpx2

# Both of zlib's own form and gzip's; nothing else was ever asked for.
_EITHER_FORM = zlib.MAX_WBITS | 32
_UNPACKED = ("", "identity")
_PACKED = ("gzip", "x-gzip", "deflate")
_ENCODING = "content-encoding"


class UnreadableBodyError(ValueError):
    """A body that is too long, or packed in a way that was not asked for; the message says which."""


async def bounded_body(pieces: AsyncIterable[bytes], encoding: str, most_bytes: int) -> bytes:
    """Return a whole body, unpacked.

    Args:
        pieces: The body as it comes.
        encoding: The header ``Content-Encoding``.
        most_bytes: How long the body may be, packed and unpacked.

    Raises:
        UnreadableBodyError: It is longer, or packed in another way than gzip and deflate, or not as the header says.
    """
    encoding = encoding.strip().lower()
    if encoding not in (*_UNPACKED, *_PACKED):
        raise UnreadableBodyError(f"response packed as '{encoding[:40]}'; expected none, or gzip")
    unpacker = None if encoding in _UNPACKED else zlib.decompressobj(_EITHER_FORM)
    body = bytearray()
    received = 0
    async for piece in pieces:
        received += len(piece)
        # One byte more than is allowed is enough to know.
        room = most_bytes + 1 - len(body)
        body += piece if unpacker is None else _unpacked(unpacker, piece, room)
        if max(len(body), received) > most_bytes:
            raise UnreadableBodyError(
                f"response of more than {most_bytes / 1e6:g} MB; client key 'max_response_mb' says how long one may be"
            )
    if unpacker is not None and not unpacker.eof:
        raise UnreadableBodyError(f"response that is not whole as {encoding}")
    return bytes(body)


def bounding(most_bytes: int) -> list[Callable[..., Any]]:
    """Return what httpx2 calls with each response before it reads it."""
    return [_Hook(most_bytes)]


class _Hook:
    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes

    async def __call__(self, response: httpx2.Response) -> None:
        """Have the body read within bounds, and nothing left to be unpacked."""
        encoding = response.headers.pop(_ENCODING, "")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, encoding, self._most_bytes)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, encoding: str, most_bytes: int) -> None:
        self._stream = stream
        self._bounds = encoding, most_bytes

    async def __aiter__(self):  # type: ignore[no-untyped-def]
        yield await bounded_body(self._stream, *self._bounds)

    async def aclose(self) -> None:
        await self._stream.aclose()


def _unpacked(unpacker: "zlib._Decompress", piece: bytes, room: int) -> bytes:
    try:
        return unpacker.decompress(piece, max(room, 1))
    except zlib.error as error:
        raise UnreadableBodyError(f"response that cannot be unpacked ({error})") from None
