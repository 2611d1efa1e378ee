"""The live display of a terminal, drawn by rich."""

from collections.abc import Mapping
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live as Screen
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from snakemake_logger_plugin_afterimage.run import Answers, Run
from snakemake_logger_plugin_afterimage.words import answered, duration, money, rate

_BAR = 24
_MAX_MODELS = 12


class Live:
    """A few lines that are drawn again each second; what is said scrolls above them."""

    def __init__(self, stream: TextIO) -> None:
        """Begin to draw."""
        self._screen = Screen(
            console=Console(file=stream, highlight=False, soft_wrap=False),
            transient=True,
            refresh_per_second=4,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._screen.start()

    def say(self, line: str) -> None:
        """Print a line above the display."""
        self._screen.console.print(Text(line), soft_wrap=True)

    def show(self, run: Run, models: Mapping[str, Answers], seconds: float) -> None:
        """Draw how far the run is."""
        self._screen.update(picture(run, models, seconds))

    def close(self) -> None:
        """End the display; nothing of it stays."""
        self._screen.stop()


def picture(run: Run, models: Mapping[str, Answers], seconds: float) -> Group:
    """Return the display: the run in one line, and a line for each model that is asked."""
    table = Table.grid(padding=(0, 1))
    stages = ", ".join(run.stages[:3]) or "waiting"
    table.add_row(
        Text(stages, style="bold"),
        ProgressBar(total=run.total or 1, completed=run.done, width=_BAR),
        f"{run.done:,} of {run.total:,} jobs, {duration(seconds)}",
    )
    unfinished = {
        name: answers
        for name, answers in models.items()
        if answers.there < answers.wanted or answers.is_least
    }
    for name, answers in list(unfinished.items())[:_MAX_MODELS]:
        bar = ProgressBar(total=answers.wanted or 1, completed=answers.there, width=_BAR)
        table.add_row(name, bar, _numbers(answers))
    done = [answers for answers in models.values() if answers.cost]
    lines = [table]
    if done:
        currencies = sorted({answers.currency for answers in done})
        sums = [
            money(
                sum(answers.cost or 0 for answers in done if answers.currency == currency), currency
            )
            for currency in currencies
        ]
        lines.append(Text(f"cost so far: {', '.join(sums)}"))
    if run.failed:
        lines.append(Text(f"{len(run.failed)} jobs failed", style="bold red"))
    return Group(*lines)


def _numbers(answers: Answers) -> str:
    parts = [answered(answers)]
    if answers.rate is not None and answers.seconds_left is not None:
        parts += [rate(answers.rate), f"{duration(answers.seconds_left)} left"]
    if answers.cost:
        parts.append(money(answers.cost, answers.currency))
    return ", ".join(parts)
