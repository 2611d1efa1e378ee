"""Work on several things at a time, whose results come in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def in_order(
    make: Callable[[_Given], _Made], given: Iterable[_Given], threads: int
) -> Iterator[_Made]:
    """Yield ``make(one)`` of each, in order, several in work at a time; no more than twice as many are held.

    Worth it where the work leaves Python's lock alone, as decoding and packing images does.

    Args:
        make: The work; what it raises comes out in its place.
        given: What it is done with.
        threads: How many at a time; 1 works without a thread.
    """
    if threads <= 1:
        yield from map(make, given)
        return
    left = iter(given)
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[_Made]] = deque(
            pool.submit(make, one) for one in islice(left, 2 * threads)
        )
        try:
            while waiting:
                made = waiting.popleft().result()
                waiting.extend(pool.submit(make, one) for one in islice(left, 1))
                yield made
        finally:
            pool.shutdown(cancel_futures=True)
