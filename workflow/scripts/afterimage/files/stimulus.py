"""A figure's stimuli in one file, with images, parameters and hashes; and the tasks of the forms made from them.

The file opens elsewhere as a data set with pictures: ``datasets.load_dataset("parquet", data_files=...)``.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.parquet import (
    TEXTS,
    column,
    open_records,
    read_about,
    read_records,
    with_about,
    write_groups,
    write_records,
)
from afterimage.files.png import check_png, pixels_sha256, png_sha256

Pixels = npt.NDArray[np.uint8]

#: A row group, which is read as a whole, holds at most so many images, and bytes unless one image alone is larger.
GROUP_IMAGES = 100
GROUP_BYTES = 1 << 24


def _feature(kind: pa.DataType) -> object:
    """Describe an Arrow type as the library ``datasets`` does."""
    if pa.types.is_list(kind):
        # All versions of the library read this form; the later `List` is unknown to earlier ones.
        return [_feature(kind.value_type)]
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    return {"_type": "Value", "dtype": str(kind)}


def _with_features(schema: pa.Schema) -> pa.Schema:
    """Say in the schema which column holds pictures; the library wants every column to be named."""
    features = {field.name: _feature(field.type) for field in schema}
    info = {"info": {"features": {**features, "image": {"_type": "Image"}}}}
    return schema.with_metadata({"huggingface": json.dumps(info)})


#: One row of ``results/stimuli/<suite>/<figure>/stimuli.parquet``.
STIMULUS = _with_features(
    pa.schema(
        [
            column(
                "stimulus_id",
                pa.string(),
                "`<figure>_<variant>_<condition>` or alike: says what is on the image and is never shown to a model",
            ),
            column("suite", pa.string(), "the suite"),
            column("figure", pa.string(), "the figure"),
            # Never empty, but the library takes only a column that may be for pictures.
            column(
                "image",
                pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())]),
                "the PNG, 8-bit RGB, no alpha, no metadata: its bytes, and its name where it is a file",
                nullable=True,
            ),
            column("width_px", pa.int32(), "width of the image"),
            column("height_px", pa.int32(), "height of the image"),
            column(
                "pixels_sha256",
                pa.string(),
                "SHA-256 of the decoded RGB bytes, row by row (PNG bytes depend on the zlib build, pixels do not)",
            ),
            column(
                "png_sha256",
                pa.string(),
                "SHA-256 of the PNG bytes, checked whenever an image is read",
            ),
            column(
                "parameters",
                pa.string(),
                "JSON: what the figure was drawn from, for drawn illusions `nominal` and `realised` (sizes after "
                "rounding to attainable rasters, units in the names)",
            ),
            column(
                "factors",
                TEXTS,
                "what tables group by, such as `variant`, `condition` and `inducer`",
            ),
        ]
    )
)
#: In every file of drawn stimuli: anyone who finds it in a training corpus knows that the benchmark is in it.
CANARY = "Benchmark data, to be kept out of training corpora: afterimage b2954690-6a63-440a-a5c9-d5152bccf2ac"
#: The columns that are read where nothing else is asked for: all but the images, which are most of the file.
RECORD = tuple(name for name in STIMULUS.names if name != "image")

# A PNG does not shrink, and no two are the same; a page's checksum tells a flipped byte anywhere.
_LAYOUT = {
    "compression": {
        "factors.list.element.name": "zstd",
        "factors.list.element.value": "zstd",
        **{name: "zstd" for name in RECORD if name != "factors"},
    },
    "use_dictionary": ["suite", "figure", "factors.list.element.name"],
    "write_page_checksum": True,
    "write_statistics": ["stimulus_id"],
}


def stimulus_row(
    suite: str,
    figure: str,
    stimulus_id: str,
    png: bytes,
    pixels: Pixels,
    parameters: Mapping[str, object],
    factors: Mapping[str, str],
) -> dict[str, Any]:
    """Return a row of schema STIMULUS.

    Args:
        stimulus_id: What the stimulus is called; its file's name too.
        pixels: What ``png`` decodes to, uint8, shape (height, width, 3).
        parameters: Plain values that it was drawn from.
        factors: What the tables group by.
    """
    height, width, _ = pixels.shape
    return {
        "stimulus_id": stimulus_id,
        "suite": suite,
        "figure": figure,
        "image": {"bytes": png, "path": f"{stimulus_id}.png"},
        "width_px": width,
        "height_px": height,
        "pixels_sha256": pixels_sha256(pixels),
        "png_sha256": png_sha256(png),
        "parameters": json.dumps(parameters, sort_keys=True),
        "factors": dict(factors),
    }


def write_stimuli(
    path: str | os.PathLike[str],
    rows: Iterable[Mapping[str, Any]],
    about: Mapping[str, str] | None = None,
) -> int:
    """Write the rows that :func:`stimulus_row` made and return their number; memory holds one row group.

    Args:
        about: What the file says of itself, such as its suite's version and :data:`CANARY`.
    """
    return write_groups(path, _groups(rows), with_about(STIMULUS, about), **_LAYOUT)


def read_stimuli(
    path: str | os.PathLike[str], columns: Sequence[str] = RECORD
) -> Iterator[dict[str, Any]]:
    """Yield the records of a file without their images, ``factors`` as a mapping.

    Each has two more keys: ``file``, this one, and ``row``, the index of its image in it.

    Raises:
        AfterimageError: The file is missing, damaged, or of another version.
    """
    for index, row in enumerate(read_records(path, STIMULUS, columns)):
        yield {**row, "file": str(path), "row": index}


def read_images(path: str | os.PathLike[str]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield each record of a file with its image's PNG bytes, checked as :meth:`StimulusImages.png` does."""
    images = StimulusImages()
    for record in read_stimuli(path):
        yield record, images.png(record)


