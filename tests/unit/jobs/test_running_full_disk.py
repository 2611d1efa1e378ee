"""A full disk is called that, whichever library finds it."""

import errno
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from afterimage.jobs.running import no_room

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def by_python():
    with Path("/dev/full").open("w") as file:
        file.write("x" * 100_000)


def by_arrow():
    # By a path the library would remove what it could not write.
    with pa.OSFile("/dev/full", "wb") as file:
        pq.write_table(pa.table({"a": list(range(100_000))}), file)


def by_a_picture():
    from PIL import Image

    with Path("/dev/full").open("wb") as file:
        Image.effect_noise((500, 500), 50).save(file, "PNG")


def by_an_error_that_wraps_it():
    try:
        by_python()
    except OSError as error:
        raise RuntimeError("could not write") from error


@pytest.mark.parametrize("write", [by_python, by_arrow, by_a_picture, by_an_error_that_wraps_it])
def test_whatever_writes_to_a_full_disk_is_without_room(write):
    with pytest.raises(Exception) as caught:
        write()
    assert no_room(caught.value) == "the disk is full"


@pytest.mark.parametrize(
    "error", [OSError(errno.EACCES, "denied"), ValueError("No space left on device")]
)
def test_other_errors_are_not_called_that(error):
    assert no_room(error) is None
