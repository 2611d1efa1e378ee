"""A user's images: read, turned into 8-bit RGB, and kept with the questions that the annotations ask about them.

A picture is decoded once and never edited: turned as its camera says, transparent parts on white.
"""

import zipfile
from collections.abc import Mapping
from pathlib import Path

from afterimage.contract.drawing import Drawing
from afterimage.errors import AfterimageError
from afterimage.files.photograph import decode_photograph
from afterimage.suites.illusionbench.annotations import Picture
from afterimage.suites.illusionbench.sources import folder, read
from afterimage.suites.illusionbench.spec import StimulusSpec


def specs(settings: Mapping) -> list[StimulusSpec]:
    """Return the pictures of the category ``settings["category"]``.

    Raises:
        AfterimageError: The data set cannot be read.
    """
    return [
        _spec(picture, settings) for picture in read(settings).of_category(settings["category"])
    ]


def draw(parameters: Mapping) -> Drawing:
    """Decode a picture.

    Raises:
        AfterimageError: It cannot be decoded, or has another size than its annotation says.
    """
    place = (
        f"{parameters['archive']}: {parameters['file']}"
        if parameters["archive"]
        else parameters["file"]
    )
    try:
        pixels = decode_photograph(_data(parameters), place)
    except (AfterimageError, OSError, KeyError, zipfile.BadZipFile) as error:
        raise AfterimageError(
            f"{place}: cannot be read as an image ({error}); mend the file, or list '{parameters['image_id']}' under "
            "suites.illusionbench.leave_out."
        ) from None
    height, width, _ = pixels.shape
    if parameters["size_px"] and [width, height] != list(parameters["size_px"]):
        raise AfterimageError(
            f"{place}: found {width} x {height} px; expected {parameters['size_px'][0]} x {parameters['size_px'][1]}, "
            "the width and height of its annotation."
        )
    return Drawing(pixels)


def _data(parameters: Mapping) -> bytes:
    if parameters["archive"] is None:
        return Path(parameters["file"]).read_bytes()
    with zipfile.ZipFile(parameters["archive"]) as archive:
        return archive.read(parameters["file"])


def _spec(picture: Picture, settings: Mapping) -> StimulusSpec:
    is_release = settings["source"] == "release"
    parameters = {
        "image_id": picture.image_id,
        "archive": settings["release"]["images"] if is_release else None,
        "file": picture.file if is_release else folder.image_file(settings, picture),
        "size_px": picture.size_px and list(picture.size_px),
        "statements": [statement._asdict() for statement in picture.statements],
        "choices": [choice._asdict() for choice in picture.choices],
        "golden": picture.golden,
    }
    factors = {
        "category": picture.category,
        "difficulty": picture.difficulty,
        "source": settings["source"],
    }
    return StimulusSpec(picture.image_id, parameters, factors)
