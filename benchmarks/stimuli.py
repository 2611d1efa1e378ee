"""How fast stimuli are drawn, against two yardsticks measured in the same run.

For each stimulus: drawing, PNG encoding and pixel hash together, against (a) Pillow merely encoding
the same array, and (b) the same figure drawn and saved through matplotlib's
Agg canvas at the same size. Everything runs on one core; times are medians over the repeats, in
seconds of that core, so that other work on the machine does not count. Peak memory is read after one
pass over all stimuli and after ten more. Of a large suite every so-manieth stimulus is measured, so that
the sample has the suite's own mixture of tasks and sizes.

    python benchmarks/stimuli.py --repeats 9
    python benchmarks/stimuli.py --suite blindtest --repeats 5
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

from afterimage.contract.parts import resolve
from afterimage.files.png import encode_png, pixels_sha256
from afterimage.suites.blindtest.names import TASKS
from afterimage.suites.contrast.design import FREQUENCIES, figure_of
from afterimage.suites.counting_bias.design import TASKS as COUNTED
from afterimage.suites.hidden_digits.design import AXES
from afterimage.suites.illusion_vqa.images import DESIGN
from afterimage.suites.illusions.names import ILLUSIONS, LATER, drawn_by
from afterimage.suites.search.design import CONDITIONS
from afterimage.suites.tunnel_vision.design import TASKS as CARRIED

#: Goals: total time over the time of encoding alone.
DENSE_GOAL, SIMPLE_GOAL = 3.0, 1.5
MEMORY_FACTOR = 10
_DPI = 100
_SIDE_PX = 672
#: Every so-manieth of the 2,754 stimuli of blindtest.
_STEP = 23
_SEED = 20240709


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


def illusion_vqa_tasks(illusions: tuple[str, ...] = ILLUSIONS) -> list[Task]:
    """All eight stimuli of each of the illusions, by default the paper's."""
    draw = {figure: resolve(drawn_by(figure)) for figure in illusions}
    return [
        Task(
            spec.stimulus_id,
            lambda figure=figure, spec=spec: draw[figure](**spec.parameters).pixels,
            MATPLOTLIB.get(spec.stimulus_id),
        )
        for figure in illusions
        for spec in DESIGN.specs(figure, {})
    ]


def blindtest_tasks() -> list[Task]:
    """A systematic sample of the suite, and the stimuli that matplotlib draws as well."""
    here = "afterimage.suites.blindtest"
    parts = {
        task: (resolve(f"{here}.designs.{task}:DESIGN"), resolve(f"{here}.figures.{task}:draw"))
        for task in TASKS
    }
    every = [
        Task(
            spec.stimulus_id,
            lambda draw=draw, spec=spec: draw(**spec.parameters).pixels,
            blindtest_with_matplotlib(task, spec.stimulus_id, spec.parameters),
        )
        for task, (design, draw) in parts.items()
        for spec in design.specs(task, {"seed": _SEED})
    ]
    return [
        task
        for number, task in enumerate(every)
        if number % _STEP == 0 or task.draw_with_matplotlib
    ]


def designed_tasks(
    suite: str, designs: dict[str, str], settings: dict, step: int, drawn_by: str = "picture:draw"
) -> list[Task]:
    """Every so many-th stimulus of a suite: its figures with their designs, and what draws them."""
    here = f"afterimage.suites.{suite}"
    every = [
        Task(spec.stimulus_id, lambda draw=draw, spec=spec: draw(**spec.parameters).pixels, None)
        for figure, design in designs.items()
        for draw in [resolve(f"{here}.{drawn_by}".format(figure=figure))]
        for spec in resolve(f"{here}.{design}").specs(figure, settings)
    ]
    return every[::step]


def search_tasks() -> list[Task]:
    settings = {"set_sizes": [4, 8, 16, 32, 48], "seed": _SEED}
    return designed_tasks("search", dict.fromkeys(CONDITIONS, "places:DESIGN"), settings, 8)


def contrast_tasks() -> list[Task]:
    designs = {figure_of(frequency): "design:DESIGN" for frequency in FREQUENCIES}
    settings = {"seed": _SEED, "blanks": 8, "pattern": "grating"}
    return designed_tasks("contrast", {"blank": "design:BLANKS", **designs}, settings, 8)


def hidden_digits_tasks() -> list[Task]:
    settings = {"seed": _SEED, "blur": True}
    return designed_tasks("hidden_digits", dict.fromkeys(AXES, "design:DESIGN"), settings, 8)


