"""Images of others: one that is too large is refused before it is decoded, a broken one in one sentence."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError
from afterimage.files.opened_image import MAX_PIXELS
from afterimage.files.photograph import decode_photograph, read_photograph


def png(width, height, data=b""):
    """A PNG that says how large it is and holds nothing."""

    def chunk(kind, body):
        whole = kind + body
        return struct.pack(">I", len(body)) + whole + struct.pack(">I", zlib.crc32(whole))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


@pytest.mark.parametrize("side", [9_000, 12_000, 60_000, 2**31 - 1])
def test_an_image_that_is_too_large_is_refused_before_it_is_decoded(side, tmp_path, capsys):
    path = tmp_path / "large.png"
    path.write_bytes(png(side, side))
    with pytest.raises(AfterimageError, match=r"large\.png: .*expected at most 80 million") as told:
        read_photograph(path)
    assert "\n" not in str(told.value)
    arguments = ["measure", "illusion_vqa", "ebbinghaus", str(path)]
    assert main(arguments) == 1
    assert "expected at most 80 million" in capsys.readouterr().err


def test_an_image_that_is_just_small_enough_is_looked_at():
    with pytest.raises(AfterimageError, match="not a readable image"):
        decode_photograph(png(8_000, MAX_PIXELS // 8_000), "a.png")


def formats():
    pixels = np.arange(48 * 64 * 3, dtype=np.uint8).reshape(48, 64, 3)
    exif = Image.Exif()
    exif[0x0112] = 6
    for kind in ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"):
        data = io.BytesIO()
        Image.fromarray(pixels).save(data, kind, exif=exif)
        yield pytest.param(data.getvalue(), id=kind)


@pytest.mark.parametrize("data", [*formats()])
@pytest.mark.filterwarnings("ignore")
def test_a_torn_or_forged_image_is_an_image_or_one_sentence(data):
    random = np.random.default_rng(7)
    for _ in range(150):
        broken = bytearray(data[: random.integers(1, len(data) + 1)])
        for place in random.integers(0, min(len(broken), 400), 3):
            broken[place] = random.integers(0, 256)
        try:
            assert decode_photograph(bytes(broken), "a").ndim == 3
        except AfterimageError as error:
            assert str(error).startswith("a: ")
