"""Division of work between jobs: each claims the answers that it is about to ask, and waits for those of others.

One file per claim below the model's journal, ``.leases/<time>-<host>-<process>-<random>.lease``: a lease, and the keys
of the answers. With claims instead of a lock on the whole model, the shards of a run proceed in parallel, and two runs
share the work even if their shards or suites are divided differently.
"""

import errno
import logging
import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from afterimage.errors import AfterimageError
from afterimage.models.journaling import leases
from afterimage.models.journaling.appending import new_name, now
from afterimage.models.journaling.leases import HeldLease, Lease, Watch

logger = logging.getLogger(__name__)

#: Interval of log lines while waiting for others.
SECONDS_BETWEEN_LINES = 30.0
#: A lease without a beat for a day is removed by any job, regardless of clock differences.
ABANDONED_SECONDS = 86_400.0
_FOLDER = ".leases"
_SUFFIX = ".lease"
# Lock file, held while a job reads the claims of others and writes its own.
_GATE = "deciding"
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 5.0
# File systems on which a computer sees new files of another one late or never.
_UNRELIABLE = (
    *("9p", "vboxsf", "prl_fs", "afs", "davfs", "fuse.sshfs", "fuse.s3fs", "fuse.rclone"),
    *("fuse.gcsfuse", "fuse.blobfuse", "fuse.blobfuse2", "fuse.goofys", "fuse.mountpoint-s3"),
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_MOUNTS = Path("/proc/self/mounts")

T = TypeVar("T")


class GateLostError(Exception):
    """Other jobs took this process for dead while it was claiming; its claim is void."""


@dataclass(frozen=True)
class Claim:
    """The answers that a job may ask for now, and the claims on the others; a context manager that releases the claim.

    Attributes:
        keys: The keys of the answers that this job may ask for.
        others: The claims on the other wanted keys.
    """

    keys: frozenset[str]
    others: Sequence[Lease] = ()
    lease: HeldLease | None = None

    def is_held(self) -> bool:
        """Tell whether the claim is still this job's."""
        return self.lease is None or self.lease.is_held()

    def while_held(self, requests: Callable[..., Iterable[T]]) -> Callable[..., Iterator[T]]:
        """Return a function that yields the same requests and stops when the claim is lost."""

        def yielded(*arguments: object) -> Iterator[T]:
            for request in requests(*arguments):
                if not self.is_held():
                    logger.warning(
                        "this job was suspended for so long that another one has taken over what it asked; what is in "
                        "flight is recorded, the rest is shared anew"
                    )
                    return
                yield request

        return yielded

    def __enter__(self) -> "Claim":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the claim, so that others can ask for missing answers."""
        if self.lease is not None:
            self.lease.release()


class Claims:
    """The claims on one model's answers."""

    def __init__(self, journal: Path) -> None:
        self._folder = journal / _FOLDER
        self._is_checked = False

    def claim(self, wanted: Collection[str]) -> Claim:
        """Claim the answers with these keys that no other job is asking for.

        If no lease can be written, all are claimed, with a warning that two runs would ask twice.

        Raises:
            AfterimageError: The disk is full.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._check_file_system()
            while True:
                try:
                    return self._claim(wanted)
                except GateLostError:
                    continue
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise AfterimageError(
                    f"{self._folder}: there is no room for a lease ({error.strerror}); nothing "
                    "is asked, since no answer could be recorded: make room and run again."
                ) from error
            logger.warning(
                "%s: no lease can be written there (%s); another run on this journal would ask the same again",
                self._folder,
                error.strerror,
            )
            return Claim(frozenset(wanted))

    def wait(self, others: Sequence[Lease], model: str, answers: int) -> None:
        """Wait until one of these claims is released or stale; log progress meanwhile.

        Args:
            answers: Number of answers that this job waits for.
        """
        watches = [Watch(lease.path) for lease in others]
        text = (
            "%s: %d answers are being asked for by another job, %s; waiting until it has them, or gives no sign of "
            "life for %g s"
        )
        values = (model, answers, "; ".join(map(str, others[:3])), leases.STALE_SECONDS)
        logger.warning(text, *values)
        started = last = time.monotonic()
        pause = _FIRST_PAUSE_SECONDS
        # All are checked each time, so that the silence of all is counted.
        while not sum(watch.is_over() for watch in watches):
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)
            if time.monotonic() - last > SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                logger.info(text + ", %.0f s so far", *values, last - started)

    def _claim(self, wanted: Collection[str]) -> Claim:
        with self._deciding() as gate:
            claimed = self._claimed(gate.path.stat().st_mtime - ABANDONED_SECONDS)
            others = [claim for claim in claimed if not claim[1].isdisjoint(wanted)]
            keys = frozenset(wanted).difference(*(theirs for _, theirs in others))
            others_leases = tuple(lease for lease, _ in others)
            claim = Claim(keys, others_leases, self._lease(keys) if keys else None)
            # The next job to claim has either found this claim, or taken the gate before this line.
            if not gate.owns_file():
                claim.__exit__(None, None, None)
                raise GateLostError
            return claim

    def _lease(self, keys: frozenset[str]) -> HeldLease:
        name = new_name(now()).removesuffix(".jsonl")
        return HeldLease(self._folder / f"{name}{_SUFFIX}", "\n".join(keys))

    def _claimed(self, abandoned: float) -> Iterator[tuple[Lease, frozenset[str]]]:
        """Yield the claims of live processes; those of processes that have ended are removed.

        Args:
            abandoned: Processes without a beat since this file time have ended.
        """
        for path in self._folder.glob(f"[!.]*{_SUFFIX}"):
            lease = leases.read(path)
            if lease is None:
                continue
            if not lease.is_file:
                logger.warning(
                    "%s is no lease (a pipe, a device, a link or a folder); it is removed", path
                )
            if _has_ended(lease, abandoned) and leases.remove(lease):
                logger.info("%s ended without letting go of what it asked for", lease)
                continue
            yield lease, frozenset(leases.content_of(path).split())

    @contextmanager
    def _deciding(self) -> Iterator[HeldLease]:
        """Let one job at a time make its claim."""
        path = self._folder / _GATE
        watch = Watch(path)
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                gate = HeldLease(path)
                break
            except FileExistsError:
                if not watch.is_over():
                    time.sleep(random.uniform(pause / 2, pause))
                    pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)
        try:
            yield gate
        finally:
            gate.release()

    def _check_file_system(self) -> None:
        if self._is_checked:
            return
        self._is_checked = True
        kind = file_system_of(self._folder)
        if kind in _UNRELIABLE:
            logger.warning(
                "%s is on a file system of type %s, on which two computers may not see each other's leases: let only "
                "one run at a time use this journal, or some requests may be asked and paid for twice",
                self._folder.parent,
                kind,
            )


def _has_ended(lease: Lease, abandoned: float) -> bool:
    try:
        return lease.has_ended() or lease.path.stat().st_mtime < abandoned
    except FileNotFoundError:
        return False


def file_system_of(folder: Path, mounts: Path = _MOUNTS) -> str | None:
    """Return the type of the file system that holds a folder, as the system calls it; None if it does not say.

    Args:
        folder: A folder that exists.
        mounts: The system's list of what is mounted where, in the form of fstab(5).
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    resolved = folder.resolve()
    found: tuple[int, str | None] = 0, None
    for line in lines:
        _, mounted, kind, *_ = (*line.split(" "), "", "", "")
        at = Path(mounted.replace("\\040", " "))
        # Of two at one place the later one is seen.
        if mounted and resolved.is_relative_to(at) and len(at.parts) >= found[0]:
            found = len(at.parts), kind
    return found[1]
