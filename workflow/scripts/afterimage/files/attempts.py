"""What stands beside a file of answers of which some are missing: how many, why, and a mark by which it is made again.

Snakemake makes a file again when a parameter of its job has changed. The mark is one: new after every attempt that
left failures, so that the next start asks what is missing; as it was after one that left none, so that nothing is left
to do (docs/invalidation.md). Read whenever the Snakefile is parsed, so standard library only.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import uuid4

from afterimage.files.unfinished import FAILED_BECAUSE, most_common
from afterimage.files.whole import write_text

_SUFFIX = ".attempt.json"


class Attempt(NamedTuple):
    """How the last attempt to get some answers ended.

    Attributes:
        mark: Tells this attempt from earlier ones; "" where none has ever left a failure.
        asked: Answers that the file needs.
        failed: Those that are missing.
        reason: Why most of these are.
    """

    mark: str = ""
    asked: int = 0
    failed: int = 0
    reason: str = ""


def last_attempt(answers: str | os.PathLike[str]) -> Attempt:
    """Return how the last attempt to make a file of answers ended; an unreadable note counts as no note."""
    try:
        noted = json.loads(_beside(answers).read_text(encoding="utf-8"))
        return Attempt(
            str(noted["mark"]), int(noted["asked"]), int(noted["failed"]), str(noted["reason"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Attempt()


def others_noted(answers: str | os.PathLike[str]) -> dict[str, int]:
    """Return which other models gave some of the answers in a file, and how many; nothing where no note says so."""
    try:
        noted = json.loads(_beside(answers).read_text(encoding="utf-8"))["others"]
        return {str(name): int(count) for name, count in noted.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def note_attempt(
    answers: str | os.PathLike[str],
    asked: int,
    failures: Sequence[str],
    others: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Note how an attempt to make a file of answers ended; nothing is written where there is nothing to say.

    Args:
        answers: The file, which is there.
        asked: Answers that it needs.
        failures: Why some are missing, one reason each.
        others: Other models that answered, and how often.
    """
    before = last_attempt(answers)
    if not (failures or others or before.mark or others_noted(answers)):
        return
    attempt = Attempt(
        mark=uuid4().hex if failures else before.mark,
        asked=asked,
        failed=len(failures),
        reason=most_common(failures),
    )
    noted = {**attempt._asdict(), **({"others": dict(others)} if others else {})}
    write_text(_beside(answers), json.dumps(noted, ensure_ascii=False) + "\n")


def noting_failures(
    rows: Iterable[dict[str, Any]], failures: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield rows with the columns of a reply as they are, and add to ``failures`` why some have no text."""
    for row in rows:
        if row["text"] is None:
            failures.append(row["finish_reason"].removeprefix(FAILED_BECAUSE))
        yield row


def _beside(answers: str | os.PathLike[str]) -> Path:
    return Path(answers).with_suffix(_SUFFIX)
