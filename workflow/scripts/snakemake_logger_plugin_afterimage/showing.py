"""What is printed while a workflow runs: a live display in a terminal, otherwise a line for each stage and suite."""

import os
import re
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from logging import ERROR, LogRecord
from pathlib import Path
from typing import Any, TextIO

from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_afterimage.run import Answers, Run, answers_of, text_of, told
from snakemake_logger_plugin_afterimage.summary import summary
from snakemake_logger_plugin_afterimage.words import (
    MAX_CHARACTERS,
    answers_line,
    duration,
    full_disk,
    in_a_sentence,
    is_full,
)

#: Tells jobs where to write how far they are, and that their words are read from their logs.
STATES = "AFTERIMAGE_PROGRESS"
#: Set where another command makes a part of a study and only progress is shown (``afterimage plan``).
PROGRESS_ALONE = "AFTERIMAGE_PROGRESS_ALONE"
_FOLDER = Path(".snakemake") / "afterimage" / "progress"
# Snakemake's own words that say no more than the summary does, or than the job itself.
_SAID_BELOW = re.compile(
    r"At least one job did not complete|Exiting because a job execution failed"
    r"|^Command '.*(died with|exit status)",
    re.MULTILINE | re.DOTALL,
)
_OF_NO_USE = re.compile(r"Assuming unrestricted shared filesystem|Config file .* is extended")
_NOTHING = "Nothing to be done"
# What Snakemake adds to the name of a file that goes to storage.
_TO_STORAGE = " (send to storage)"
_MAX_WARNINGS = 20
_MAX_ERRORS = 40