def find_stimulus(path: str | os.PathLike[str], stimulus_id: str) -> dict[str, Any]:
    """Return the record of one stimulus.

    Raises:
        AfterimageError: There is none of this name; the nearest is said.
    """
    records = {record["stimulus_id"]: record for record in read_stimuli(path)}
    if stimulus_id not in records:
        raise unknown_name("stimulus", stimulus_id, records)
    return records[stimulus_id]


def write_without_images(path: str | os.PathLike[str], records: str | os.PathLike[str]) -> None:
    """Copy a file of stimuli but for the images."""
    columns = pa.schema([field for field in STIMULUS if field.name in RECORD])
    about = read_about(path, STIMULUS)
    write_records(records, read_records(path, STIMULUS, RECORD), columns, about=about)


class StimulusImages:
    """The way to an image from its record; of each file the row group that was read last is kept."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, list[bytes]]] = {}

    def png(self, record: Mapping[str, Any]) -> bytes:
        """Return the PNG bytes of a record from :func:`read_stimuli`, checked to be the recorded ones and nothing else.

        Raises:
            AfterimageError: The image is missing, damaged or another one, or holds more than pixels.
        """
        path: str = record["file"]
        row: int = record["row"]
        name: str = record["stimulus_id"]
        first, images = self._kept.get(path, (0, []))
        if not first <= row < first + len(images):
            first, images = self._kept[path] = _images_around(path, row, name)
        png = images[row - first]
        if png_sha256(png) != record["png_sha256"]:
            raise AfterimageError(
                f"{path}: the image of stimulus '{name}' is not the one that was drawn and recorded; "
                "delete it and run again."
            )
        check_png(png, f"{path}, stimulus '{name}'")
        return png


def _images_around(path: str, row: int, stimulus_id: str) -> tuple[int, list[bytes]]:
    """Return the row group that a row is in: its first row, and its images."""
    with open_records(path, STIMULUS) as file:
        first = 0
        for group in range(file.num_row_groups):
            after = first + file.metadata.row_group(group).num_rows
            if row < after:
                try:
                    column = file.read_row_group(group, columns=["image.bytes"])["image"]
                except (pa.ArrowInvalid, OSError) as error:
                    raise AfterimageError(
                        f"{path}: the image of stimulus '{stimulus_id}' cannot be read ({error}); "
                        "delete it and run again."
                    ) from error
                return first, list(column.combine_chunks().field("bytes").to_pylist())
            first = after
    raise AfterimageError(
        f"{path}: holds {first} images and none of stimulus '{stimulus_id}'; delete it and run again."
    )


def _groups(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    group: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        group.append(row)
        size += len(row["image"]["bytes"])
        if len(group) == GROUP_IMAGES or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


#: One row of ``results/human/tasks/<suite>/<form>.parquet``, in the order of pages and of tasks on a page.
FORM_TASK = pa.schema(
    [
        column("suite", pa.string(), "the suite"),
        column("form", pa.string(), "the form that the page belongs to"),
        column("page", pa.string(), "the page: `01`, `02`, ..."),
        column("order", pa.int32(), "the task's place on the page, from 1"),
        column("page_checksum", pa.string(), "changes when any task of the page does"),
        column("form_id", pa.string(), "the form's opaque id on the page"),
        column("task_id", pa.string(), "the task's opaque id on the page"),
        column("own_id", pa.string(), "the suite's name for the task"),
        column("attention", pa.bool_(), "an attention check, no task of the study"),
        column(
            "task_checksums",
            pa.map_(pa.string(), pa.string()),
            "by language: changes when what is shown in that language does",
        ),
        column("images", pa.list_(pa.binary()), "PNG files as shown"),
        column(
            "content",
            pa.string(),
            "JSON: heading, passages and fields, with opaque and own ids, in the order shown",
        ),
        column(
            "about",
            pa.map_(pa.string(), pa.string()),
            "what the suite wants to find beside the answer",
        ),
    ]
)


class Inputs(NamedTuple):
    """Paths, in the order in which the plan names them; empty if the form does not ask for the kind.

    Attributes:
        stimuli: Stimulus records, schema STIMULUS, images among them, one file per figure.
        items: Items, schema ITEM, one file per shard.
        responses: Responses, schema RESPONSE, one file per model.
        grades: Grades, schema GRADE, one file per model.
        files: What the suite's ``form_files`` lists.
    """

    stimuli: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    responses: tuple[str, ...] = ()
    grades: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def shown_stimuli(inputs: Inputs) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield each stimulus record with its PNG bytes, checked to be the one that was drawn.

    Raises:
        AfterimageError: An image is missing, is another than the recorded one, or holds metadata.
    """
    for path in inputs.stimuli:
        yield from read_images(path)
