"""Measuring: what the finished images show, worked out from their pixels alone."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from afterimage.contract.drawing import Measured
from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records
from afterimage.files.png import read_png
from afterimage.files.stimulus import STIMULUS
from afterimage.files.whole import atomic_path

logger = logging.getLogger(__name__)


def measure_figure(spec: Mapping, stimuli: str | os.PathLike, measured: str | os.PathLike) -> None:
    """Measure each image of a figure and write one row per measurement.

    Args:
        spec: ``suite``, ``figure`` and ``measure`` (where this part is).
        stimuli: The figure's records, beside its images.
        measured: The CSV file to write.

    Raises:
        AfterimageError: An image cannot be read, or does not show what it has to. No file is written.
    """
    folder = Path(stimuli).parent
    drawn = (
        (record, read_png(folder / record["image"])) for record in read_records(stimuli, STIMULUS)
    )
    if "adapted" in spec:
        # By name: it is no part of the job where a suite is one value.
        rows = resolve("afterimage.jobs.adapted:measured")(spec["suite"], spec["figure"], drawn)
    else:
        rows = list(_rows(resolve(spec["measure"]), drawn))
    flagged = sum(not row["holds"] for row in rows)
    logger.info("%s: %d measurements, %d outside their limit", spec["figure"], len(rows), flagged)
    with atomic_path(measured) as temporary:
        pd.DataFrame(rows).to_csv(temporary, index=False)


def findings(found: object, factors: Mapping[str, str]) -> list[Measured]:
    """Return what a part ``measure`` found, as a list; a text alone has to be the factor ``truth``."""
    if isinstance(found, str):
        truth = factors.get("truth", "")
        return [Measured(found, truth, found == truth, "" if found == truth else f"found {found}")]
    return [found] if isinstance(found, Measured) else list(found)


def measured_row(record: Mapping, found: Measured, pixels: np.ndarray) -> dict:
    """Return a finding as a row of ``measured.csv``."""
    columns = found.columns
    if columns is None:
        columns = {
            "width_px": pixels.shape[1],
            "height_px": pixels.shape[0],
            "value": found.value,
            "expected": found.expected,
            "holds": found.holds,
            "remark": found.remark,
        }
    return {"stimulus_id": record["stimulus_id"], "figure": record["figure"], **columns}


def _rows(measure, drawn: Iterator[tuple[Mapping, np.ndarray]]) -> Iterator[dict]:
    violations = []
    for record, pixels in drawn:
        for found in _found(measure, record, pixels):
            yield measured_row(record, found, pixels)
            if found.stops and not found.holds:
                violations.append((record["stimulus_id"], found))
    if violations:
        name, first = violations[0]
        others = (
            f" ({len(violations) - 1} more images differ from theirs)" if violations[1:] else ""
        )
        raise AfterimageError(
            f"{name}.png: {first.remark.rstrip('.')}, expected {first.expected}{others}."
        )


def _found(measure, record: Mapping, pixels: np.ndarray) -> list[Measured]:
    try:
        return findings(measure(pixels, record["factors"]), record["factors"])
    except AfterimageError as error:
        return [Measured("", record["factors"].get("truth", ""), False, str(error))]


def collect_measurements(parts: Sequence[str | os.PathLike], measured: str | os.PathLike) -> None:
    """Concatenate the measurements of all figures of a suite, in the given order."""
    frames = [pd.read_csv(part, dtype=str, keep_default_na=False) for part in parts]
    with atomic_path(measured) as temporary:
        pd.concat(frames).to_csv(temporary, index=False)
