"""What arrives at a server, when one's own images go to an API, is what docs/models.md says and no more."""

import base64
import getpass
import io
import json
import socket
import struct

import pytest
from faulty_model import entry
from loopback_api import LoopbackApi, completion
from PIL import Image as Pictures
from PIL import PngImagePlugin

from afterimage.files.photograph import read_photograph
from afterimage.files.png import encode_png, pixels_sha256
from afterimage.models.interface import Image, Message, Request
from afterimage.models.openai_compatible import load

SECRETS = ("Ada Example", "59.33N", "holiday", "patient_17")
SENT_BY_EVERY_REQUEST = {
    *("host", "authorization", "accept", "accept-encoding", "content-type", "content-length"),
    *("user-agent", "connection"),
}


def with_metadata(path):
    """Write a picture with all that a camera and an editor leave in it."""
    picture = Pictures.new("RGB", (40, 30), "teal")
    exif = picture.getexif()
    exif[0x013B] = "Ada Example"
    exif[0x8298] = "holiday"
    if path.suffix == ".jpg":
        picture.save(path, exif=exif, comment=b"59.33N")
    else:
        noted = PngImagePlugin.PngInfo()
        noted.add_text("Author", "Ada Example")
        noted.add_itxt("XML:com.adobe.xmp", "59.33N holiday")
        picture.save(path, pnginfo=noted, exif=exif, icc_profile=b"Ada Example")


def chunks(png):
    """Return the kinds of a PNG's chunks."""
    kinds, place = [], 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kinds.append(png[place + 4 : place + 8].decode())
        place += 12 + length
    return kinds


@pytest.fixture(params=["jpg", "png"])
def call(request, tmp_path):
    """What one request about a picture of one's own brings to a server."""
    folder = tmp_path / "holiday"
    folder.mkdir()
    path = folder / f"patient_17.{request.param}"
    with_metadata(path)
    assert any(secret.encode() in path.read_bytes() for secret in SECRETS)
    pixels = read_photograph(path)
    shown = Image(encode_png(pixels), pixels_sha256(pixels))
    with LoopbackApi(lambda _: completion("Left.")) as api:
        list(load(entry(api.url))([Request(0, (Message("user", ("Which is it?", shown)),))]))
    (call,) = api.calls
    return call


def test_a_picture_is_its_pixels_alone(call):
    (part,) = [part for part in call.body["messages"][0]["content"] if part["type"] == "image_url"]
    kind, _, data = part["image_url"]["url"].partition(",")
    assert kind == "data:image/png;base64"
    png = base64.b64decode(data)
    assert set(chunks(png)) == {"IHDR", "IDAT", "IEND"}
    with Pictures.open(io.BytesIO(png)) as picture:
        assert (picture.size, picture.info) == ((40, 30), {})


def test_nothing_but_model_messages_and_settings_is_asked(call):
    assert set(call.body) == {"model", "messages", "temperature", "max_tokens"}
    assert set(call.body["messages"][0]) == {"role", "content"}


def test_no_name_of_a_file_a_person_or_a_computer_is_sent(call):
    told = json.dumps([call.path, call.headers, call.body]).lower()
    names = [secret.lower() for secret in SECRETS]
    # A short name may be part of any word.
    names += [name.lower() for name in (getpass.getuser(), socket.gethostname()) if len(name) > 5]
    assert not [name for name in names if name in told]


def test_headers_tell_of_the_client_and_of_nothing_else(call):
    others = {name for name in call.headers if name not in SENT_BY_EVERY_REQUEST}
    assert all(name.startswith("x-stainless-") for name in others), others
    assert not {name for name in others if "session" in name or "user" in name}
