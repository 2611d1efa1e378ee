"""Drawing: parameters to images, and a record of each image."""

import json
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png, pixels_sha256, png_sha256
from afterimage.files.stimulus import STIMULUS
from afterimage.files.whole import atomic_path


def draw_figure(
    suite: str,
    figure: str,
    settings: Mapping,
    images: Sequence[str | os.PathLike],
    stimuli: str | os.PathLike,
) -> int:
    """Draw all stimuli of one figure, one after the other, and record them; returns their number.

    Args:
        suite: The suite's name.
        figure: The figure's name.
        settings: The suite's settings.
        images: The PNG files to write, named by stimulus id.
        stimuli: The Parquet file to write, schema STIMULUS.
    """
    source = import_module(f"afterimage.suites.{suite}.stimuli")
    paths = {Path(image).stem: Path(image) for image in images}
    specs = {spec.stimulus_id: spec for spec in source.specs(figure, settings)}
    if set(paths) != set(specs):
        difference = ", ".join(sorted(set(paths) ^ set(specs)))
        raise AfterimageError(
            f"{suite}/{figure}: catalogue and specifications differ in: {difference}."
        )

    def rows():
        for stimulus_id, spec in specs.items():
            drawing = source.draw(figure, spec.parameters)
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
                "factors": {**spec.factors, **getattr(drawing, "factors", {})},
            }

    return write_records(stimuli, rows(), STIMULUS)
