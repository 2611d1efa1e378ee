"""Which task stands on which page, and where: drawn from the salt, so that no order tells what a task is."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

from afterimage.contract.task import Task


def page_count(tasks: int, batch_size: int) -> int:
    """Return the number of pages; pages are filled evenly, so the last is as full as the others."""
    return math.ceil(tasks / batch_size)


def checks_per_page(tasks: int, pages: int, share: float) -> int:
    """Return how many attention checks a page gets: the share of its tasks, at least one unless it is 0."""
    return max(1, round(share * tasks / pages)) if share and pages else 0


def deal(tasks: Sequence[Task], pages: int, rank: Callable[[str], str]) -> list[list[Task]]:
    """Deal tasks to pages and order each page.

    Tasks of one group are spread over the pages, and on a page no two of them follow each other as long
    as others are left to stand between.

    Args:
        tasks: Tasks with different ids.
        pages: How many pages, 1 or more.
        rank: Gives a text by which tasks are drawn; the same for the same id.
    """
    # Group by group, so that each group's tasks go to pages in turn.
    queue = sorted(tasks, key=lambda task: (rank(task.group or task.id), rank(task.id)))
    dealt = [queue[page::pages] for page in range(pages)]
    return [_apart(sorted(page, key=lambda task: rank(task.id))) for page in dealt]


def _apart(page: list[Task]) -> list[Task]:
    """Order tasks so that neighbours are of different groups, otherwise as they come."""
    waiting, ordered = list(page), []
    while waiting:
        last = _group(ordered[-1]) if ordered else None
        left = Counter(map(_group, waiting))
        # A group that makes up half of what is left has to be taken now, or its tasks end up side by side.
        largest, most = left.most_common(1)[0]
        pressing = largest if 2 * most > len(waiting) and largest != last else None
        chosen = next(
            (
                task
                for task in waiting
                if (_group(task) == pressing if pressing is not None else _group(task) != last)
            ),
            waiting[0],
        )
        waiting.remove(chosen)
        ordered.append(chosen)
    return ordered


def _group(task: Task) -> str:
    return task.group or f"\0{task.id}"
