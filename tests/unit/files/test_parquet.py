"""Record files are whole, follow their schema, or do not exist."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.parquet import merge_records, read_about, read_records, write_records

SCHEMA = pa.schema(
    [
        pa.field("name", pa.string(), nullable=False),
        pa.field("size_px", pa.int32()),
        pa.field("factors", pa.map_(pa.string(), pa.string()), nullable=False),
    ]
)


def row(name="a", size=1):
    return {"name": name, "size_px": size, "factors": {"variant": "A"}}


def test_rows_come_back_as_they_went_in(tmp_path):
    rows = [row(str(number), number) for number in range(1000)]
    assert write_records(tmp_path / "r.parquet", iter(rows), SCHEMA, batch_size=64) == 1000
    assert list(read_records(tmp_path / "r.parquet", SCHEMA)) == rows


def test_no_rows_make_a_file_without_rows(tmp_path):
    write_records(tmp_path / "r.parquet", [], SCHEMA)
    assert list(read_records(tmp_path / "r.parquet", SCHEMA)) == []


def test_the_same_rows_give_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_records(tmp_path / name, [row()], SCHEMA)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"name": "a", "factors": {}}, "differ from the schema in: size_px"),
        ({**row(), "extra": 1}, "differ from the schema in: extra"),
        (row(size="wide"), "does not fit its column"),
        (row(name=None), "column 'name' must not be empty"),
    ],
)
def test_a_bad_row_leaves_the_old_file_as_it_was(tmp_path, bad, message):
    path = tmp_path / "r.parquet"
    write_records(path, [row()], SCHEMA)
    with pytest.raises(AfterimageError, match=message):
        write_records(path, [row(), bad], SCHEMA)
    assert list(read_records(path, SCHEMA)) == [row()]
    assert [file.name for file in tmp_path.iterdir()] == ["r.parquet"]


def test_an_interrupted_writer_leaves_nothing(tmp_path):
    def rows():
        yield row()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(tmp_path / "r.parquet", rows(), SCHEMA, batch_size=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not parquet", b"PAR1PAR1"])
def test_an_unreadable_file_is_named_in_one_sentence(tmp_path, content):
    path = tmp_path / "r.parquet"
    path.write_bytes(content)
    with pytest.raises(AfterimageError, match=r"r\.parquet: not a readable Parquet file") as error:
        list(read_records(path, SCHEMA))
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AfterimageError, match="no such file"):
        list(read_records(tmp_path / "r.parquet", SCHEMA))


def test_a_file_of_another_schema_is_refused(tmp_path):
    other = pa.schema([pa.field("name", pa.string()), pa.field("age", pa.int32())])
    write_records(tmp_path / "r.parquet", [{"name": "a", "age": 1}], other)
    with pytest.raises(AfterimageError, match="differing: age, factors, size_px"):
        list(read_records(tmp_path / "r.parquet", SCHEMA))


def test_merging_keeps_the_order_of_the_parts(tmp_path):
    for name in ("b", "a"):
        write_records(tmp_path / name, [row(name)], SCHEMA)
    assert merge_records(tmp_path / "m", [tmp_path / "b", tmp_path / "a"], SCHEMA) == 2
    assert [found["name"] for found in read_records(tmp_path / "m", SCHEMA)] == ["b", "a"]


def test_an_image_that_is_asked_about_many_times_is_stored_once(tmp_path):
    import os

    schema = pa.schema([pa.field("png", pa.binary(), nullable=False)])
    image = os.urandom(500_000)
    write_records(tmp_path / "r.parquet", [{"png": image}] * 40, schema, batch_size=64)
    assert (tmp_path / "r.parquet").stat().st_size < 1_000_000


IMAGE = pa.struct(
    [
        pa.field("name", pa.string(), nullable=False),
        pa.field("png", pa.binary(), nullable=False),
        pa.field("note", pa.binary()),
    ]
)
WITH_IMAGES = pa.schema(
    [
        pa.field("id", pa.int32(), nullable=False, metadata={"description": "the row"}),
        pa.field("images", pa.list_(IMAGE), nullable=False, metadata={"description": "bytes"}),
        pa.field("more", pa.list_(IMAGE)),
    ],
    {"kind": "test"},
)


def with_images(number):
    """A row of none, one or two images, which other rows show too."""
    images = [
        {"name": f"n{index}", "png": bytes([index % 4]) * 5000, "note": None if index % 2 else b"x"}
        for index in range(number, number + number % 3)
    ]
    return {"id": number, "images": images, "more": None if number % 2 else images[:1]}


class TestBytesThatRowsShare:
    def test_come_back_as_they_went_in(self, tmp_path):
        rows = [with_images(number) for number in range(200)]
        write_records(tmp_path / "r", iter(rows), WITH_IMAGES, batch_size=64, about={"by": "me"})
        assert list(read_records(tmp_path / "r", WITH_IMAGES)) == rows
        assert read_about(tmp_path / "r", WITH_IMAGES) == {"by": "me"}

    def test_are_plain_bytes_in_a_file_of_the_schema(self, tmp_path):
        write_records(tmp_path / "r", [with_images(2)], WITH_IMAGES)
        pq.write_table(pa.Table.from_pylist([with_images(2)], WITH_IMAGES), tmp_path / "plain")
        ours, plain = (pq.ParquetFile(tmp_path / name) for name in ("r", "plain"))
        assert ours.schema_arrow.equals(plain.schema_arrow, check_metadata=True)
        assert ours.schema.equals(plain.schema)
        assert ours.metadata.metadata == plain.metadata.metadata

    def test_are_stored_once_for_a_group_of_rows(self, tmp_path):
        rows = [with_images(2) | {"id": number} for number in range(64)]
        for name, some in (("many", rows), ("one", rows[:1])):
            write_records(tmp_path / name, some, WITH_IMAGES, batch_size=64)
        sizes = [(tmp_path / name).stat().st_size for name in ("many", "one")]
        assert sizes[0] < sizes[1] + 1500

    @pytest.mark.parametrize(
        ("images", "message"),
        [
            (None, "column 'images' must not be empty"),
            ([{"name": "a", "png": None, "note": None}], "'png' is empty in an entry"),
            ([{"png": b"", "note": None}], "'name' is empty in an entry"),
            ([{"name": "a", "png": 3, "note": None}], "does not fit its column"),
        ],
    )
    def test_one_that_is_not_there_is_one_sentence(self, tmp_path, images, message):
        with pytest.raises(AfterimageError, match=message):
            write_records(tmp_path / "r", [with_images(1) | {"images": images}], WITH_IMAGES)
        assert not (tmp_path / "r").exists()
