"""Photographs of others: what decodes whole is whole, EXIF alone turns, 16 bits are as 8, transparent parts are white.

Public reports: python-pillow/Pillow issue 9109, an upright picture that is turned, and issue 3379, transparent parts
read as black; 3rd/image.nvim pull request 379, pictures with a film behind them taken for broken ones.
"""

import io
import logging
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.files.photograph import decode_photograph
from afterimage.suites.images.folder import require_images

FILM = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\x5a" * 100_000


def picture(width=40, height=24):
    """Return a picture of which every turn is another."""
    pixels = np.random.default_rng(5).integers(0, 255, (height, width, 3), dtype=np.uint8)
    pixels[: height // 2, : width // 2] = (250, 0, 0)
    return Image.fromarray(pixels)


def encoded(image, kind, **options):
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def png(values, depth, colour, *chunks):
    """Write a PNG of one row: its samples, bits a sample, type of colour, and chunks before the pixels."""

    def chunk(kind, content):
        whole = kind + content
        return struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))

    samples = [sample for pixel in values for sample in pixel]
    bits = "".join(f"{sample:0{depth}b}" for sample in samples)
    bits += "0" * (-len(bits) % 8)
    row = b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")
    head = struct.pack(">IIBBBBB", len(values), 1, depth, colour, 0, 0, 0)
    parts = [(b"IHDR", head), *chunks, (b"IDAT", zlib.compress(row)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def seen(data):
    return [tuple(pixel) for pixel in decode_photograph(data, "a.png")[0].tolist()]


@pytest.fixture
def make_set(tmp_path):
    def make_set(data, name="a.jpg"):
        (tmp_path / name).write_bytes(data)
        (tmp_path / "questions.csv").write_text(f"image,question,options,answer\n{name},What?,,x\n")
        return require_images("set", str(tmp_path), "refuse")

    return make_set


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize(
    "behind", [b"", FILM, b"\0" * 70_000, b"\n", b"<x:xmpmeta/>", b"\xff\xd8\xff\xe0" + b"x" * 90_000]
)  # fmt: skip
def test_a_picture_with_something_behind_it_is_whole(make_set, kind, behind):
    data = encoded(picture(), kind)
    make_set(data + behind, f"a.{kind[:3].lower()}" if kind == "PNG" else "a.jpg")
    assert (decode_photograph(data + behind, "a") == decode_photograph(data, "a")).all()


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "BMP", "TIFF"])
def test_other_kinds_with_something_behind_them_decode_too(kind):
    data = encoded(picture(), kind)
    assert (decode_photograph(data + FILM, "a") == decode_photograph(data, "a")).all()


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("thumbnail", [False, True])
def test_a_picture_that_is_cut_off_is_refused(make_set, kind, share, thumbnail):
    # A small picture inside the file has an end of its own.
    exif = Image.Exif()
    exif[0x9286] = encoded(picture(8, 8), "JPEG") if thumbnail else b""
    data = encoded(picture(200, 120), kind, exif=exif)
    with pytest.raises(
        AfterimageError, match=r"a\.\w+', which ends in the middle; expected the whole"
    ):
        make_set(data[: int(len(data) * share)], "a.png" if kind == "PNG" else "a.jpg")


def xmp(orientation, form='tiff:Orientation="{}"'):
    said = form.format(orientation)
    inside = (
        f"<rdf:Description {said}/>"
        if "=" in said
        else f"<rdf:Description>{said}</rdf:Description>"
    )
    return f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF>{inside}</rdf:RDF></x:xmpmeta>".encode()


def with_exif(orientation):
    exif = Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    # Without a resolution Pillow looks into the notes when it opens a JPEG.
    exif[0x011A] = 72.0
    return exif


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
@pytest.mark.parametrize(
    "form", ['tiff:Orientation="{}"', "<tiff:Orientation>{}</tiff:Orientation>"]
)
@pytest.mark.parametrize(("of_exif", "of_xmp"), [(None, 3), (1, 6), (6, 1), (6, 8), (8, 8)])
def test_exif_alone_says_which_way_is_up(kind, form, of_exif, of_xmp, caplog):
    plain = decode_photograph(encoded(picture(), kind, quality=100), "a")
    data = encoded(picture(), kind, quality=100, exif=with_exif(of_exif), xmp=xmp(of_xmp, form))
    with caplog.at_level(logging.WARNING):
        found = decode_photograph(data, "a.jpg")
    turns = {None: 0, 1: 0, 6: 3, 8: 1}[of_exif]
    assert (found == np.rot90(plain, turns)).all()
    assert ("a.jpg: its XMP says orientation" in caplog.text) == ((of_exif or 1) != of_xmp)


@pytest.mark.parametrize("orientation", range(2, 9))
def test_every_orientation_of_exif_is_applied(orientation):
    plain = picture()
    turn = list(Image.Transpose)
    names = ["FLIP_LEFT_RIGHT", "ROTATE_180", "FLIP_TOP_BOTTOM", "TRANSPOSE", "ROTATE_270"]
    names += ["TRANSVERSE", "ROTATE_90"]
    method = next(one for one in turn if one.name == names[orientation - 2])
    data = encoded(plain, "PNG", exif=with_exif(orientation))
    assert (decode_photograph(data, "a") == np.asarray(plain.transpose(method))).all()


