"""How fast the stimuli of a suite are drawn, beside Pillow merely encoding the same arrays.

Run:  .venv/bin/python benchmarks/stimuli.py [--suite blindtest] [--every 23] [--only TEXT] [--repeats 9]

For each stimulus: drawing, PNG encoding and pixel hash together. Everything runs on one core; times are medians over
the repeats, in seconds of that core, so that other work on the machine does not count. Peak memory is read after one
pass over all stimuli and after ten more. Of a large suite every so-manieth stimulus is measured, so that the sample has
the suite's own mixture of figures and sizes.
"""

import argparse
import io
import os
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np
from PIL import Image
from tabulate import tabulate
from workflow import ROOT

from afterimage.files.png import encode_png, pixels_sha256
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.stimuli import drawer_of

#: Goals: total time over the time of encoding alone.
DENSE_GOAL, SIMPLE_GOAL = 3.0, 1.5
MEMORY_FACTOR = 10


@dataclass(frozen=True)
class Task:
    """One stimulus and how to draw it."""

    name: str
    draw: Callable[[], np.ndarray]


@dataclass(frozen=True)
class Timing:
    """Median seconds of one stimulus."""

    name: str
    draw: float
    total: float
    encode: float

    @property
    def ratio(self) -> float:
        return self.total / self.encode


def tasks_of(plan: Plan, suite: str) -> Iterator[Task]:
    """Yield all stimuli of a suite that a study has."""
    for figure in plan.figures[suite]:
        drawer = drawer_of(spec_of(plan, "draw_figure", suite=suite, figure=figure))
        for spec in drawer.specs:
            yield Task(
                spec.stimulus_id,
                lambda draw=drawer.draw, parameters=spec.parameters: draw(parameters).pixels,
            )


def time_of(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def measure(task: Task, repeats: int) -> Timing:
    pixels = task.draw()
    times = [
        (
            time_of(task.draw),
            time_of(lambda: finish(task.draw())),
            time_of(lambda: encode_with_pillow(pixels)),
        )
        for _ in range(repeats)
    ]
    return Timing(task.name, *map(median, zip(*times, strict=True)))


def encode_with_pillow(pixels: np.ndarray) -> None:
    Image.fromarray(pixels).save(io.BytesIO(), format="PNG")


def finish(pixels: np.ndarray) -> tuple[bytes, str]:
    return encode_png(pixels), pixels_sha256(pixels)


def peak_memory_of(tasks: list[Task], passes: int) -> float:
    """Return the peak memory so far, in MiB, after a number of passes over all stimuli."""
    for _ in range(passes):
        for task in tasks:
            finish(task.draw())
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def table(timings: list[Timing]) -> str:
    rows = [
        (
            t.name,
            f"{t.draw * 1e3:.2f}",
            f"{t.encode * 1e3:.2f}",
            f"{t.total * 1e3:.2f}",
            f"{t.ratio:.2f}",
            f"{1 / t.total:.0f}",
        )
        for t in timings
    ]
    headers = ("stimulus", "draw ms", "encode ms", "total ms", "total / encode", "images/s")
    return tabulate(rows, headers, disable_numparse=True, stralign="right")


def verdict(timings: list[Timing]) -> str:
    by_encoding = sorted(timings, key=lambda t: t.encode)
    lines = []
    for word, timing, goal in (
        ("densest", by_encoding[-1], DENSE_GOAL),
        ("simplest", by_encoding[0], SIMPLE_GOAL),
    ):
        met = "met" if timing.ratio <= goal else "MISSED"
        lines.append(
            f"{word}: {timing.name}, total / encode {timing.ratio:.2f} (goal {goal}: {met})"
        )
    worst = max(timings, key=lambda t: t.ratio)
    lines.append(f"worst of all: {worst.name}, total / encode {worst.ratio:.2f}")
    total, alone = sum(t.total for t in timings), sum(t.encode for t in timings)
    lines.append(
        f"all {len(timings)}: {len(timings) / total:.0f} images/s; encoding alone "
        f"{len(timings) / alone:.0f} images/s; total / encode {total / alone:.2f}"
    )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="illusion_vqa")
    parser.add_argument("--repeats", type=int, default=9, help="default: 9")
    parser.add_argument(
        "--every", type=int, default=8, help="every so-manieth stimulus; default: 8"
    )
    parser.add_argument("--only", default="", help="measure stimuli whose id contains this")
    arguments = parser.parse_args()
    if min(arguments.repeats, arguments.every) < 1:
        parser.error("--repeats and --every: expected at least 1")
    plan = Plan({"models": ["chance"], "suites": {arguments.suite: {}}}, ROOT)
    every = [task for task in tasks_of(plan, arguments.suite) if arguments.only in task.name]
    tasks = every[:: arguments.every]
    if not tasks:
        parser.error(f"--only {arguments.only!r}: no stimulus of {arguments.suite} matches")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    before = peak_memory_of(tasks, 1)
    after = peak_memory_of(tasks, MEMORY_FACTOR)
    timings = [measure(task, arguments.repeats) for task in tasks]
    print(table(timings), end="\n\n")
    print(verdict(timings))
    print(
        f"peak memory: {before:.1f} MiB after {len(tasks)} images, "
        f"{after:.1f} MiB after {len(tasks) * (MEMORY_FACTOR + 1)}"
    )


if __name__ == "__main__":
    main()