def counting_bias_tasks() -> list[Task]:
    designs = {task: f"designs:{task.upper()}_DESIGN" for task in COUNTED}
    return designed_tasks("counting_bias", designs, {"seed": 1}, 4, "figures.{figure}:draw")


def tunnel_vision_tasks() -> list[Task]:
    designs = {task: f"designs.{task}:DESIGN" for task in CARRIED}
    return designed_tasks("tunnel_vision", designs, {"seed": 1}, 8, "figures.{figure}:draw")


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
        alone.append(time_of(lambda: encode_with_pillow(pixels)))
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


def encode_with_pillow(pixels: np.ndarray) -> None:
    Image.fromarray(pixels).save(io.BytesIO(), format="PNG")


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


def with_matplotlib(
    paint: Callable, width: int = _SIDE_PX, height: int = _SIDE_PX
) -> Callable[[], bytes]:
    """A function that draws on bare axes in pixel coordinates and returns the PNG."""

    def draw() -> bytes:
        figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
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


def blindtest_with_matplotlib(
    figure: str, stimulus_id: str, parameters: dict
) -> Callable[[], bytes] | None:
    """The stimulus through matplotlib, if it is one of those that are compared."""
    paint = BLINDTEST_WITH_MATPLOTLIB.get(stimulus_id)
    if paint is None:
        return None
    size = parameters.get("canvas_px", [parameters.get("side_px", 1000)] * 2)
    return with_matplotlib(lambda axes: paint(axes, parameters), *size)


def paint_lines(axes, parameters: dict) -> None:
    width = parameters["line_width_pt"] * 100 / 72
    for colour in ("red", "blue"):
        x, y = np.array(parameters[colour]).T
        axes.plot(x, y, color=colour, linewidth=points(width), solid_capstyle="round")


def paint_discs(axes, parameters: dict) -> None:
    side = parameters["side_px"]
    diameter = side / parameters["diameter_divisor"]
    reach = diameter * (1 + parameters["gap_percent"] / 100) / 2
    for x, colour in ((side / 2 - reach, "#0075FF"), (side / 2 + reach, "#EA00FF")):
        axes.add_patch(Circle((x, side / 2), diameter / 2, facecolor=colour, linewidth=0))


def paint_rings(axes, parameters: dict) -> None:
    side = parameters["side_px"]
    width = points(parameters["line_width_pt"] * side / 277.2)
    rings = [
        Circle(np.array(centre) * side, parameters["size"] * side / 2)
        for centre in parameters["centres"]
    ]
    axes.add_collection(
        PatchCollection(rings, facecolor="none", edgecolor="black", linewidth=width)
    )


def paint_squares(axes, parameters: dict) -> None:
    squares = [Rectangle((x, y), side, side) for x, y, side in parameters["squares"]]
    axes.add_collection(
        PatchCollection(
            squares,
            facecolor="none",
            edgecolor="black",
            joinstyle="miter",
            linewidth=points(parameters["line_width_pt"] * 100 / 72),
        )
    )


def paint_grid(axes, parameters: dict) -> None:
    side = parameters["side_px"]
    width = parameters["line_width_at_2000_px"] * side / 2000
    for count, line in ((parameters["columns"], "axvline"), (parameters["rows"], "axhline")):
        for place in width / 2 + np.arange(count + 1) * (side - width) / count:
            getattr(axes, line)(place, color="black", linewidth=points(width))


#: Stimuli of blindtest that matplotlib draws as well, by id.
BLINDTEST_WITH_MATPLOTLIB = {
    "line_intersection_f02_w3": paint_lines,
    "two_circles_d4_gap05_horizontal_s1155": paint_discs,
    "olympic_shapes_circles_n9_d01_top_longer_s1155_w1_black": paint_rings,
    "nested_squares_n5_f00_w3": paint_squares,
    "grid_blank_10x10_s2000_w20": paint_grid,
}

#: Suites that can be measured: name -> function that lists its tasks.
SUITES = {
    "blindtest": blindtest_tasks,
    "contrast": contrast_tasks,
    "counting_bias": counting_bias_tasks,
    "hidden_digits": hidden_digits_tasks,
    "illusion_vqa": illusion_vqa_tasks,
    "later_illusions": lambda: illusion_vqa_tasks(LATER),
    "search": search_tasks,
    "tunnel_vision": tunnel_vision_tasks,
}


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
