"""Progress of a job: counted in one place, shown on a terminal or in a log."""

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from afterimage.models.interface import Reply

logger = logging.getLogger(__name__)

#: Interval between two lines of a log.
SECONDS_BETWEEN_LINES = 30.0
#: Environment variable with the file from which the run's display reads the job's progress (``stages/running.py``).
STATE_FILE = "AFTERIMAGE_STATE"
_SECONDS_BETWEEN_STATES = 1.0
# A shorter job shows no bar.
_SECONDS_BEFORE_BAR = 1.0


class Progress:
    """The numbers of one job's progress; pure except for the clock.

    Attributes:
        expected: Answers that the job needs, as far as known.
        from_journal: Answers from the journal.
        answered: New answers.
        failed: Answers that failed.
        prompt_tokens: Tokens of the prompts of all existing answers, as far as they were counted.
        completion_tokens: The same for the answers.
        cached_tokens, cache_written_tokens: Prompt tokens read from a cache, and written to it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with nothing expected.

        Args:
            clock: Returns seconds since any moment.
        """
        self.expected = self.from_journal = self.answered = self.failed = 0
        self.prompt_tokens = self.completion_tokens = 0
        self.cached_tokens = self.cache_written_tokens = 0
        self._clock = clock
        self._started: float | None = None

    def expect(self, answers: int, from_journal: int) -> None:
        """Add to the answers that the job needs, and to those from the journal."""
        self.expected += answers
        self.from_journal += from_journal

    def count_tokens(self, reply: Reply) -> None:
        """Add the tokens of an answer, as far as they were counted."""
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        self.cached_tokens += reply.cached_tokens or 0
        self.cache_written_tokens += reply.cache_written_tokens or 0

    def start(self) -> None:
        """Start the clock when the first answer is awaited; later calls do nothing."""
        if self._started is None:
            self._started = self._clock()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return 0.0 if self._started is None else self._clock() - self._started

    def state(self) -> dict[str, float]:
        """Return the numbers in the form that the run's display reads."""
        return {
            "expected": self.expected,
            "from_journal": self.from_journal,
            "answered": self.answered,
            "failed": self.failed,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cached_tokens": self.cached_tokens,
            "cache_written_tokens": self.cache_written_tokens,
            "seconds": self.seconds,
        }

    @property
    def per_second(self) -> float | None:
        """Answers per second since the start; None before the first."""
        seconds = self.seconds
        return self.answered / seconds if self.answered and seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until all answers exist; None if there is no rate yet."""
        rate = self.per_second
        waiting = self.expected - self.from_journal - self.answered - self.failed
        return None if rate is None else waiting / rate

    def __str__(self) -> str:
        """Return all numbers in one line."""
        there = self.from_journal + self.answered
        parts = [
            f"{there} of {self.expected} answers there",
            f"{self.from_journal} of them from the journal",
            f"{self.failed} failed",
        ]
        rate, left = self.per_second, self.seconds_left
        if rate is not None and left is not None:
            parts += [_rate(rate), f"{_duration(left)} left"]
        return ", ".join(parts)


@contextmanager
def shown(
    progress: Progress,
    name: str,
    stream: TextIO | None = None,
    seconds: float = SECONDS_BETWEEN_LINES,
) -> Iterator[Callable[[], None]]:
    """Show progress while the block runs: a line in the log now and then, and a bar if there is a terminal.

    Lines follow the clock, not the answers, so that a log also shows that a server is silent.

    Args:
        name: The model.
        stream: Where the bar is drawn if it is a terminal; standard error by default.
        seconds: Between two lines of the log.

    Yields:
        A function to call when a number has changed.
    """
    stream = sys.stderr if stream is None else stream
    over = threading.Event()
    state = os.environ.get(STATE_FILE)

    def report() -> None:
        until_line = seconds
        step = min(seconds, _SECONDS_BETWEEN_STATES) if state else seconds
        while not over.wait(step):
            until_line -= step
            if state:
                _write_state(Path(state), progress)
            if until_line <= 0:
                logger.info("%s: %s", name, progress)
                until_line = seconds

    reporter = threading.Thread(target=report, name="progress", daemon=True)
    reporter.start()
    try:
        if stream is not None and stream.isatty():
            with _bar(progress, name, stream) as refresh:
                yield refresh
        else:
            yield lambda: None
    finally:
        over.set()
        reporter.join()
        note(progress)


def note(progress: Progress) -> None:
    """Write the numbers for the run's display, if there is one."""
    if state := os.environ.get(STATE_FILE):
        _write_state(Path(state), progress)


def _write_state(path: Path, progress: Progress) -> None:
    """Write the numbers atomically; an error here must not fail the job."""
    whole = path.with_suffix(".part")
    try:
        whole.write_text(json.dumps(progress.state()), encoding="utf-8")
        whole.replace(path)
    except OSError as error:
        logger.info("how far the job is cannot be shown: %s", error)


@contextmanager
def _bar(progress: Progress, name: str, stream: TextIO) -> Iterator[Callable[[], None]]:
    from tqdm import tqdm

    bar_format = "{percentage:3.0f}% |{bar:20}| {desc}"
    with tqdm(
        total=progress.expected,
        file=stream,
        leave=False,
        dynamic_ncols=True,
        delay=_SECONDS_BEFORE_BAR,
        bar_format=bar_format,
    ) as bar:

        def refresh() -> None:
            bar.total = progress.expected
            bar.set_description_str(f"{name}: {progress}", refresh=False)
            bar.update(progress.from_journal + progress.answered - bar.n)

        refresh()
        yield refresh


def _rate(per_second: float) -> str:
    if per_second >= 1:
        return f"{per_second:.3g} per second"
    return f"{per_second * 60:.3g} per minute"


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
