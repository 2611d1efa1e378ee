"""Reads and decompresses response bodies piece by piece, so that their memory is limited."""

import time
import zlib
from collections.abc import AsyncIterable, Callable, Iterable, Iterator
from typing import Any

import httpx2

# Accepts zlib's format and gzip's; no other was requested.
_EITHER_FORM = zlib.MAX_WBITS | 32
_UNPACKED = ("", "identity")
_PACKED = ("gzip", "x-gzip", "deflate")
_ENCODING = "content-encoding"
# How each member of a gzipped body begins.
_MEMBER = b"\x1f\x8b"
#: The encoding of all texts, regardless of the server's header: some of Python's codecs decompress bombs, take hours or
#: raise unexpected exceptions. JSON is UTF-8 (RFC 8259, 8.1).
THEIR_ENCODING = "utf-8"
_PIECE_BYTES = 1 << 20
#: With this request header the package returns the response before the body is read.
STREAMED = "X-Stainless-Raw-Response"


class UnreadableBodyError(ValueError):
    """A body that is too long or has an unsupported compression; the message says which."""


async def bounded_body(
    pieces: AsyncIterable[bytes], encoding: str, max_bytes: int, is_error: bool = False
) -> bytes:
    """Return a complete body, decompressed.

    Args:
        max_bytes: Largest size of the body, compressed and decompressed.
        is_error: Whether the status suffices, so that an unreadable body counts as empty.

    Raises:
        UnreadableBodyError: It is longer, or its compression is neither gzip nor deflate, or not that of the header.
    """
    try:
        body = _Body(encoding, max_bytes)
        async for piece in pieces:
            body.add(piece)
        return body.whole()
    except UnreadableBodyError:
        if is_error:
            return b""
        raise


def unpacked(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield a decompressed body of any length, with all its members, in pieces of at most a megabyte.

    Raises:
        UnreadableBodyError: Its compression is neither gzip nor deflate, or not that of the header.
    """
    unpacker, rest = _unpacker(encoding), b""
    if unpacker is None:
        yield from pieces
        return
    for piece in pieces:
        packed, rest = rest + piece, b""
        while packed:
            if unpacker.eof:
                # A file may have several members; anything else after the end is ignored.
                if not packed.startswith(_MEMBER[: len(packed)]):
                    return
                if len(packed) < len(_MEMBER):
                    rest = packed
                    break
                unpacker = zlib.decompressobj(_EITHER_FORM)
            yield _unpacked(unpacker, packed, _PIECE_BYTES)
            packed = unpacker.unconsumed_tail or unpacker.unused_data
    _require_whole(unpacker, encoding)


class _Body:
    """A body that grows up to a bound."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        self._encoding = encoding
        self._max_bytes = max_bytes
        self._unpacker = _unpacker(encoding)
        self._body = bytearray()
        self._received = 0

    def add(self, piece: bytes) -> None:
        self._received += len(piece)
        # One byte more than allowed is enough to detect a longer body.
        room = self._max_bytes + 1 - len(self._body)
        self._body += piece if self._unpacker is None else _unpacked(self._unpacker, piece, room)
        if max(len(self._body), self._received) > self._max_bytes:
            raise UnreadableBodyError(
                f"response of more than {self._max_bytes / 1e6:g} MB; client key 'max_response_mb' says how long one "
                "may be"
            )

    def whole(self) -> bytes:
        _require_whole(self._unpacker, self._encoding)
        # A second member is a second body, and it is unknown which of them is the response.
        if self._unpacker is not None and self._unpacker.unused_data:
            raise UnreadableBodyError("response that goes on behind the end of what is packed")
        return bytes(self._body)


def bounding(max_bytes: int) -> list[Callable[..., Any]]:
    """Return the hooks that httpx2 calls with each response before reading it."""
    return [_Hook(max_bytes)]


class _Hook:
    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    async def __call__(self, response: httpx2.Response) -> None:
        """Have the body read within bounds, and nothing left to be unpacked."""
        encoding = _prepared(response)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            bounds = encoding, self._max_bytes, response.is_error
            response.stream = _Bounded(response.stream, bounds)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, bounds: tuple[str, int, bool]) -> None:
        self._stream = stream
        self._bounds = bounds

    async def __aiter__(self):  # type: ignore[no-untyped-def]
        yield await bounded_body(self._stream, *self._bounds)

    async def aclose(self) -> None:
        await self._stream.aclose()


class BoundingBatches:
    """Called with each response of the client for batches before it is read: whole ones are bounded as above.

    A file of results may be as long as it likes; it comes unpacked, piece by piece, and its reader bounds its lines.
    """

    def __init__(self, max_bytes: int, seconds: float) -> None:
        """Take how long a response may be that is read whole, and how long that may take."""
        self._max_bytes = max_bytes
        self._seconds = seconds

    def __call__(self, response: httpx2.Response) -> None:
        """Have the body read within bounds, and nothing left to be unpacked."""
        encoding = _prepared(response)
        stream = response.stream
        if isinstance(stream, httpx2.SyncByteStream):
            is_file = response.is_success and response.request.headers.get(STREAMED) == "stream"
            bounds = None if is_file else (self._max_bytes, self._seconds)
            response.stream = _BoundedNow(stream, encoding, bounds)


class _BoundedNow(httpx2.SyncByteStream):
    def __init__(
        self, stream: httpx2.SyncByteStream, encoding: str, bounds: tuple[int, float] | None
    ) -> None:
        self._stream = stream
        self._encoding = encoding
        self._bounds = bounds

    def __iter__(self) -> Iterator[bytes]:
        if self._bounds is None:
            yield from unpacked(self._stream, self._encoding)
            return
        max_bytes, seconds = self._bounds
        body = _Body(self._encoding, max_bytes)
        deadline = time.monotonic() + seconds
        for piece in self._stream:
            # The client's timeout applies to each piece, and a server may send one byte at a time.
            if time.monotonic() > deadline:
                raise httpx2.ReadTimeout("")
            body.add(piece)
        yield body.whole()

    def close(self) -> None:
        self._stream.close()


def _prepared(response: httpx2.Response) -> str:
    """Return the compression of a response; remove headers about it, the codec and the status text."""
    response.encoding = THEIR_ENCODING
    # The standard's text of a status is used, not the server's.
    response.extensions.pop("reason_phrase", None)
    encoding: str = response.headers.pop(_ENCODING, "")
    return encoding


def _unpacker(encoding: str) -> "zlib._Decompress | None":
    encoding = encoding.strip().lower()
    if encoding not in (*_UNPACKED, *_PACKED):
        raise UnreadableBodyError(f"response packed as '{encoding[:40]}'; expected none, or gzip")
    return None if encoding in _UNPACKED else zlib.decompressobj(_EITHER_FORM)


def _require_whole(unpacker: "zlib._Decompress | None", encoding: str) -> None:
    if unpacker is not None and not unpacker.eof:
        raise UnreadableBodyError(f"response that is not whole as {encoding.strip().lower()}")


def _unpacked(unpacker: "zlib._Decompress", piece: bytes, room: int) -> bytes:
    try:
        return unpacker.decompress(piece, max(room, 1))
    except zlib.error as error:
        raise UnreadableBodyError(f"response that cannot be unpacked ({error})") from None
