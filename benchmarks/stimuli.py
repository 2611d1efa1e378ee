"""How fast stimuli are drawn, against two yardsticks measured in the same run.

For each stimulus: drawing, PNG encoding and pixel hash together, against (a) Pillow merely encoding
the same array with the same settings, and (b) the same figure drawn and saved through matplotlib's
Agg canvas at the same size. Everything runs on one core; times are medians over the repeats, in
seconds of that core, so that other work on the machine does not count. Peak memory is read after one
pass over all stimuli and after ten more.

    python benchmarks/stimuli.py --repeats 9
"""

import argparse
import io
import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from PIL import Image
from tabulate import tabulate

from afterimage.png import encode_png, pixels_sha256
from afterimage.suites.illusion_vqa import catalogue, stimuli

#: Goals: total time over the time of encoding alone.
DENSE_GOAL, SIMPLE_GOAL = 3.0, 1.5
MEMORY_FACTOR = 10
_DPI = 100
_SIDE_PX = 672


@dataclass(frozen=True)
class Task:
    """One stimulus: how to draw it, and how matplotlib would (or None)."""

    name: str
    draw: Callable[[], np.ndarray]
    draw_with_matplotlib: Callable[[], bytes] | None


@dataclass(frozen=True)
class Timing:
    """Median seconds of one stimulus."""

    name: str
    draw: float
    total: float
    encode: float
    matplotlib: float | None
    #: Mean absolute difference of the two pictures, levels of 255.
    difference: float | None

    @property
    def ratio(self) -> float:
        return self.total / self.encode


def illusion_vqa_tasks() -> list[Task]:
    """All 120 stimuli of the suite."""
    return [
        Task(
            spec.stimulus_id,
            lambda figure=figure, spec=spec: stimuli.draw(figure, spec.parameters).pixels,
            MATPLOTLIB.get(spec.stimulus_id),
        )
        for figure in catalogue.ILLUSIONS
        for spec in stimuli.specs(figure)
    ]


def time_of(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def measure(task: Task, repeats: int) -> Timing:
    pixels = task.draw()
    draw, total, alone, other = [], [], [], None
    for _ in range(repeats):
        draw.append(time_of(task.draw))
        total.append(time_of(lambda: finish(task.draw())))
        alone.append(time_of(lambda: encode_png(pixels)))
    difference = None
    if task.draw_with_matplotlib:
        other = [time_of(task.draw_with_matplotlib) for _ in range(repeats)]
        theirs = decode_rgba(task.draw_with_matplotlib())
        difference = float(np.abs(theirs.astype(int) - pixels).mean())
    return Timing(
        task.name,
        median(draw),
        median(total),
        median(alone),
        median(other) if other else None,
        difference,
    )


def finish(pixels: np.ndarray) -> tuple[bytes, str]:
    return encode_png(pixels), pixels_sha256(pixels)


def decode_rgba(data: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(data)) as image:
        return np.array(image.convert("RGB"))


def peak_memory_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def peak_memory_of(tasks: list[Task], passes: int) -> float:
    for _ in range(passes):
        for task in tasks:
            finish(task.draw())
    return peak_memory_mib()


def with_matplotlib(paint: Callable, background: str = "white") -> Callable[[], bytes]:
    """A function that draws on bare axes in pixel coordinates and returns the PNG."""

    def draw() -> bytes:
        figure = Figure(figsize=(_SIDE_PX / _DPI, _SIDE_PX / _DPI), dpi=_DPI, facecolor=background)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, _SIDE_PX)
        axes.set_ylim(_SIDE_PX, 0)
        axes.axis("off")
        paint(axes)
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=_DPI)
        return stream.getvalue()

    return draw


def points(width_px: float) -> float:
    return width_px * 72 / _DPI


def paint_orbison(axes) -> None:
    rings = [Circle((336, 336), 12 * k) for k in range(1, 27)]
    axes.add_collection(
        PatchCollection(rings, facecolor="none", edgecolor="#303030", linewidth=points(3))
    )
    axes.add_patch(
        Rectangle((162, 162), 348, 348, fill=False, edgecolor="#D62728", linewidth=points(5))
    )


