"""Sentences of the display; text in, text out."""

import re
from collections.abc import Mapping

from snakemake_logger_plugin_afterimage.run import Answers

#: No line is longer.
MOST_CHARACTERS = 200
# What Snakemake adds to an error: where in a Snakefile it was raised.
_PLACE = re.compile(
    r'^(?:\w+ in (?:file|rule) .*:|\w*(?:Exception|Error):|\s*File ".*", line \d+, in .*)$\n?',
    re.MULTILINE,
)


def without_places(text: str) -> str:
    """Return Snakemake's error without the places in Snakefiles that it names."""
    return _PLACE.sub("", text).strip()


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


def answered(one: Answers) -> str:
    """Say how far a model has come: answers done of all."""
    about, more = "~" if one.is_rough else "", "+" if one.is_least else ""
    failed = f", {one.failed:,} failed" if one.failed else ""
    return f"{one.there:,} of {about}{one.wanted:,}{more} answers{failed}"


def answers_line(models: Mapping[str, Answers], time: str) -> str:
    """Say in one line how far the models have come that are not done; an empty one where all are."""
    moving = {name: one for name, one in models.items() if one.there + one.failed < one.wanted}
    parts = [
        ", ".join(
            [
                f"{name} {answered(one)}",
                *([rate(one.rate)] if one.rate is not None else []),
                *([f"{duration(one.seconds_left)} left"] if one.seconds_left is not None else []),
                *([money(one.cost, one.currency)] if one.cost else []),
            ]
        )
        for name, one in moving.items()
    ]
    if not parts:
        return ""
    line = f"{time}: {'; '.join(parts)}"
    return line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 3]}..."
