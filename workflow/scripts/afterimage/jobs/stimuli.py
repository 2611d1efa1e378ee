"""Drawing and measuring: parameters to images, and from the images back to what they show."""

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError
from afterimage.files.png import decode_png, encode_png
from afterimage.files.stimulus import stimulus_row, write_stimuli
from afterimage.jobs.images import remove_images, write_images
from afterimage.jobs.measurements import write_measurements


def draw_figure(
    suite: str,
    figure: str,
    settings: Mapping[str, object],
    count: int,
    stimuli: str | os.PathLike[str],
    measured: str | os.PathLike[str],
    with_files: bool = False,
) -> None:
    """Draw all stimuli of one figure, one after the other, and measure each from its PNG bytes.

    Args:
        suite: The suite's name.
        figure: The figure's name.
        settings: The suite's settings.
        count: How many stimuli the catalogue names.
        stimuli: The Parquet file to write, schema STIMULUS.
        measured: The CSV file to write, one row per measurement.
        with_files: Whether each image is written beside them as a file too, for people to look at. Those of an
            earlier drawing are removed in any case.

    Raises:
        AfterimageError: There are more or fewer stimuli than the catalogue names, or an image does not show what it
            should at its own size. No file is written.
    """
    source = import_module(f"afterimage.suites.{suite}.stimuli")
    invariants = import_module(f"afterimage.suites.{suite}.invariants")
    specs = {spec.stimulus_id: spec for spec in source.specs(figure, settings)}
    if len(specs) != count:
        raise AfterimageError(
            f"{suite}/{figure}: {len(specs)} stimuli are specified; expected the {count} of the catalogue."
        )
    measurements: list[dict[str, Any]] = []

    def rows() -> Iterator[dict[str, Any]]:
        for name, spec in specs.items():
            drawing = source.draw(figure, spec.parameters)
            png = encode_png(drawing.pixels)
            pixels = decode_png(png, f"{suite}/{figure}/{name}")
            # What is known only when it is drawn, such as sizes after rounding to whole pixels.
            factors = {**spec.factors, **getattr(drawing, "factors", {})}
            measurements.extend(invariants.measure_stimulus(figure, name, factors, pixels))
            parameters = {"nominal": spec.parameters, "realised": drawing.realised}
            yield stimulus_row(suite, figure, name, png, pixels, parameters, factors)
        # While the file has no name yet: nobody is asked about an image that fails.
        invariants.require_native(measurements)

    write_stimuli(stimuli, rows())
    write_measurements(figure, measurements, measured)
    remove_images(Path(stimuli).parent)
    if with_files:
        write_images(stimuli)
