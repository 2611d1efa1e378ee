"""A figure's images are in one file, checked when they are read, and open elsewhere as pictures."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from afterimage.errors import AfterimageError
from afterimage.files import stimulus
from afterimage.files.parquet import write_records
from afterimage.files.png import decode_png, encode_png
from afterimage.files.stimulus import (
    GROUP_IMAGES,
    RECORD,
    STIMULUS,
    StimulusImages,
    read_images,
    read_stimuli,
    stimulus_row,
    write_stimuli,
)

FACTORS = {"variant": "A", "condition": "fake"}


def pixels(number):
    """An image that no zip makes smaller than a page's header."""
    return np.random.default_rng(number).integers(0, 256, (40, 60, 3)).astype(np.uint8)


def rows(count):
    for number in range(count):
        drawn = pixels(number)
        parameters = {"nominal": {"size": number}, "realised": {}}
        yield stimulus_row(
            "suite", "figure", f"figure_{number}", encode_png(drawn), drawn, parameters, FACTORS
        )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "figure" / "stimuli.parquet"
    assert write_stimuli(path, rows(2 * GROUP_IMAGES + 5)) == 2 * GROUP_IMAGES + 5
    return path


def flipped(path, name):
    """Flip one bit of the pixels of an image, and return how the file was."""
    before = path.read_bytes()
    number = int(name.removeprefix("figure_"))
    data = bytearray(before)
    place = before.index(encode_png(pixels(number))) + 2000
    data[place] ^= 1
    path.write_bytes(data)
    return before


def test_records_and_images_come_back_as_they_were_written(file):
    found = list(read_images(file))
    assert len(found) == 2 * GROUP_IMAGES + 5
    for number, (record, png) in enumerate(found):
        assert png == encode_png(pixels(number))
        assert record["stimulus_id"] == f"figure_{number}"
        assert (record["width_px"], record["height_px"]) == (60, 40)
        assert record["factors"] == FACTORS
        assert list(record["factors"]) == list(FACTORS)
        assert record["parameters"] == f'{{"nominal": {{"size": {number}}}, "realised": {{}}}}'
    assert set(record) == {*RECORD, "file", "row"}


def test_images_are_found_from_their_records_in_any_order(file):
    records = list(read_stimuli(file))
    images = StimulusImages()
    for number in (204, 0, 150, 99, 100, 1):
        assert images.png(records[number]) == encode_png(pixels(number))


def test_a_row_group_holds_few_images_and_fewer_large_ones(file, tmp_path, monkeypatch):
    groups = pq.ParquetFile(file).metadata
    sizes = [groups.row_group(number).num_rows for number in range(groups.num_row_groups)]
    assert sizes == [GROUP_IMAGES, GROUP_IMAGES, 5]
    monkeypatch.setattr(stimulus, "GROUP_BYTES", 3 * len(encode_png(pixels(0))))
    write_stimuli(tmp_path / "large.parquet", rows(7))
    assert 2 <= pq.ParquetFile(tmp_path / "large.parquet").metadata.num_row_groups <= 4
    shown = [png for _, png in read_images(tmp_path / "large.parquet")]
    assert shown == [encode_png(pixels(number)) for number in range(7)]


def test_images_lie_uncompressed_as_they_are(file):
    assert file.read_bytes().count(encode_png(pixels(7))) == 1


def test_the_same_images_give_the_same_bytes(file, tmp_path):
    write_stimuli(tmp_path / "again.parquet", rows(2 * GROUP_IMAGES + 5))
    assert (tmp_path / "again.parquet").read_bytes() == file.read_bytes()


def test_a_flipped_bit_in_an_image_is_one_sentence_and_no_reader_of_records_minds(file):
    flipped(file, "figure_150")
    records = list(read_stimuli(file))
    assert len(records) == 2 * GROUP_IMAGES + 5
    assert StimulusImages().png(records[0]) == encode_png(pixels(0))
    with pytest.raises(AfterimageError) as caught:
        StimulusImages().png(records[150])
    assert str(caught.value).startswith(
        f"{file}: the image of stimulus 'figure_150' cannot be read ("
    )
    assert "CRC" in str(caught.value)
    assert str(caught.value).endswith("; delete it and run again.")


