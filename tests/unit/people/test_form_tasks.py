"""Tasks of forms: ids that say nothing, the salt behind them, and which task stands on which page."""

import string
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from form_samples import choice_task
from hypothesis import given
from hypothesis import strategies as st

from afterimage.errors import AfterimageError
from afterimage.people.forms.tasks import (
    checks_per_page,
    checksum,
    deal,
    make_salt,
    opaque_id,
    page_count,
    read_salt,
)


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


def rank(name):
    return opaque_id("salt", name)


def tasks(sizes):
    return [
        choice_task(f"{group}{number}", group=group)
        for group, size in sizes.items()
        for number in range(size)
    ]


@pytest.mark.parametrize(("number", "pages"), [(0, 0), (1, 1), (30, 1), (31, 2), (68, 3)])
def test_pages_hold_at_most_the_batch_size(number, pages):
    assert page_count(number, 30) == pages


def test_pages_are_filled_evenly():
    dealt = deal(tasks({"a": 68}), 3, rank)
    assert sorted(map(len, dealt)) == [22, 23, 23]


@pytest.mark.parametrize(
    ("number", "pages", "share", "checks"),
    [(68, 3, 0.05, 1), (90, 3, 0.05, 2), (10, 1, 0.05, 1), (68, 3, 0, 0), (0, 0, 0.05, 0)],
)
def test_every_page_gets_a_check_unless_the_share_is_zero(number, pages, share, checks):
    assert checks_per_page(number, pages, share) == checks


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 6), min_size=1),
    st.integers(1, 3),
)
def test_dealing_loses_and_doubles_nothing(sizes, pages):
    given_tasks = tasks(sizes)
    dealt = [task.id for page in deal(given_tasks, pages, rank) for task in page]
    assert sorted(dealt) == sorted(task.id for task in given_tasks)


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 6), min_size=1))
def test_neighbours_are_of_different_groups_wherever_that_is_possible(sizes):
    (page,) = deal(tasks(sizes), 1, rank)
    groups = [task.group for task in page]
    side_by_side = sum(one == two for one, two in pairwise(groups))
    most = max(Counter(groups).values())
    assert side_by_side == max(0, most - (len(groups) - most) - 1)


def test_a_group_is_spread_over_the_pages():
    dealt = deal(tasks({"a": 3, "b": 3, "c": 3}), 3, rank)
    assert all(Counter(task.group for task in page) == {"a": 1, "b": 1, "c": 1} for page in dealt)


def test_the_order_follows_the_salt_and_not_the_order_of_the_tasks():
    made = tasks({"a": 9, "b": 9})
    order = [task.id for task in deal(made, 1, rank)[0]]
    assert order == [task.id for task in deal(made[::-1], 1, rank)[0]]
    other = deal(made, 1, lambda name: opaque_id("other", name))[0]
    assert order != [task.id for task in other]
