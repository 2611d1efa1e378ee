"""An image enters an item only with the pixels that were recorded when it was drawn."""

import io

import numpy as np
import pytest
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.files.png import encode_png, pixels_sha256, png_sha256
from afterimage.jobs import items


@pytest.fixture
def row(tmp_path):
    pixels = np.random.default_rng(1).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    png = encode_png(pixels)
    (tmp_path / "a.png").write_bytes(png)
    return {
        "stimulus_id": "a",
        "folder": str(tmp_path),
        "image": "a.png",
        "pixels_sha256": pixels_sha256(pixels),
        "png_sha256": png_sha256(png),
        "pixels": pixels,
        "path": tmp_path / "a.png",
    }


def test_the_file_as_it_was_drawn_is_not_decoded(row, monkeypatch):
    monkeypatch.setattr(items, "decode_png", None)
    assert items.read_checked_png(row) == row["path"].read_bytes()


def test_a_file_packed_anew_with_the_same_pixels_stands(row):
    packed = io.BytesIO()
    Image.fromarray(row["pixels"]).save(packed, "PNG", compress_level=0)
    row["path"].write_bytes(packed.getvalue())
    assert items.read_checked_png(row) == packed.getvalue()


def test_other_pixels_are_refused_with_the_file_named(row):
    row["pixels"][0, 0] ^= 1
    row["path"].write_bytes(encode_png(row["pixels"]))
    with pytest.raises(AfterimageError, match=r"a\.png: its pixels are not those that were drawn"):
        items.read_checked_png(row)