class Showing:
    """Takes Snakemake's records and prints what a person wants to know of them."""

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        """Begin to listen.

        Args:
            stream: Where it is printed.
            quiet: Whether only faults are.
        """
        self._stream, self._quiet = stream, quiet
        self._is_part = PROGRESS_ALONE in os.environ
        self._is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._run = Run()
        self._began: float | None = None
        self._tasks: dict[int, tuple[str, str]] = {}
        self._is_idle = False
        self._said: dict[str, int] = {}
        self._items: dict[str, int] = {}
        self._over = threading.Event()
        self._printing = threading.Lock()
        self._ticker: threading.Thread | None = None
        self._live: Any = None

    # ---- what Snakemake tells ----

    def take(self, event: LogEvent | None, record: LogRecord, is_fault: bool) -> None:
        """Take one record."""
        if (study := getattr(record, "afterimage_study", None)) is not None:
            self._run.study = study
        elif getattr(record, "afterimage_said", False):
            self._print(str(record.msg))
        elif getattr(record, "afterimage_unfinished", False):
            self._run.is_unfinished = True
        elif getattr(record, "afterimage_report", False):
            self._run.reports = True
        elif (jobs := getattr(record, "afterimage_jobs", None)) is not None:
            self._start(jobs)
        elif event == LogEvent.WORKFLOW_STARTED:
            self._began = time.monotonic()
        elif event == LogEvent.JOB_INFO:
            log = first_file(record, "log")
            self._tasks[record.jobid] = (record.rule_msg or record.rule_name, log)
            if log:
                self._run.started(record.jobid, log)
        elif event == LogEvent.JOB_FINISHED:
            self._finish(record.job_id)
        elif event == LogEvent.JOB_ERROR:
            self._fail(record)
        elif is_fault:
            self._fault(record)
        elif event is None:
            self._plain(str(record.msg))

    def stop(self) -> None:
        """Note that somebody pressed Ctrl-C: jobs that end without a word now were ended by it."""
        if not self._run.is_stopped and self._began is not None:
            self._run.is_stopped = True

    def _start(self, logs: list[str]) -> None:
        self._run.expect(logs)
        shutil.rmtree(_FOLDER, ignore_errors=True)
        _FOLDER.mkdir(parents=True, exist_ok=True)
        os.environ[STATES] = str(_FOLDER.absolute())
        if self._quiet:
            return
        study = self._run.study
        self._print(
            f"{self._run.total} jobs."
            if self._is_part
            else f"{self._run.total} jobs; suites: {', '.join(study.get('suites', ()))}; "
            f"models: {', '.join(study.get('models', ()))}"
        )
        if self._is_terminal:
            from snakemake_logger_plugin_afterimage.live import Live

            self._live = Live(self._stream)
        self._ticker = threading.Thread(target=self._tick, name="display", daemon=True)
        self._ticker.start()

    def _finish(self, number: int) -> None:
        part = self._run.ended(number)
        _, log = self._tasks.get(number, ("", ""))
        for words in told(text_of(log), "WARNING", log) if log else ():
            self._say(f"WARNING: {words}", _MAX_WARNINGS)
        if part is not None and not self._is_terminal and not self._quiet:
            (stage, suite), jobs = part
            of = f" {suite}" if suite else ""
            many = f" ({jobs} jobs)" if jobs > 1 else ""
            self._print(f"[{self._run.done}/{self._run.total}] {stage}{of}{many}")

    def _fail(self, record: LogRecord) -> None:
        task, log = self._tasks.get(record.jobid, ("a job", first_file(record, "log")))
        if not self._run.is_stopped:
            self._run.fail(record.jobid, log, task)
        text = getattr(record, "log_text", "")
        for warning in told(text, "WARNING", log):
            self._say(f"WARNING: {warning}", _MAX_WARNINGS)
        sentences = told(text, "ERROR", log)
        if not sentences and self._run.is_stopped:
            # It died of the same signal, and is none that failed.
            return
        for sentence in sentences or [_of_a_killed(task, log, record.rule_msg)]:
            self._say(f"ERROR: {sentence}", _MAX_ERRORS)

    def _fault(self, record: LogRecord) -> None:
        text = str(record.msg)
        if not _SAID_BELOW.search(text):
            level = "ERROR" if record.levelno >= ERROR else "WARNING"
            self._say(f"{level}: {in_a_sentence(text, sys.argv)}", _MAX_ERRORS)

    def _plain(self, text: str) -> None:
        if self._began is None:
            # No run: a listing, an unlocking.
            if not self._quiet and text.strip() and not _OF_NO_USE.match(text):
                self._stream.write(f"{text}\n")
        elif text.startswith(_NOTHING):
            self._is_idle = True

    # ---- what is printed ----

    def _say(self, text: str, most: int) -> None:
        """Print what may come often: each once, and not too many of a kind."""
        kind, _, _ = text.partition(":")
        if text in self._said:
            return
        self._said[text] = 1
        printed = self._said[kind] = self._said.get(kind, 0) + 1
        if printed <= most:
            self._print(text)
        elif printed == most + 1:
            self._print(f"{kind}: there are more of these; all of them stand in the jobs' logs.")

    def _print(self, text: str) -> None:
        # Whole: how far models are is printed by a thread of its own.
        with self._printing:
            for line in _lines_of(text):
                if self._live is not None:
                    self._live.say(line)
                else:
                    self._stream.write(f"{line}\n")
            self._stream.flush()

    def _tick(self) -> None:
        """Show by the clock how far models are: a server that is silent is seen too."""
        began = last = time.monotonic()
        while not self._over.wait(1.0):
            now = time.monotonic()
            if self._live is not None:
                self._live.show(self._run, self._answers(), now - began)
            # First every ten seconds, then ever more rarely: a day of asking is no thousand lines.
            elif now - last >= min(max((now - began) / 4, 10), 600):
                line = answers_line(self._answers(), duration(now - began))
                if self._is_part:
                    run = self._run
                    line = f"{run.done} of {run.total} jobs, {duration(now - began)}"
                if line:
                    self._print(line)
                last = now

    def _answers(self) -> dict[str, Answers]:
        self._count_items()
        return answers_of(self._run, _FOLDER, self._items)

    def _count_items(self) -> None:
        """Count the items that are there by now, for shards of which nobody has been asked yet."""
        for job in list(self._run.asking):
            path = f"{self._run.study.get('results', 'results')}/items/{job.names[1]}/{job.names[-1]}.parquet"
            if path not in self._items and Path(path).is_file():
                from pyarrow.parquet import read_metadata

                # Snakemake removes it where it is to be made anew.
                with suppress(OSError, ValueError):
                    self._items[path] = read_metadata(path).num_rows

    def close(self) -> None:
        """End the display; after a run say what came of it, once."""
        if self._over.is_set():
            return
        self._over.set()
        if self._ticker is not None:
            self._ticker.join()
        if self._live is not None:
            self._live.close()
            self._live = None
        os.environ.pop(STATES, None)
        if (
            self._began is None
            or self._quiet
            or self._is_part
            or not (self._run.total or self._is_idle)
        ):
            return
        seconds = time.monotonic() - self._began
        for line in summary(self._run, seconds):
            self._stream.write(f"{line[:MAX_CHARACTERS]}\n")
        self._stream.flush()
        shutil.rmtree(_FOLDER, ignore_errors=True)


def _lines_of(text: str) -> Iterator[str]:
    """Yield a text's lines, the long ones broken."""
    for paragraph in text.splitlines():
        lines = textwrap.wrap(
            paragraph,
            MAX_CHARACTERS,
            break_on_hyphens=False,
            drop_whitespace=True,
            replace_whitespace=False,
            subsequent_indent="  ",
        )
        yield from lines or [""]


def first_file(record: LogRecord, name: str) -> str:
    """Return the first of a job's files of a kind, such as its log; an empty text where it has none."""
    files = getattr(record, name, None)
    return str(files[0]).removesuffix(_TO_STORAGE) if files else ""


def _of_a_killed(task: str, log: str, cluster: str | None) -> str:
    """Say of a job that said nothing itself what its cluster says, or what is most likely."""
    folder = next((str(parent) for parent in Path(log).parents if parent.is_dir()), ".")
    if is_full(folder):
        return f"{task}: {full_disk(folder)}."
    why = (cluster or "killed before it could say why (memory? time?)").strip().rstrip(".")
    return f"{task}: {why}; a rerun costs nothing, what was answered is in the journal."