def test_a_flipped_bit_in_the_records_is_one_sentence(file):
    data = bytearray(file.read_bytes())
    column = pq.ParquetFile(file).metadata.row_group(1).column(STIMULUS.names.index("stimulus_id"))
    data[column.data_page_offset + column.total_compressed_size // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(
        AfterimageError, match=r"stimuli\.parquet: its content is damaged .*; delete it"
    ):
        list(read_stimuli(file))


def test_another_image_than_the_recorded_one_is_refused(tmp_path):
    path = tmp_path / "stimuli.parquet"
    first, second = rows(2)
    write_stimuli(path, [{**first, "image": second["image"]}, second])
    record, _ = read_stimuli(path)
    with pytest.raises(
        AfterimageError,
        match=r"stimuli\.parquet: the image of stimulus 'figure_0' is not the one that was drawn and "
        r"recorded; delete it and run again\.",
    ):
        StimulusImages().png(record)


def test_an_image_with_metadata_that_a_model_could_read_is_refused(tmp_path):
    path = tmp_path / "stimuli.parquet"
    png = encode_png(pixels(0))
    text = b"tEXt" + b"what\x00it is"
    chunk = len(text[4:]).to_bytes(4, "big") + text + stimulus_crc(text)
    said = png[:33] + chunk + png[33:]
    write_stimuli(path, [stimulus_row("suite", "figure", "one", said, pixels(0), {}, {})])
    with pytest.raises(AfterimageError, match="stimulus 'one': its image holds metadata"):
        list(read_images(path))


def stimulus_crc(data):
    import zlib

    return zlib.crc32(data).to_bytes(4, "big")


def test_a_missing_file_is_one_sentence(file):
    record = next(read_stimuli(file))
    file.unlink()
    with pytest.raises(AfterimageError, match=r"stimuli\.parquet: no such file"):
        list(read_stimuli(file))
    with pytest.raises(AfterimageError, match=r"stimuli\.parquet: no such file"):
        StimulusImages().png(record)


def test_the_file_of_an_older_version_is_one_sentence(tmp_path):
    before = pa.schema(
        [
            field if field.name != "image" else pa.field("image", pa.string(), nullable=False)
            for field in STIMULUS
            if field.name != "png_sha256"
        ]
    )
    (row,) = rows(1)
    del row["png_sha256"]
    write_records(tmp_path / "stimuli.parquet", [{**row, "image": "figure_0.png"}], before)
    with pytest.raises(
        AfterimageError,
        match=r"its columns are not those of this version \(differing: png_sha256\); delete it and run",
    ):
        list(read_stimuli(tmp_path / "stimuli.parquet"))


def test_the_library_datasets_opens_the_file_as_pictures(file, tmp_path):
    datasets = pytest.importorskip(
        "datasets", reason="the library datasets is not installed (pip install '.[datasets]')"
    )
    other = file.parents[1] / "other" / "stimuli.parquet"
    write_stimuli(other, [{**row, "figure": "other"} for row in rows(3)])
    opened = datasets.load_dataset(
        "parquet", data_files=[str(file), str(other)], split="train", cache_dir=str(tmp_path / "c")
    )
    assert opened.column_names == STIMULUS.names
    assert isinstance(opened.features["image"], datasets.Image)
    assert len(opened) == 2 * GROUP_IMAGES + 5 + 3
    for number in (0, 150, len(opened) - 1):
        row = opened[number]
        drawn = decode_png(encode_png(pixels(int(row["stimulus_id"].removeprefix("figure_")))))
        assert (np.asarray(row["image"]) == drawn).all()
        assert row["factors"] == [
            {"name": "variant", "value": "A"},
            {"name": "condition", "value": "fake"},
        ]
    assert opened[len(opened) - 1]["figure"] == "other"
