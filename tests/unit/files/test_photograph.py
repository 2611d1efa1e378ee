import io

import numpy as np
import pytest
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.files.photograph import decode_photograph, read_photograph


def encoded(image, kind="PNG", **options):
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def test_transparent_parts_are_white():
    image = Image.new("RGBA", (2, 1), (255, 0, 0, 255))
    image.putpixel((1, 0), (0, 0, 0, 0))
    assert decode_photograph(encoded(image), "a").tolist() == [[[255, 0, 0], [255, 255, 255]]]


def test_a_picture_is_turned_as_its_camera_noted():
    image = Image.new("RGB", (4, 2), "blue")
    turned = Image.Exif()
    turned[0x0112] = 6
    assert decode_photograph(encoded(image, "JPEG", exif=turned), "a").shape == (4, 2, 3)


def test_sixteen_bits_are_scaled_not_clipped():
    grey = Image.fromarray(np.array([[0, 256, 65535]], dtype=np.uint16))
    assert decode_photograph(encoded(grey), "a")[0, :, 0].tolist() == [0, 1, 255]


def test_what_is_no_image_is_refused_by_name(tmp_path):
    path = tmp_path / "notes.jpg"
    path.write_text("not an image")
    with pytest.raises(AfterimageError, match=r"notes\.jpg: not a readable image"):
        read_photograph(path)
    with pytest.raises(AfterimageError, match=r"gone\.png: no such file"):
        read_photograph(tmp_path / "gone.png")
