"""The user's photographs: which images of a folder are shown, and in which figure; each is decoded once.

Standard library only until one is decoded, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.design import Listed
from afterimage.contract.stimulus import (
    IMAGE,
    MISSING,
    Drawing,
    Json,
    Measured,
    StimulusSpec,
    is_missing,
)
from afterimage.contract.suite import Missing
from afterimage.errors import AfterimageError
from afterimage.files.read_once import once_per_state
from afterimage.suites.texture.columns import IMAGES, OBJECTS, Row, Table, read_rows
from afterimage.suites.texture.dataset import large_enough

if TYPE_CHECKING:
    import numpy as np

#: Photographs in one figure, which one job decodes.
_PER_FIGURE = 100


def figure_positions(settings: Json) -> dict[str, int]:
    """Return the name of each figure, a hundred lines of images.csv, to the position of its first line."""
    return {
        _figure(position): position // _PER_FIGURE * _PER_FIGURE
        for position in sorted(_shown(settings))
    }


def images_of(figure: str, settings: Json) -> list[dict[str, Any]]:
    """Return ``image_id``, ``file`` and ``size`` (width and height, px) of a figure's photographs."""
    return [
        {
            "image_id": str(row["image_id"]),
            "file": _file(settings, row).as_posix(),
            "size": [row["width"], row["height"]],
        }
        for position, row in _shown(settings).items()
        if _figure(position) == figure
    ]


def drawing(figure: str, settings: Json) -> Json:
    """Return the settings of a figure's photographs: ``images``, and which of them are ``absent``, if any."""
    images = images_of(figure, settings)
    absent = [image["image_id"] for image in images if not Path(image["file"]).is_file()]
    return {"images": images, **({"absent": absent} if absent else {})}


def missing(settings: Json) -> Missing:
    """Return the absent photographs of objects that are large enough."""
    files = [_file(settings, row) for row in _shown(settings).values()]
    return Missing(tuple(file.as_posix() for file in files if not file.is_file()), len(files))


def _file(settings: Json, row: Row) -> Path:
    return Path(settings["image_folder"] or settings["data"], str(row["file"]))


def _ids(figure: str, settings: Json) -> tuple[str, ...]:
    return tuple(image["image_id"] for image in images_of(figure, settings))


def _specs(figure: str, settings: Json) -> list[StimulusSpec]:
    """Return the photographs that ``settings`` lists as ``images``; the factor ``size`` is what images.csv says.

    Those that are ``absent`` are marked instead (``is_missing``).
    """
    absent = set(settings.get("absent", ()))
    return [
        StimulusSpec(image["image_id"], {"file": None, "size": image["size"]}, {IMAGE: MISSING})
        if image["image_id"] in absent
        else StimulusSpec(
            image["image_id"],
            {"file": image["file"], "size": image["size"]},
            {"size": "x".join(map(str, image["size"]))},
        )
        for image in settings["images"]
    ]


#: In the order of images.csv.
DESIGN = Listed(_ids, _specs)


def _figure(position: int) -> str:
    return f"photographs_{position // _PER_FIGURE:04d}"


def _shown(settings: Json) -> dict[int, Row]:
    """Return the position in images.csv and the row of each image with an object that is large enough."""
    path = _path(settings, OBJECTS)
    images, objects = _rows(_path(settings, IMAGES), IMAGES), _rows(path, OBJECTS)
    known = {row["image_id"] for row in images}
    for row in objects:
        if row["image_id"] not in known:
            raise AfterimageError(
                f"{path}: line {row['line']}: image '{row['image_id']}' is in no row of images.csv."
            )
    large = large_enough(objects, settings["area_limit"], settings["area_mode"], path)
    wanted = {row["image_id"] for row in large}
    if not wanted:
        raise AfterimageError(
            f"{path}: none of {len(objects)} objects takes up more than {settings['area_limit']:g} of its image; "
            "expected at least one (suites.texture.area_limit)."
        )
    return {position: row for position, row in enumerate(images) if row["image_id"] in wanted}


def _path(settings: Json, table: Table) -> str:
    return (Path(settings["data"]) / table.file).as_posix()


@once_per_state(None)
def _rows(path: str, table: Table) -> tuple[Row, ...]:
    return tuple(read_rows(path, table))


# Only people can say what a photograph shows.


def draw(file: str | None, size: list[int]) -> Drawing:
    """Read a photograph as 8-bit RGB, the way up that its camera noted.

    Args:
        file: Its path; None if it is not there, so that nobody is asked about it.
        size: Width and height that images.csv gives, px.

    Raises:
        AfterimageError: The file is missing, is no image, or has another size.
    """
    # Late: planning imports this module.
    from afterimage.drawing import photograph
    from afterimage.files.opened_image import opened_image

    if file is None:
        return photograph.draw(None)
    path = Path(file)
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected the image that images.csv names.")
    drawing = photograph.draw(file)
    with opened_image(path, str(path)) as image:
        # COCO's sizes are those of the stored image; one that its camera turned has them swapped.
        stored = list(image.size)
    height, width = drawing.pixels.shape[:2]
    shown = [width, height]
    if list(size) not in (stored, shown):
        expected = " x ".join(map(str, size))
        raise AfterimageError(f"{path}: is {shown[0]} x {shown[1]} px; images.csv says {expected}.")
    return drawing


def measure(pixels: "np.ndarray", factors: Mapping[str, str]) -> Measured:
    """Compare the size of a photograph with ``size`` among the factors; the columns are those of drawn materials."""
    height, width = pixels.shape[:2]
    shown, expected = f"{width}x{height}", factors.get("size", "")
    # A photograph that its camera turned has the sides swapped.
    fits = is_missing(factors) or expected in (shown, f"{height}x{width}")
    remark = "" if fits else f"found {shown} px"
    columns = {
        "width_px": width,
        "height_px": height,
        "value": "",
        "expected": "",
        "area_fraction": "",
        "expected_area_fraction": "",
        "holds": fits,
        "remark": remark and f"{remark}, expected {expected}",
    }
    return Measured("", expected, fits, remark, columns)
