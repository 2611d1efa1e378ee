"""Snakemake's logger plug-in of this workflow: what one sees while it runs (docs/running.md).

Both profiles name it where it is installed; without it Snakemake prints its own log, and the workflow runs the same.
Snakemake's full log stands in ``.snakemake/log`` either way. It imports nothing of the package ``afterimage``, which is
the one beside the Snakefile that runs: the Snakefile says through the log what it is about to make.
"""

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from logging import WARNING, LogRecord
from types import FrameType

from snakemake.logging import ColorizingTextHandler, get_event, logger
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_afterimage.run import text_of
from snakemake_logger_plugin_afterimage.showing import Showing, first_file


class LogHandler(LogHandlerBase):
    """Shows a run; a dry one, and what is to be told at length, is left to Snakemake's own words."""

    def __post_init__(self) -> None:
        """Choose who shows."""
        settings = self.common_settings
        stream = sys.stdout if settings.stdout else sys.stderr
        at_length = (
            settings.dryrun or settings.verbose or settings.debug_dag or settings.printshellcmds
        )
        self._plain = ColorizingTextHandler(nocolor=settings.nocolor, stream=stream)
        self._showing = None if at_length else Showing(stream, quiet=bool(settings.quiet))
        if self._showing is not None:
            logger.addFilter(keep_log)
            _call_on_ctrl_c(self._showing.stop)

    def emit(self, record: LogRecord) -> None:
        """Show one record."""
        if self._showing is None:
            self._plain.setFormatter(self.formatter)
            self._plain.emit(record)
            return
        try:
            self._showing.take(get_event(record), record, is_fault=record.levelno >= WARNING)
        except Exception:
            # A display is not worth a run: the listener would end, and all that is said after it would be lost.
            self.handleError(record)

    def close(self) -> None:
        """End the display and say what came of the run."""
        if self._showing is not None:
            logger.removeFilter(keep_log)
            self._showing.close()
        super().close()

    @property
    def writes_to_stream(self) -> bool:
        """It stands in for Snakemake's own text."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """Files are Snakemake's."""
        return False

    @property
    def has_filter(self) -> bool:
        """What is shown of a run is chosen here; at length, Snakemake's own filter chooses."""
        settings = self.common_settings
        return not (
            settings.dryrun or settings.verbose or settings.debug_dag or settings.printshellcmds
        )

    @property
    def has_formatter(self) -> bool:
        """Snakemake's own, for what is told at length."""
        return False

    @property
    def needs_rulegraph(self) -> bool:
        """No picture of rules is drawn."""
        return False


def keep_log(record: LogRecord) -> bool:
    """Keep with a failed job what its log says now: started again, it may write it anew before it is shown.

    A filter of Snakemake's logger: it runs where the failure is noticed, a display in a thread of its own.
    """
    if get_event(record) == LogEvent.JOB_ERROR:
        record.log_text = text_of(first_file(record, "log"))
    return True


def _call_on_ctrl_c(note: Callable[[], None]) -> None:
    """Have something called when SIGINT comes, before what is done about it anyway."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        # It is ignored, as in what a shell starts in the background.
        return

    def noted(number: int, frame: FrameType | None) -> None:
        note()
        before(number, frame)

    # Outside the main thread no signal can be listened to.
    with suppress(ValueError):
        signal.signal(signal.SIGINT, noted)
