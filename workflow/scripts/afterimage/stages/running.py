"""The frame of every job: take Snakemake's job object, log to the job's file, fail with one sentence."""

import errno
import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError, plain
from afterimage.files.attempts import begin_again
from afterimage.models.progress import STATE_FILE

# Environment variable with the folder in which jobs note their progress for the logger plug-in's display.
_STATES = "AFTERIMAGE_PROGRESS"

# They log every table of a typeface in a PDF, and every bold word whose typeface has only one weight.
_QUIET = {"fontTools": logging.WARNING, "matplotlib.font_manager": logging.ERROR}

#: Why nothing more can be written, by error number. Libraries report the number or the system's words for it.
_NO_ROOM = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk's quota is used up",
    errno.EFBIG: "the limit on the size of a file (ulimit -f) is reached",
}
_GOES_ON = "what was answered is in the journal, and the same command goes on."
# Exit status that shells report for a process ended by SIGINT.
_INTERRUPTED = 130

#: The files of a job: their name in the rule, to one path or a list.
Files = Mapping[str, Any]


def run_job(job: Any) -> None:
    """Call the function of the job's stage; on a user error print its sentence and exit with 1, on Ctrl-C with 130.

    The function is called with ``(spec, inputs, outputs, resources)``: the values that its result depends on, its files
    by name, and what cannot change the result, such as threads, and where and how models are asked.

    Args:
        job: The object that Snakemake passes to a script; ``job.log[0]`` names the log file.
    """
    log = Path(job.log[0])
    log.parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, handlers=_handlers(log), force=True)
    for name, level in _QUIET.items():
        logging.getLogger(name).setLevel(level)
    try:
        begin_again(_files(job.input).get("again", ()))
        function = resolve(job.params.run)
        _spare_pandas()
        resources = {**dict(job.resources.items()), "threads": job.threads}
        inputs = _inputs(job)
        function(with_fetched(job.params.spec, inputs), inputs, _files(job.output), resources)
    except AfterimageError as error:
        logging.error("%s", error)
        sys.exit(1)
    except KeyboardInterrupt:
        logging.error("rule %s was interrupted (Ctrl-C); %s", job.rule, _GOES_ON)
        sys.exit(_INTERRUPTED)
    except SystemExit:
        raise
    except BaseException as error:
        # A panic of a library in Rust is no Exception.
        if (why := no_room(error)) is not None:
            logging.error(
                "%s, so that %s cannot be written; make room, or raise the limit: %s",
                *(why, ", ".join(map(str, job.output)), _GOES_ON),
            )
            sys.exit(1)
        logging.exception("unexpected error in rule %s", job.rule)
        sys.exit(1)


def with_fetched(spec: Any, inputs: Files) -> Any:
    """Return a spec with the actual paths of inputs: from storage, Snakemake fetches copies (docs/running.md).

    Args:
        spec: Plain values. A missing path among them is replaced by the input's path that ends with it.
        inputs: The job's files by name.
    """
    paths = {
        path for files in inputs.values() for path in ([files] if isinstance(files, str) else files)
    }

    def with_copies(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: with_copies(part) for name, part in value.items()}
        if isinstance(value, list):
            return [with_copies(part) for part in value]
        if not isinstance(value, str) or "/" not in value or value in paths:
            return value
        fetched = next((path for path in paths if path.endswith(f"/{value}")), value)
        return value if os.path.lexists(value) else fetched

    return with_copies(spec)


def no_room(error: BaseException | None) -> str | None:
    """Return why nothing more can be written, if an error or one of its causes says that; else None."""
    while error is not None:
        if isinstance(error, OSError):
            for number, why in _NO_ROOM.items():
                if error.errno == number or os.strerror(number) in str(error):
                    return why
        error = error.__cause__ or error.__context__
    return None


class _NoPandas:
    """Hides pandas, as if it were not installed."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ImportError(name)


def _spare_pandas() -> None:
    """Keep pyarrow from importing pandas, which saves half a second in most kinds of job, which make no frame.

    When it makes its first array, pyarrow looks for pandas, to distinguish frames from lists, and remembers the result;
    asked for a frame, it looks again.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _NoPandas)
    try:
        import pyarrow

        pyarrow.array([True])
    finally:
        sys.meta_path.remove(_NoPandas)


def _inputs(job: Any) -> Files:
    """Return a job's inputs, including the user's files that are dated in the future (``params.smk``)."""
    ahead = vars(job.params).get("ahead", {})
    return {**_files(job.input), **{name: list(files) for name, files in ahead.items()}}


def _files(named: Any) -> Files:
    return {name: files if isinstance(files, str) else list(files) for name, files in named.items()}


class _Plain(logging.Formatter):
    """Escapes characters that a terminal would act upon, such as a control character in a participant's code."""

    def format(self, record: logging.LogRecord) -> str:
        return plain(super().format(record), keep="\n")


class _LogFile(logging.FileHandler):
    """A log file whose write errors neither end the job nor flood the terminal; they are reported once."""

    is_told = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Report once why lines are missing in the log."""
        if not self.is_told:
            why = no_room(sys.exc_info()[1]) or str(sys.exc_info()[1])
            sys.stderr.write(f"{self.baseFilename}: {why}; what follows is missing in this log.\n")
        self.is_told = True

    def close(self) -> None:
        """Close the file, even if its buffer cannot be written."""
        with suppress(OSError):
            super().close()


def state_of(log: str | os.PathLike[str]) -> str:
    """Return the file in which the job with this log notes its progress, for the run's display."""
    return str(Path(os.environ[_STATES]) / "%".join(Path(log).with_suffix(".json").parts))


def _handlers(log: Path) -> list[logging.Handler]:
    log.write_bytes(b"")
    to_file = _LogFile(log, encoding="utf-8")
    to_file.setFormatter(_Plain("%(asctime)s %(levelname)s %(message)s"))
    states = os.environ.get(_STATES)
    if states is None:
        return [to_file, _warnings_to_terminal()]
    os.environ[STATE_FILE] = state_of(log)
    # The display owns the terminal; output of libraries goes to the job's log.
    file = os.open(log, os.O_WRONLY | os.O_APPEND)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        os.dup2(file, stream.fileno())
    return [to_file]


def _warnings_to_terminal() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Plain("%(levelname)s: %(message)s"))
    return handler
