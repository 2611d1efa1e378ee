"""What a run asks of each model, and where answers are missing: how many, why, and what has the file made again.

Snakemake makes a file again that is older than an input, or whose job has another input now. So an attempt that leaves
failures ends with a new file, ``again``, which the next start finds and gives to the job as an input. It is dated
ahead: Snakemake dates the answers when the job has ended. An attempt that leaves none changes
nothing, and nothing is left to do (docs/invalidation.md).

The shards that a run asks of each model are written when it starts and read by the jobs that load one (docs/models.md):
they say what can be asked, so no job depends on them.

Read whenever the Snakefile is parsed, so it imports no library.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.paths import write_text
from afterimage.note import Note

# A model without all or any answers: how what is missing is marked, and the sentence that says so.
#
# Standard library only: planning, tables, the ledger and the report all use it.

#: What a request without answer has in the column ``outcome`` of its grade; its ``correct`` is empty.
FAILED: Literal["failed"] = "failed"
#: With this the ``finish_reason`` of a response without answer begins; its ``text`` is empty, not blank.
FAILED_BECAUSE = f"{FAILED}: "
#: The column that a table as CSV has where a model is not finished: empty in all rows but that model's.
NOT_FINISHED = "not_finished"

#: What files of items and grades without rows say of themselves in their metadata: why nothing is asked.
WHY_NOTHING = "why_nothing"
#: Metadata of item files: questions left out because an image cannot be decoded, as a JSON list of
#: ``item_id``, ``stimulus_id``, ``prompt``, ``question``, ``factors`` and ``messages``; others' answers may be theirs.
UNREADABLE_ITEMS = "unreadable_items"

# How backends begin the reason of what they did not ask any more.
_NOT_ASKED = "not asked: "
# Servers say much; what it is about comes first.
_LONGEST_REASON = 190


#: What :attr:`Unfinished.state` can be: answers are missing and will be asked for again; every reply is empty; the
#: suite has no question in this study.
NOT_ALL, NOTHING_ANSWERED, NOTHING_ASKED = "not finished", "nothing answered", "nothing asked"
_NOT_ANSWERED = {
    NOT_ALL: "not finished: {answered:,} of {asked:,} answered, {reason}",
    NOTHING_ANSWERED: "nothing answered: {answered:,} of {asked:,} answered, {reason}",
}


class Unfinished(NamedTuple):
    """A model that has not answered all of a suite, or has nothing to answer there: no table shows its numbers.

    Attributes:
        asked: Answers that the suite needs of it.
        failed: Those that are missing.
        reason: Why most of them are.
        state: One of :data:`NOT_ALL`, :data:`NOTHING_ANSWERED` and :data:`NOTHING_ASKED`.
    """

    suite: str
    model: str
    asked: int
    failed: int
    reason: str
    state: str = NOT_ALL

    @property
    def sentence(self) -> Note:
        """Say it: ``not finished: 196 of 224 answered, HTTP status 401: ...``."""
        if self.state == NOTHING_ASKED:
            return Note("nothing asked: {reason}", reason=self.reason)
        return Note(
            _NOT_ANSWERED[self.state],
            answered=self.asked - self.failed,
            asked=self.asked,
            reason=self.reason,
        )


def most_common(reasons: Iterable[str]) -> str:
    """Return the reason that most failures have, on one line and not too long; "" of none.

    Of a request that was not asked since another had failed, the reason is that one's.
    """
    counted = Counter(reason.removeprefix(_NOT_ASKED) for reason in reasons).most_common(1)
    reason = " ".join(counted[0][0].split()) if counted else ""
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}..."


_SUFFIX = ".attempt.json"
# What a job's end takes until Snakemake dates its outputs, on slow shared disks and with clocks apart.
_AHEAD_SECONDS = 600


class Attempt(NamedTuple):
    """How the last attempt to get some answers ended.

    Attributes:
        number: Attempts so far that left failures.
        asked: Answers that the file needs.
        failed: Those that are missing.
        reason: Why most of these are.
    """

    number: int = 0
    asked: int = 0
    failed: int = 0
    reason: str = ""


def last_attempt(answers: str | os.PathLike[str]) -> Attempt:
    """Return how the last attempt to make a file of answers ended; an unreadable note counts as no note."""
    try:
        noted = json.loads(_attempt_path(answers).read_text(encoding="utf-8"))
        return Attempt(
            int(noted["number"]), int(noted["asked"]), int(noted["failed"]), str(noted["reason"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Attempt()


def others_noted(answers: str | os.PathLike[str]) -> dict[str, int]:
    """Return which other models gave some of the answers in a file, and how many; nothing if no note says so."""
    try:
        noted = json.loads(_attempt_path(answers).read_text(encoding="utf-8"))["others"]
        return {str(name): int(count) for name, count in noted.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def note_attempt(
    answers: str | os.PathLike[str],
    requested: int,
    failures: Sequence[str],
    others: Mapping[str, int] = MappingProxyType({}),
    starts_left: int = 0,
) -> None:
    """Note how an attempt to make a file of answers ended; nothing is written where there is nothing to say.

    Args:
        failures: Why some are missing, one reason each.
        others: Other models that answered, and how often.
        starts_left: How often the job is started again where it fails.

    Raises:
        AfterimageError: Some are missing, and the job may ask for them again.
    """
    if failures and starts_left:
        times = "once more" if starts_left == 1 else f"up to {starts_left} times more"
        raise AfterimageError(
            f"{len(failures):,} of {requested:,} answers are missing ({most_common(failures)}); what was answered is "
            f"in the journal, and this job, which fails, is started {times} for the others."
        )
    before = last_attempt(answers)
    if not (failures or others or before.number or others_noted(answers)):
        return
    attempt = Attempt(
        number=before.number + bool(failures),
        asked=requested,
        failed=len(failures),
        reason=most_common(failures),
    )
    noted = {**attempt._asdict(), **({"others": dict(others)} if others else {})}
    write_text(_attempt_path(answers), json.dumps(noted, ensure_ascii=False) + "\n")
    if failures:
        again = again_at(answers, attempt.number)
        write_text(
            again, f"{len(failures)} of {requested} answers were missing: {attempt.reason}\n"
        )
        date_ahead(answers)


def date_ahead(answers: str | os.PathLike[str]) -> None:
    """Date the file :func:`again_at`, if answers are missing, later than Snakemake dates the file of answers.

    It does so when the job ends: to be called again after whatever takes long.
    """
    last = last_attempt(answers)
    if last.failed:
        ahead = time.time() + _AHEAD_SECONDS
        with suppress(FileNotFoundError):
            os.utime(again_at(answers, last.number), (ahead, ahead))


def again_at(answers: str | os.PathLike[str], number: int) -> Path:
    """Return the file by which Snakemake makes a file of answers again after so many attempts with failures."""
    return Path(answers).with_suffix(f".again-{number}")


def noted_answers(note: Path) -> list[Path]:
    """Return the files of answers to which a note, or a file of :func:`again_at`, may belong; none for other files."""
    stem, _, rest = note.name.rpartition(".attempt" if note.name.endswith(_SUFFIX) else ".again-")
    is_note = stem and (rest == ".json" or rest.isdecimal())
    return [note.with_name(f"{stem}{kind}") for kind in (".parquet", ".csv")] if is_note else []


def begin_again(again: Iterable[str | os.PathLike[str]]) -> None:
    """Give the files of the last attempt today's date, so that what is made now is newer."""
    for path in again:
        os.utime(path)


