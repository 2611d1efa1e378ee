"""Work on several things at a time comes in order, is bounded, and fails in its place."""

import threading

import pytest

from afterimage.jobs.stimuli import in_order


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order_whatever_takes_longest(threads):
    later = threading.Event()

    def make(number):
        # The first waits for another one, where there are several at a time.
        if number == 1:
            later.set()
        elif number == 0 and threads > 1:
            assert later.wait(30)
        return number * number

    assert list(in_order(make, range(40), threads)) == [number * number for number in range(40)]


def test_no_more_are_begun_than_twice_as_many_as_are_in_work():
    taken = []

    def given():
        for number in range(100):
            taken.append(number)
            yield number

    results = in_order(str, given(), 3)
    assert next(results) == "0"
    assert len(taken) <= 7
    results.close()
    assert len(taken) <= 7


@pytest.mark.parametrize("threads", [1, 4])
def test_what_fails_fails_in_its_place(threads):
    def make(number):
        if number == 5:
            raise ValueError("the fifth")
        return number

    results = in_order(make, range(20), threads)
    assert [next(results) for _ in range(5)] == list(range(5))
    with pytest.raises(ValueError, match="the fifth"):
        next(results)
