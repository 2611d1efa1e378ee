"""A file is read once for as long as it stays as it is."""

import os
from pathlib import Path

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.read_once import once_per_state


@pytest.fixture
def calls():
    return []


@pytest.fixture
def read(calls):
    @once_per_state(4)
    def read(path, ending=""):
        calls.append((path, ending))
        try:
            return Path(path).read_text() + ending
        except FileNotFoundError as error:
            raise AfterimageError(f"{path}: no such file.") from error

    return read


def test_an_unchanged_file_is_read_once_however_its_path_is_given(read, calls, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("first")
    assert [read(path), read(str(path)), read(path)] == ["first"] * 3
    assert calls == [(str(path), "")]


@pytest.mark.parametrize(("text", "later"), [("longer than before", 0), ("other", 1)])
def test_a_file_of_another_size_or_time_is_read_again(read, text, later, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("first")
    before = path.stat()
    assert read(path) == "first"
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + later))
    assert read(path) == text


def test_what_else_is_asked_for_tells_results_apart(read, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("first")
    assert [read(path), read(path, "!"), read(path, "?")] == ["first", "first!", "first?"]


def test_a_file_that_was_not_there_is_read_once_it_is(read, tmp_path):
    path = tmp_path / "a.txt"
    with pytest.raises(AfterimageError, match="no such file"):
        read(path)
    path.write_text("first")
    assert read(path) == "first"