def noting_failures(
    rows: Iterable[dict[str, Any]], failures: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield rows with the columns of a reply as they are, and add to ``failures`` why some have no text."""
    for row in rows:
        if row["text"] is None:
            failures.append(row["finish_reason"].removeprefix(FAILED_BECAUSE))
        yield row


def _attempt_path(answers: str | os.PathLike[str]) -> Path:
    return Path(answers).with_suffix(_SUFFIX)


class PendingShard(NamedTuple):
    """A shard whose responses this run makes.

    Attributes:
        log: The log of the job that makes its responses.
        text_first: The suite's name where the model reads texts before images, as ItemRequests takes it.
        is_remade: Whether this run makes the items, too, so that existing ones may be an earlier run's.
    """

    suite: str
    items: str
    log: str
    text_first: Sequence[str] = ()
    is_remade: bool = False

    def is_ready(self, started: float) -> bool:
        """Tell whether the items are there, given when the run started, as the file system stamps files."""
        try:
            made = Path(self.items).stat().st_mtime
        except OSError:
            return False
        return not self.is_remade or made >= started


class Pending(NamedTuple):
    """What a run asks one model.

    Attributes:
        shards: In the order in which their jobs are likely to start.
        started: When the run started, as the file system stamps files.
        is_timed: Whether jobs are ended after their ``runtime``, as a cluster ends them.
    """

    shards: Sequence[PendingShard] = ()
    started: float = 0.0
    is_timed: bool = True


def write_pending(
    path: str | os.PathLike[str], shards: Mapping[str, Sequence[PendingShard]], is_timed: bool
) -> None:
    """Write the shards of each model, by its name, and whether jobs are ended after their time."""
    noted = {"models": shards, "is_timed": is_timed}
    write_text(path, json.dumps(noted, ensure_ascii=False) + "\n")


def read_pending(path: str | os.PathLike[str], model: str) -> Pending:
    """Return what the run asks a model; nothing if no file says so."""
    try:
        started = Path(path).stat().st_mtime
        noted = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Pending()
    shards = [PendingShard(*shard) for shard in noted["models"].get(model, ())]
    return Pending(shards, started, noted["is_timed"])
