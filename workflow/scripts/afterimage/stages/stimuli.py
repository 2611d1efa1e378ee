"""Drawing and measuring: parameters to images, and from the images back to what they show; and a suite's side files."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from afterimage.contract.design import Reader, images_digest, spec_of
from afterimage.contract.parts import name_of, resolve
from afterimage.errors import AfterimageError
from afterimage.stages.images import remove_images, write_images
from afterimage.stages.measurements import measurer, write_measurements
from afterimage.stages.stage import Stage, each_of_suites

if TYPE_CHECKING:
    import numpy as np

    from afterimage.contract.design import Source
    from afterimage.contract.stimulus import Drawing, Json, StimulusSpec
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- specs and parts ----


def figure_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that draw and measure a figure."""
    return plan.studied[at.suite].drawing_parts(at.figure)


def figure_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the drawing and measuring of a figure depends on, its code apart."""
    return plan.studied[at.suite].drawing_spec(at.figure)


def side_files_parts(plan: Plan, at: Names) -> list[str]:
    """Return the part that writes files in others' forms."""
    return [name_of(side_files_spec(plan, at)["part"])]


def side_files_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what these files depend on, their inputs apart."""
    files = plan.studied[at.suite].side_files[at.writer]
    return {"part": files.part, "settings": files.spec}


def sources(plan: Plan, suite: str, figure: str) -> list[str]:
    """Return the user's files that a figure's stimuli are made from, as far as they are there."""
    absent = set(plan.missing[suite].names)
    return [file for file in plan.studied[suite].sources(figure) if file not in absent]


# ---- functions of jobs ----


class Drawer(NamedTuple):
    """The stimuli of a figure in order, and what draws each from its parameters."""

    specs: Iterable[StimulusSpec]
    draw: Callable[[Json], Drawing]


def draw_figure(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Draw all stimuli of one figure, one after the other, and measure each from its PNG bytes.

    Args:
        spec: ``suite``, ``figure``, ``settings`` (those that bear on the images), ``stimuli`` (their number),
            ``design``, ``draw`` and ``measure`` (where these parts are), ``version`` of the suite and, of a Reader,
            ``images`` (a hash of which images there were when the run began).
        inputs: The user's files that the images are made from, which ``settings`` name.
        outputs: ``stimuli``, the Parquet file to write, schema STIMULUS; ``measured``, the CSV file to write, one row
            per measurement.
        resources: ``threads``, how many images are decoded and packed at a time; ``image_files``, whether (``"yes"``)
            each image is written beside them as a file too, for people to look at: no job reads these. Those of an
            earlier drawing are removed in any case.

    Raises:
        AfterimageError: There are more or fewer stimuli than were planned, or an image does not show what it has to.
            No file is written.
    """
    from afterimage.files.png import decode_png, encode_png
    from afterimage.files.stimulus import stimulus_row, write_stimuli

    suite, figure = spec["suite"], spec["figure"]
    drawer, measuring = drawer_of(spec), measurer(spec)
    specs = {stimulus.stimulus_id: stimulus for stimulus in drawer.specs}
    if len(specs) != spec["stimuli"]:
        raise AfterimageError(
            f"{suite}/{figure}: {len(specs)} stimuli are specified; expected the {spec['stimuli']} of the plan."
        )
    measurements: list[dict[str, Any]] = []

    def made(stimulus: StimulusSpec) -> tuple[Drawing, bytes, np.ndarray]:
        drawing = drawer.draw(stimulus.parameters)
        png = encode_png(drawing.pixels)
        return drawing, png, decode_png(png, f"{suite}/{figure}/{stimulus.stimulus_id}")

    def rows() -> Iterator[dict[str, Any]]:
        drawn = in_order(made, specs.values(), resources.get("threads", 1))
        for (name, stimulus), (drawing, png, pixels) in zip(specs.items(), drawn, strict=True):
            # What is known only when it is drawn, such as sizes after rounding to whole pixels.
            factors = {**stimulus.factors, **drawing.factors}
            record = {"stimulus_id": name, "figure": figure, "factors": factors}
            measurements.extend(measuring.measure(record, pixels))
            parameters = {"nominal": stimulus.parameters, "realised": drawing.realised}
            yield stimulus_row(suite, figure, name, png, pixels, parameters, factors)
        # While the file has no name yet: nobody is asked about an image that fails.
        measuring.require(measurements)

    stimuli = outputs["stimuli"]
    write_stimuli(stimuli, rows(), _about(spec))
    write_measurements(figure, measurements, outputs["measured"])
    remove_images(Path(stimuli).parent)
    if resources.get("image_files") == "yes":
        write_images(stimuli)


def _about(spec: Mapping[str, Any]) -> dict[str, str]:
    """Return what the file of images says of itself; whose images are others', they mark themselves."""
    from afterimage.files.stimulus import CANARY

    about = {"suite_version": spec["version"]} if "version" in spec else {}
    is_drawn = not isinstance(resolve(spec["design"]), Reader)
    return {**about, "canary": CANARY} if is_drawn else about


def drawer_of(spec: Mapping[str, Any]) -> Drawer:
    """Return what draws a figure, from what its job depends on (:func:`draw_figure`)."""
    figure, settings = spec["figure"], spec["settings"]
    design: Source = resolve(spec["design"])
    draw = resolve(spec["draw"])
    if not isinstance(design, Reader):
        return Drawer(design.specs(figure, settings), lambda parameters: draw(**parameters))
    images = design.shown(figure, settings)
    if images_digest(images) != spec["images"]:
        raise AfterimageError(
            f"{spec['suite']}/{figure}: the images have changed since this run began; run again."
        )
    return Drawer(map(spec_of, images), lambda parameters: draw(**parameters))


# ---- side files: what a suite makes beside stimuli, items and tables, in forms that others read ----


def write_side_files(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write one group of a suite's side files.

    Args:
        spec: ``part``, where the function is that writes them, and ``settings``, what the suite tells it.
        inputs: ``read``, the files that it reads.
        outputs: ``written``, the files to write, in the order in which planning names them.
    """
    write = resolve(spec["part"])
    write(spec["settings"], list(inputs["read"]), list(outputs["written"]))


# ---- several images at a time ----

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def in_order(
    make: Callable[[_Given], _Made], given: Iterable[_Given], threads: int
) -> Iterator[_Made]:
    """Yield ``make(one)`` of each, in order, several in work at a time; no more than twice as many are held.

    Worth it where the work leaves Python's lock alone, as decoding and packing images does.

    Args:
        make: The work; what it raises comes out in its place.
        given: What it is done with.
        threads: How many at a time; 1 works without a thread.
    """
    if threads <= 1:
        yield from map(make, given)
        return
    left = iter(given)
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[_Made]] = deque(
            pool.submit(make, item) for item in islice(left, 2 * threads)
        )
        try:
            while waiting:
                made = waiting.popleft().result()
                waiting.extend(pool.submit(make, item) for item in islice(left, 1))
                yield made
        finally:
            pool.shutdown(cancel_futures=True)


STAGES = (
    Stage(
        "draw_figure",
        draw_figure,
        "stimuli",
        parts=figure_parts,
        spec=figure_spec,
        jobs=each_of_suites("figure", lambda plan, suite: plan.figures[suite]),
    ),
    Stage(
        "write_side_files",
        write_side_files,
        "stimuli",
        parts=side_files_parts,
        spec=side_files_spec,
        jobs=each_of_suites("writer", lambda plan, suite: plan.studied[suite].side_files),
    ),
)
