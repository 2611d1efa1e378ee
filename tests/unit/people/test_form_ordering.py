"""Which task stands on which page, and where."""

from collections import Counter
from itertools import pairwise

import pytest
from form_samples import choice_task
from hypothesis import given
from hypothesis import strategies as st

from afterimage.people.forms.tasks import checks_per_page, deal, opaque_id, page_count


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
