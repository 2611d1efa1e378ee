"""Gzipped files of others, unpacked up to a bound. Standard library only."""

import zlib

#: How a gzipped file begins.
GZIP = b"\x1f\x8b"
#: Twice what the largest annotations of COCO and LVIS are; what unpacks to more is a bomb.
MOST_BYTES = 2 << 30
_GZIP_ONLY = 31


def gunzipped(packed: bytes) -> bytes:
    """Return what a gzipped file holds, all its members.

    Raises:
        EOFError: It is cut off.
        OSError: It unpacks to more than :data:`MOST_BYTES`, or what is behind a member is none.
        zlib.error: It is no gzip.
    """
    content, is_whole = gunzipped_so_far(packed)
    if not is_whole:
        raise EOFError("packed, and cut off or damaged")
    return content


def gunzipped_so_far(packed: bytes) -> tuple[bytes, bool]:
    """Return what can be unpacked of a gzipped file, and whether that is all of it.

    Raises:
        OSError: It unpacks to more than :data:`MOST_BYTES`.
    """
    content = bytearray()
    # One byte more than is allowed is enough to know.
    while packed.startswith(GZIP):
        member = zlib.decompressobj(wbits=_GZIP_ONLY)
        try:
            content += member.decompress(packed, MOST_BYTES + 1 - len(content))
        except zlib.error:
            return bytes(content), False
        if len(content) > MOST_BYTES:
            raise OSError(f"it unpacks to more than {MOST_BYTES >> 20} MiB")
        if not member.eof:
            return bytes(content), False
        packed = member.unused_data
    # Some programs fill up with zeros.
    return bytes(content), not packed.strip(b"\0")