def paint_hering(axes) -> None:
    angles = np.radians(2.5 + 5 * np.arange(72))
    direction = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    rays = np.stack([336 + 22 * direction, 336 + 316 * direction], axis=1)
    axes.add_collection(
        LineCollection(rays, colors="black", linewidths=points(2.5), capstyle="butt")
    )
    lines = [[(x, 56), (x, 616)] for x in (276, 396)]
    axes.add_collection(
        LineCollection(lines, colors="#D62728", linewidths=points(6), capstyle="butt")
    )


def paint_ebbinghaus(axes) -> None:
    inducers = [
        Circle((x + far * np.cos(angle), 336 + far * np.sin(angle)), radius)
        for x, far, radius, count in ((133, 74, 14, 8), (447, 122, 58, 6))
        for angle in 2 * np.pi * np.arange(count) / count
    ]
    axes.add_collection(PatchCollection(inducers, facecolor="#7F7F7F", linewidth=0))
    targets = [Circle((x, 336), 48) for x in (133, 447)]
    axes.add_collection(PatchCollection(targets, facecolor="#D62728", linewidth=0))


def paint_fick_control(axes) -> None:
    axes.add_patch(Rectangle((156, 233), 360, 6, facecolor="#D62728", linewidth=0))
    axes.add_patch(Rectangle((156, 433), 360, 6, facecolor="#1F5FB4", linewidth=0))


#: The same figures through matplotlib, by stimulus id: two dense, two simple.
MATPLOTLIB = {
    "orbison_A_genuine": with_matplotlib(paint_orbison),
    "hering_A_genuine": with_matplotlib(paint_hering),
    "ebbinghaus_A_genuine": with_matplotlib(paint_ebbinghaus),
    "fick_A_control_genuine": with_matplotlib(paint_fick_control),
}

#: Suites that can be measured: name -> function that lists its tasks.
SUITES = {"illusion_vqa": illusion_vqa_tasks}


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


def matplotlib_table(timings: list[Timing]) -> str:
    rows = [
        (
            t.name,
            f"{t.total * 1e3:.2f}",
            f"{t.matplotlib * 1e3:.2f}",
            f"{t.matplotlib / t.total:.1f}",
            f"{t.difference:.2f}",
        )
        for t in timings
        if t.matplotlib
    ]
    headers = ("stimulus", "total ms", "matplotlib ms", "times faster", "mean |pixel difference|")
    return tabulate(rows, headers, disable_numparse=True, stralign="right")


def verdict(timings: list[Timing]) -> str:
    by_encoding = sorted(timings, key=lambda t: t.encode)
    simplest, densest = by_encoding[0], by_encoding[-1]
    lines = []
    for word, timing, goal in (
        ("densest", densest, DENSE_GOAL),
        ("simplest", simplest, SIMPLE_GOAL),
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
    parser.add_argument("--suite", choices=sorted(SUITES), default="illusion_vqa")
    parser.add_argument("--repeats", type=int, default=9, help="default: 9")
    parser.add_argument("--only", default="", help="measure stimuli whose id contains this")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error(f"--repeats is {arguments.repeats}, expected at least 1")
    tasks = [task for task in SUITES[arguments.suite]() if arguments.only in task.name]
    if not tasks:
        parser.error(f"--only {arguments.only!r}: no stimulus of {arguments.suite} matches")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    before = peak_memory_of(tasks, 1)
    after = peak_memory_of(tasks, MEMORY_FACTOR)
    timings = [measure(task, arguments.repeats) for task in tasks]
    print(table(timings), end="\n\n")
    if any(t.matplotlib for t in timings):
        print(matplotlib_table(timings), end="\n\n")
    print(verdict(timings))
    print(
        f"peak memory: {before:.1f} MiB after {len(tasks)} images, "
        f"{after:.1f} MiB after {len(tasks) * (MEMORY_FACTOR + 1)}"
    )


if __name__ == "__main__":
    main()
