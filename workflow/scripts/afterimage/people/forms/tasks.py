"""Tasks of a form: opaque ids, order, attention checks by instruction.

Ids that say nothing: keyed hashes of names, under a salt that no page holds.

The salt is drawn once per study and kept next to the returned files, because only with it do the
ids on a page find their tasks again after results have been removed. Standard library only.
"""

import hashlib
import hmac
import math
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from afterimage.contract.task import Choice, Task
from afterimage.errors import AfterimageError
from afterimage.files.paths import write_text
from afterimage.items.form_texts import fill

#: The salt's file in the folder of what people return.
SALT_FILE = "salt.txt"

#: Consonants that cannot be mistaken: no id reads as a word, a number or a date, which spreadsheets would change.
ALPHABET = "bcdfghjkmnpqrstvwxz"
LENGTH = 12

_SALT_BYTES = 32
_DIGITS = set("0123456789abcdef")


def opaque_id(salt: str, *names: str) -> str:
    """Return an opaque id of twelve letters; without the salt it does not lead back to the names."""
    message = "\0".join(names).encode()
    return _letters(hmac.new(salt.encode(), message, hashlib.sha256).digest())


def checksum(text: str) -> str:
    """Return twelve letters that change with a text; not keyed, so only for what a page shows anyway."""
    return _letters(hashlib.sha256(text.encode()).digest())


def read_salt(folder: str | Path) -> str | None:
    """Return the study's salt, or None before the first page was made.

    Raises:
        AfterimageError: The file is not what :func:`make_salt` writes.
    """
    path = Path(folder) / SALT_FILE
    if not path.is_file():
        return None
    salt = path.read_text(encoding="utf-8", errors="replace").strip()
    if len(salt) != 2 * _SALT_BYTES or not set(salt) <= _DIGITS:
        raise AfterimageError(
            f"{path}: not a salt (expected {2 * _SALT_BYTES} hexadecimal digits); put back the file "
            "with which the pages were made."
        )
    return salt


def make_salt(folder: str | Path) -> str:
    """Return the study's salt, drawing it if there is none; of several jobs at once one draws."""
    known = read_salt(folder)
    if known is not None:
        return known
    path = Path(folder) / SALT_FILE
    drawn = path.with_name(f".{SALT_FILE}.{secrets.token_hex(8)}")
    write_text(drawn, secrets.token_hex(_SALT_BYTES) + "\n")
    try:
        # A link appears whole, and fails where another job was faster.
        os.link(drawn, path)
    except FileExistsError:
        pass
    except OSError:
        # No links on this file system; then the last of several jobs at once would win, so look first.
        if not path.exists():
            drawn.replace(path)
    finally:
        drawn.unlink(missing_ok=True)
    salt = read_salt(folder)
    if salt is None:
        raise AfterimageError(f"{path}: could not be written; expected a folder for a new file.")
    return salt


def _letters(digest: bytes) -> str:
    number = int.from_bytes(digest, "big")
    letters = []
    for _ in range(LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[rest])
    return "".join(letters)


# ---- ordering ----


def page_count(tasks: int, batch_size: int) -> int:
    """Return the number of pages; pages are filled evenly, so the last is as full as the others."""
    return math.ceil(tasks / batch_size)


def checks_per_page(tasks: int, pages: int, share: float) -> int:
    """Return how many attention checks a page gets: the share of its tasks, at least one unless it is 0."""
    return max(1, round(share * tasks / pages)) if share and pages else 0


def deal(tasks: Sequence[Task], pages: int, rank: Callable[[str], str]) -> list[list[Task]]:
    """Deal tasks to pages and order each page.

    Tasks of one group are spread over the pages, and on a page no two of them follow each other as long
    as there are others left to separate them.

    Args:
        pages: How many pages, 1 or more.
        rank: Gives a text by which tasks are drawn; the same for the same id.
    """
    # Group by group, so that each group's tasks go to pages in turn.
    queue = sorted(tasks, key=lambda task: (rank(task.group or task.id), rank(task.id)))
    dealt = [queue[page::pages] for page in range(pages)]
    return [_spread_groups(sorted(page, key=lambda task: rank(task.id))) for page in dealt]


def pages_of(
    tasks: Sequence[Task], batch_size: int, rank: Callable[[str], str]
) -> list[list[Task]]:
    """Return the pages with their tasks, in order: as the tasks name them, or evenly filled."""
    named = dict.fromkeys(task.page for task in tasks)
    if any(named):
        ranked = sorted(tasks, key=lambda task: rank(task.id))
        return [[task for task in ranked if task.page == page] for page in named]
    pages = page_count(len(tasks), batch_size)
    return deal(tasks, pages, rank) if pages else []


def _spread_groups(page: list[Task]) -> list[Task]:
    """Order tasks so that neighbours are of different groups, otherwise as they come."""
    waiting = list(page)
    ordered: list[Task] = []
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


# ---- instructed ----


def instructed_checks(
    tasks: Sequence[Task],
    number: int,
    instruction: Mapping[str, str],
    rank: Callable[[str], str],
) -> Iterator[Task]:
    """Yield tasks that ask for a named option, made from ``tasks`` in turn; none from tasks without a choice.

    Args:
        tasks: In the order in which they are taken.
        instruction: By language, the question, with ``{option}`` in the place of the option's text.
        rank: Gives a text by which the option is drawn.
    """
    suitable = [task for task in tasks if any(isinstance(field, Choice) for field in task.fields)]
    for index in range(number if suitable else 0):
        name = f"attention/{index + 1}"
        task = suitable[index % len(suitable)]
        # One question is enough, and a sentence needs the whole width.
        choice = next(field for field in task.fields if isinstance(field, Choice))
        ranks = {option.id: rank(f"{name}/{option.id}") for option in choice.options}
        drawn = min(ranks, key=ranks.__getitem__)
        option = next(option for option in choice.options if option.id == drawn)
        text = {
            code: fill(template, code, option=option.text) for code, template in instruction.items()
        }
        yield replace(
            task,
            id=name,
            fields=(replace(choice, text=text, layout="list", optional=False),),
            group="",
            about={},
            expected={choice.id: option.id},
        )