@pytest.mark.parametrize(
    "exif", [b"Exif\0\0rubbish", b"Exif\0\0", b"Exif\0\0II*\0\xff\xff\xff\xff"]
)
def test_damaged_notes_of_a_camera_turn_nothing(exif):
    data = encoded(picture(), "WEBP", lossless=True, exif=exif)
    assert decode_photograph(data, "a").shape == (24, 40, 3)


WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16])
def test_a_transparent_grey_is_white_at_every_depth(depth):
    most = 2**depth - 1
    assert seen(png([[0], [most]], depth, 0, (b"tRNS", struct.pack(">H", 0)))) == [WHITE, WHITE]
    assert seen(png([[0], [most]], depth, 0)) == [BLACK, WHITE]
    if depth > 1:
        middle = 1 << (depth - 1)
        found = seen(png([[middle], [0]], depth, 0, (b"tRNS", struct.pack(">H", middle))))
        assert found == [WHITE, BLACK]


def test_of_16_bits_only_the_very_colour_is_transparent():
    grey = png([[0x1234], [0x1256]], 16, 0, (b"tRNS", struct.pack(">H", 0x1234)))
    assert seen(grey) == [WHITE, (0x12, 0x12, 0x12)]
    key = struct.pack(">HHH", 0x1234, 0, 0xFFFF)
    values = [[0x1234, 0, 0xFFFF], [0x1256, 0, 0xFFFF], [0x1234, 1, 0xFFFF]]
    assert seen(png(values, 16, 2, (b"tRNS", key))) == [WHITE, (0x12, 0, 255), (0x12, 0, 255)]


@pytest.mark.parametrize("depth", [8, 16])
def test_alpha_of_16_bits_is_as_of_8(depth):
    most = 2**depth - 1
    assert seen(png([[0, 0], [0, most]], depth, 4)) == [WHITE, BLACK]
    assert seen(png([[0, 0, 0, 0], [most, 0, 0, most]], depth, 6)) == [WHITE, (255, 0, 0)]
    half = seen(png([[0, most // 2 + 1]], depth, 4))[0][0]
    assert abs(half - 127) <= 1


def test_a_palette_with_transparent_entries():
    colours = (b"PLTE", bytes([255, 0, 0, 0, 0, 255, 0, 0, 0]))
    for depth in (2, 4, 8):
        found = seen(png([[0], [1], [2]], depth, 3, colours, (b"tRNS", bytes([0, 255]))))
        assert found == [WHITE, (0, 0, 255), BLACK]


def test_other_modes_are_seen_as_browsers_show_them():
    blank = Image.new("RGBA", (2, 2), (255, 0, 0, 0))
    assert seen(encoded(blank, "WEBP", lossless=True)) == [WHITE, WHITE]
    palette = Image.new("P", (2, 1))
    palette.putpalette([255, 0, 0, 0, 0, 255])
    palette.putpixel((1, 0), 1)
    assert seen(encoded(palette, "GIF", transparency=1)) == [(255, 0, 0), WHITE]
    ink = encoded(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG", quality=100)
    assert seen(ink)[0] == (255, 0, 0)
    assert seen(encoded(Image.new("1", (2, 1), 1), "PNG")) == [WHITE, WHITE]


@pytest.mark.parametrize("kind", [np.float32, np.int32])
def test_32_bits_a_channel_are_refused(kind):
    data = encoded(Image.fromarray(np.array([[0, 1, 70_000]], dtype=kind)), "TIFF")
    with pytest.raises(AfterimageError, match="found 32 bits a channel; expected 8 or 16"):
        seen(data)


@pytest.mark.parametrize("kind", ["white is zero", "grey map"])
def test_16_bit_greys_of_other_kinds_are_scaled_and_upright_in_brightness(kind):
    levels = np.array([[0, 32768, 65535]], dtype=np.uint16)
    if kind == "grey map":
        data = b"P5\n3 1\n65535\n" + levels.astype(">u2").tobytes()
    else:
        stored = io.BytesIO()
        Image.fromarray(65535 - levels).save(stored, "TIFF", tiffinfo={262: 0})
        data = stored.getvalue()
        if Image.open(io.BytesIO(data)).tag_v2[262] != 0:
            entry = b"\x06\x01\x03\x00\x01\x00\x00\x00"
            data = data.replace(entry + b"\x01", entry + b"\x00")
    assert decode_photograph(data, "a")[0, :, 0].tolist() == [0, 128, 255]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1", "HEIC; expected it saved as JPEG or PNG"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        (b"<!DOCTYPE html><title>404</title>", "a web page"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"%PDF-1.4", "a PDF"),
        (b"", "an empty file"),
        (b"\0" * 99, "of no kind that is read"),
    ],
)
def test_what_is_no_image_is_called_what_it_is(data, found):
    with pytest.raises(AfterimageError, match=rf"a\.png: not a readable image \({found}"):
        decode_photograph(data, "a.png")
