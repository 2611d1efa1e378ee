"""Ids that say nothing, and the salt that they are made with."""

import string
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.errors import AfterimageError
from afterimage.people.forms.tasks import checksum, make_salt, opaque_id, read_salt


@given(st.text(), st.lists(st.text(), min_size=1, max_size=4))
def test_an_id_is_twelve_consonants_so_that_no_spreadsheet_takes_it_for_a_number_or_a_date(
    salt, names
):
    found = opaque_id(salt, *names)
    assert len(found) == 12
    assert set(found) <= set(string.ascii_lowercase) - set("aeiouyl")


def test_an_id_depends_on_the_salt_and_on_every_name():
    ids = {
        opaque_id(salt, *names)
        for salt in ("a", "b")
        for names in (("x", "y"), ("x", "z"), ("xy",), ("x", "y", ""))
    }
    assert len(ids) == 8
    assert opaque_id("a", "x", "y") == opaque_id("a", "x", "y")


def test_a_checksum_changes_with_its_text():
    assert checksum("one") != checksum("two")
    assert checksum("one") == checksum("one")


def test_the_salt_is_drawn_once_and_kept(tmp_path):
    assert read_salt(tmp_path / "human") is None
    salt = make_salt(tmp_path / "human")
    assert make_salt(tmp_path / "human") == read_salt(tmp_path / "human") == salt
    assert [path.name for path in (tmp_path / "human").iterdir()] == ["salt.txt"]


def test_two_studies_have_different_salts(tmp_path):
    assert make_salt(tmp_path / "one") != make_salt(tmp_path / "two")


def test_jobs_at_the_same_time_agree_on_one_salt(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        salts = set(pool.map(lambda _: make_salt(tmp_path), range(32)))
    assert len(salts) == 1


def test_a_damaged_salt_is_refused_instead_of_replaced(tmp_path):
    (tmp_path / "salt.txt").write_text("5a5a\n")
    with pytest.raises(AfterimageError, match=r"salt\.txt: not a salt .*put back the file"):
        make_salt(tmp_path)
