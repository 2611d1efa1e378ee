"""PNG files: plain 8-bit RGB without metadata, and the identity of an image by its pixels."""

import hashlib
import io
import os
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from afterimage.errors import AfterimageError
from afterimage.files.opened_image import opened_image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PIXEL_CHUNKS = (b"IHDR", b"IDAT", b"IEND")
#: Bit depth, colour type, compression, filter method, no interlacing (W3C, PNG, third edition, section 11.2.1).
_RGB_OF_8_BITS = (8, 2, 0, 0, 0)
_FILTER_UP = 2


def encode_png(pixels: np.ndarray) -> bytes:
    """Encode an array (height, width, 3) of uint8 as PNG: no alpha, profile, gamma or text.

    Each row is written as its difference from the one above, and runs of equal bytes as runs. That takes a third of the
    time of Pillow, which tries five filters on every row, and for what is drawn in plain colours about the same space
    (``benchmarks/stimuli.py``).
    """
    height, width, _ = pixels.shape
    rows = pixels.reshape(height, -1)
    filtered = np.empty((height, 1 + 3 * width), np.uint8)
    filtered[:, 0] = _FILTER_UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    run_lengths = zlib.compressobj(strategy=zlib.Z_RLE)
    compressed = run_lengths.compress(filtered.data) + run_lengths.flush()
    header = struct.pack(">IIBBBBB", width, height, *_RGB_OF_8_BITS)
    chunks = zip(_PIXEL_CHUNKS, (header, compressed, b""), strict=True)
    return _SIGNATURE + b"".join(_chunk_of(kind, data) for kind, data in chunks)


def decode_png(data: bytes, name: str = "image") -> np.ndarray:
    """Decode PNG bytes to an array (height, width, 3) of uint8, sRGB-coded.

    Raises:
        AfterimageError: The bytes are not an image, or one that is not 8-bit RGB.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            mode = image.mode
            pixels = np.asarray(image)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise AfterimageError(
            f"{name}: not a readable PNG ({error}); delete it and run again."
        ) from None
    if mode != "RGB":
        raise AfterimageError(f"{name}: colour mode {mode}; expected RGB with 8 bits and no alpha.")
    return pixels


def read_png(path: str | os.PathLike[str]) -> np.ndarray:
    """Read a PNG file as :func:`decode_png` does, naming the file in every error."""
    file = Path(path)
    if not file.is_file():
        raise AfterimageError(f"{path}: no such file; expected a PNG image.")
    return decode_png(file.read_bytes(), str(path))


def check_png(data: bytes, name: str) -> None:
    """Make sure that a PNG holds pixels alone, so that nothing in it can name what it shows.

    Raises:
        AfterimageError: The bytes are not a whole PNG, or hold any chunk but IHDR, IDAT and IEND.
    """
    if not data.startswith(_SIGNATURE):
        raise AfterimageError(f"{name}: its image is not a PNG file; delete it and run again.")
    position, kind = len(_SIGNATURE), b""
    while kind != b"IEND":
        kind, body_end = _chunk(data, position, name)
        if kind not in _PIXEL_CHUNKS:
            raise AfterimageError(
                f"{name}: its image holds metadata (PNG chunk '{kind.decode('latin-1')}'), which a "
                "model could read; expected nothing but pixels."
            )
        position = body_end + 4
    if position != len(data):
        raise AfterimageError(
            f"{name}: {len(data) - position} bytes follow the end of its PNG; expected none."
        )


def read_png_on_white(path: str | os.PathLike[str]) -> np.ndarray:
    """Read a PNG of any colour mode as RGB, what is transparent as white paper.

    For images from elsewhere; the workflow's own are RGB, and :func:`read_png` insists on it.

    Raises:
        AfterimageError: The file is missing, is no readable image, or has more pixels than is allowed.
    """
    file = Path(path)
    if not file.is_file():
        raise AfterimageError(f"{path}: no such file; expected a PNG image.")
    with opened_image(file, str(path)) as image:
        # Decoded inside: what is wrong with the pixels shows only then.
        layer = image.convert("RGBA")
    paper = Image.new("RGBA", layer.size, "white")
    return np.asarray(Image.alpha_composite(paper, layer).convert("RGB"))


def pixels_sha256(pixels: np.ndarray) -> str:
    """Return the SHA-256 of the RGB bytes, row by row; PNG bytes depend on the zlib build, pixels do not."""
    return hashlib.sha256(np.ascontiguousarray(pixels, dtype=np.uint8).data).hexdigest()


def png_sha256(data: bytes) -> str:
    """Return the SHA-256 of a PNG file: quicker than that of its pixels, but another zlib writes another file."""
    return hashlib.sha256(data).hexdigest()


def _chunk_of(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(data, zlib.crc32(kind))
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def _chunk(data: bytes, position: int, name: str) -> tuple[bytes, int]:
    """Return the kind of the chunk at ``position`` and the end of its content."""
    header = data[position : position + 8]
    end = position + 8 + int.from_bytes(header[:4], "big")
    checksum = data[end : end + 4]
    whole = len(header) == 8 and len(checksum) == 4
    if not whole or zlib.crc32(data[position + 4 : end]) != int.from_bytes(checksum, "big"):
        raise AfterimageError(f"{name}: its PNG is cut off or damaged; delete it and run again.")
    return header[4:], end
