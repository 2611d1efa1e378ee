"""What every script does around its work: log to the job's file, and fail with one sentence."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path

from afterimage.errors import AfterimageError


def run_job(main: Callable[[object], None], job: object) -> None:
    """Run ``main(job)``; on a user's error print its sentence to standard error and exit with 1.

    Args:
        main: The script's function; gets the object that Snakemake hands over.
        job: That object; ``job.log[0]`` names the log file.
    """
    log = Path(job.log[0])
    log.parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        handlers=[logging.FileHandler(log, mode="w", encoding="utf-8"), _warnings_to_terminal()],
        force=True,
    )
    try:
        main(job)
    except AfterimageError as error:
        logging.error("%s", error)
        sys.exit(1)
    except Exception:
        logging.exception("unexpected error in rule %s", job.rule)
        sys.exit(1)


def _warnings_to_terminal() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    return handler
