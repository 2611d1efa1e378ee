"""PNG files: plain, and identified by their pixels."""

import hashlib
import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from afterimage.errors import AfterimageError
from afterimage.files.png import (
    check_png,
    decode_png,
    encode_png,
    pixels_sha256,
    read_png,
    read_png_on_white,
)
from afterimage.files.stimulus import StimulusImages, read_stimuli, stimulus_row, write_stimuli


@pytest.fixture
def noise():
    return np.random.default_rng(2).integers(0, 256, (6, 9, 3), dtype=np.uint8)


def chunks(data):
    position = 8
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        yield data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
        position += 12 + length


def test_a_file_holds_header_pixels_and_end_alone(noise):
    found = list(chunks(encode_png(noise)))
    assert {kind for kind, _ in found} == {b"IHDR", b"IDAT", b"IEND"}
    bit_depth, colour_type = found[0][1][8:10]
    assert (bit_depth, colour_type) == (8, 2)


def test_pixels_survive_the_file(noise, tmp_path):
    path = tmp_path / "image.png"
    path.write_bytes(encode_png(noise))
    assert np.array_equal(read_png(path), noise)


def test_the_hash_is_of_the_rgb_bytes_row_by_row(noise):
    rows = b"".join(bytes(pixel) for row in noise.tolist() for pixel in row)
    assert pixels_sha256(noise) == hashlib.sha256(rows).hexdigest()


def test_the_hash_does_not_depend_on_the_memory_layout(noise):
    assert pixels_sha256(np.asfortranarray(noise)) == pixels_sha256(noise)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AfterimageError, match=r"absent\.png: no such file"):
        read_png(tmp_path / "absent.png")


def test_a_truncated_file_is_named(noise, tmp_path):
    path = tmp_path / "half.png"
    path.write_bytes(encode_png(noise)[:60])
    with pytest.raises(AfterimageError, match=r"half\.png: not a readable PNG"):
        read_png(path)


def test_bytes_that_are_no_image_are_refused():
    with pytest.raises(AfterimageError, match="image: not a readable PNG"):
        decode_png(b"GIF, perhaps")


def test_alpha_is_refused(tmp_path):
    path = tmp_path / "alpha.png"
    Image.new("RGBA", (4, 4)).save(path)
    with pytest.raises(AfterimageError, match="colour mode RGBA; expected RGB with 8 bits"):
        read_png(path)


def test_what_is_transparent_is_read_as_white_paper(tmp_path):
    path = tmp_path / "alpha.png"
    image = Image.new("RGBA", (2, 1), (255, 0, 0, 255))
    image.putpixel((1, 0), (0, 0, 0, 0))
    image.save(path)
    assert read_png_on_white(path).tolist() == [[[255, 0, 0], [255, 255, 255]]]


def test_an_rgb_file_is_read_as_it_is(noise, tmp_path):
    path = tmp_path / "image.png"
    path.write_bytes(encode_png(noise))
    assert np.array_equal(read_png_on_white(path), noise)


# ---- what models are shown: pixels and nothing else ----


def gamma(data):
    kind, content = b"gAMA", b"\x00\x00\xb1\x8f"
    checked = kind + content
    return (
        data[:33]
        + struct.pack(">I", 4)
        + checked
        + struct.pack(">I", zlib.crc32(checked))
        + data[33:]
    )


SPOILT = {
    "gamma": (gamma, "'gAMA'"),
    "bytes after the end": (lambda data: data + b"fake", "4 bytes follow the end"),
    "no end": (lambda data: data[:-12], "cut off"),
    "a flipped bit": (lambda data: data[:45] + bytes([data[45] ^ 1]) + data[46:], "damaged"),
    **{
        f"{length} bytes": (
            lambda data, length=length: data[:length],
            r"not a PNG|cut off or damaged",
        )
        for length in (0, 4, 8, 20, 40)
    },
}


@pytest.mark.parametrize("how", SPOILT)
def test_what_is_more_or_less_than_pixels_is_refused(noise, how):
    spoil, message = SPOILT[how]
    data = encode_png(noise)
    check_png(data, "stimulus")
    with pytest.raises(AfterimageError, match=message):
        check_png(spoil(data), "stimulus")


@pytest.mark.parametrize("method", ["add_text", "add_itxt"])
def test_text_is_refused_when_items_are_made(noise, tmp_path, method):
    info, buffer = PngImagePlugin.PngInfo(), io.BytesIO()
    getattr(info, method)("Title", "Fick, fake")
    Image.fromarray(noise).save(buffer, format="PNG", pnginfo=info)
    row = stimulus_row("illusion_vqa", "fick", "fick_A_fake", buffer.getvalue(), noise, {}, {})
    write_stimuli(tmp_path / "stimuli.parquet", [row])
    (record,) = read_stimuli(tmp_path / "stimuli.parquet")
    with pytest.raises(AfterimageError, match=r"fick_A_fake.*metadata \(PNG chunk '[it]T?E?Xt'\)"):
        StimulusImages().png(record)
