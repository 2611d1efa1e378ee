"""Sentences of the display; text in, text out."""

import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from snakemake_logger_plugin_afterimage.run import Answers

#: No line is longer.
MAX_CHARACTERS = 200
# What Snakemake adds to an error: where in a Snakefile it was raised.
_PLACE = re.compile(
    r'^(?:\w+ in (?:file|rule) .*:|\w*(?:Exception|Error):|\s*File ".*", line \d+, in .*)$\n?',
    re.MULTILINE,
)


# What Snakemake adds to an error of an input function.
_ABOUT_WILDCARDS = re.compile(r"^Wildcards:$.*", re.MULTILINE | re.DOTALL)
_LOCKED = "Directory cannot be locked"
_NO_STUDY = re.compile(r"_load_configfile.*No such file or directory: '(?P<file>.*)'", re.DOTALL)
_NO_MAPPING = re.compile(r"Config file (?:must be given as|is not valid) JSON or YAML")
_NO_ROOM = re.compile(r"No space left on device|Disk quota exceeded")
_MODULE = "__main__.py"
#: Less free than this is a full disk.
MIN_BYTES = 1 << 20


def without_places(text: str) -> str:
    """Return Snakemake's error without the places in Snakefiles that it names."""
    return _ABOUT_WILDCARDS.sub("", _PLACE.sub("", text)).strip()


def in_a_sentence(text: str, command: Sequence[str]) -> str:
    """Return an error of Snakemake's in words that say how to go on; without its places where none are known here.

    Args:
        text: What Snakemake says.
        command: The command line that it runs by.
    """
    if _LOCKED in text:
        return (
            "this folder is locked: by a run that goes on, or by one that was killed (kill -9, loss of power). If none "
            f"goes on: {unlocking(command)}; then the same command goes on, and nothing is lost."
        )
    if (named := _NO_STUDY.search(text)) is not None:
        return (
            f"--configfile: file '{named['file']}' does not exist; expected a study. Every name behind --configfile is "
            "taken for one: targets come before it, or behind '--'."
        )
    if _NO_MAPPING.search(text):
        return (
            "--configfile: one of the files that it names is no study; expected YAML. Every name behind --configfile "
            "is taken for one: targets come before it, or behind '--'."
        )
    if _NO_ROOM.search(text):
        return f"{full_disk()}."
    return without_places(text)


def unlocking(command: Sequence[str]) -> str:
    """Return the command line that unlocks the folder of another one."""
    program, *words = command
    start = [program] if Path(program).name != _MODULE else [sys.executable, "-m", "snakemake"]
    return shlex.join([*start, "--unlock", *words])


def full_disk(folder: str = ".") -> str:
    """Say that a disk is full, and how to go on."""
    return (
        f"the disk is full (of {Path(folder).absolute()}): make room, and the same command goes on; what was "
        "answered is in the journal"
    )


def is_full(folder: str) -> bool:
    """Tell whether there is no room on a folder's disk."""
    try:
        return shutil.disk_usage(folder or ".").free < MIN_BYTES
    except OSError:
        return False


def duration(seconds: float) -> str:
    """Say how long something takes."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def rate(per_second: float) -> str:
    """Say how fast answers come."""
    return f"{per_second:.3g}/s" if per_second >= 1 else f"{per_second * 60:.3g}/min"


def money(amount: float, currency: str) -> str:
    """Say what something costs."""
    return f"{amount:.2f} {currency}" if amount >= 0.01 or not amount else f"<0.01 {currency}"


def answered(answers: Answers) -> str:
    """Say how far a model has come: answers done of all."""
    about, more = "~" if answers.is_rough else "", "+" if answers.is_least else ""
    failed = f", {answers.failed:,} failed" if answers.failed else ""
    return f"{answers.there:,} of {about}{answers.wanted:,}{more} answers{failed}"


def answers_line(models: Mapping[str, Answers], time: str) -> str:
    """Say in one line how far the models have come that are not done; an empty one where all are."""
    moving = {
        name: answers
        for name, answers in models.items()
        if answers.there + answers.failed < answers.wanted
    }
    parts = [
        ", ".join(
            [
                f"{name} {answered(answers)}",
                *([rate(answers.rate)] if answers.rate is not None else []),
                *(
                    [f"{duration(answers.seconds_left)} left"]
                    if answers.seconds_left is not None
                    else []
                ),
                *([money(answers.cost, answers.currency)] if answers.cost else []),
            ]
        )
        for name, answers in moving.items()
    ]
    if not parts:
        return ""
    line = f"{time}: {'; '.join(parts)}"
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 3]}..."
