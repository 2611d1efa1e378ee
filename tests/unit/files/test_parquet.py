"""Record files are whole, follow their schema, or do not exist."""

import pyarrow as pa
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.parquet import merge_records, read_records, write_records

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
