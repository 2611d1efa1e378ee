"""Drawing: parameters to images, and a record of each image."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from afterimage.contract.design import Reader, Source, images_digest, spec_of
from afterimage.contract.drawing import Drawing
from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Json, StimulusSpec
from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png, pixels_sha256, png_sha256
from afterimage.files.stimulus import STIMULUS
from afterimage.files.whole import atomic_path


class Drawer(NamedTuple):
    """The stimuli of a figure in order, and what draws each from its parameters."""

    specs: Iterable[StimulusSpec]
    draw: Callable[[Json], Drawing]


def draw_figure(
    spec: Mapping, images: Sequence[str | os.PathLike], stimuli: str | os.PathLike
) -> int:
    """Draw all stimuli of one figure, one after the other, and record them; returns their number.

    Args:
        spec: ``suite``, ``figure``, ``settings`` (those that bear on the images), ``design`` and ``draw`` (where these
            parts are) and, of a Reader, ``images`` (a hash of which images there were when the run began).
        images: The PNG files to write, named by stimulus id.
        stimuli: The Parquet file to write, schema STIMULUS.
    """
    suite, figure = spec["suite"], spec["figure"]
    drawer = _drawer(spec)
    paths = {Path(image).stem: Path(image) for image in images}
    specs = {spec.stimulus_id: spec for spec in drawer.specs}
    if set(paths) != set(specs):
        difference = ", ".join(sorted(set(paths) ^ set(specs)))
        raise AfterimageError(
            f"{suite}/{figure}: the plan and the figure's stimuli differ in: {difference}."
        )

    def rows():
        for stimulus_id, spec in specs.items():
            drawing = drawer.draw(spec.parameters)
            png = encode_png(drawing.pixels)
            # Not waiting for the disk at every image: one that a power cut damaged fails its checksum (jobs/items.py).
            with atomic_path(paths[stimulus_id], synced=False) as temporary:
                temporary.write_bytes(png)
            height, width, _ = drawing.pixels.shape
            yield {
                "stimulus_id": stimulus_id,
                "suite": suite,
                "figure": figure,
                "image": paths[stimulus_id].name,
                "width_px": width,
                "height_px": height,
                "pixels_sha256": pixels_sha256(drawing.pixels),
                "png_sha256": png_sha256(png),
                "parameters": json.dumps(
                    {"nominal": spec.parameters, "realised": drawing.realised}, sort_keys=True
                ),
                # What is known only when it is drawn, such as sizes after rounding to whole pixels.
                "factors": {**spec.factors, **drawing.factors},
            }

    return write_records(stimuli, rows(), STIMULUS)


def _drawer(spec: Mapping) -> Drawer:
    figure, settings = spec["figure"], spec["settings"]
    if "adapted" in spec:
        # By name: it is no part of the job where a suite is one value.
        return resolve("afterimage.jobs.adapted:drawer")(spec["suite"], figure, settings)
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
