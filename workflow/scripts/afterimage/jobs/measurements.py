"""Measuring: what the finished images show, worked out from their pixels alone."""

import logging
import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from afterimage.files.parquet import read_records
from afterimage.files.png import read_png
from afterimage.files.stimulus import STIMULUS
from afterimage.files.whole import atomic_path

logger = logging.getLogger(__name__)


def measure_figure(
    suite: str, figure: str, stimuli: str | os.PathLike, measured: str | os.PathLike
) -> None:
    """Measure each image of a figure at its own size and resized, and write one row per measurement.

    Raises:
        AfterimageError: An image cannot be read, or violates an invariant at its own size. No file is written.
    """
    invariants = import_module(f"afterimage.suites.{suite}.invariants")
    folder = Path(stimuli).parent
    rows = []
    for row in read_records(stimuli, STIMULUS):
        pixels = read_png(folder / row["image"])
        rows += invariants.measure_stimulus(figure, row["stimulus_id"], row["factors"], pixels)
    invariants.require_native(rows)
    flagged = sum(not row["holds"] for row in rows)
    logger.info("%s: %d measurements, %d outside their limit", figure, len(rows), flagged)
    with atomic_path(measured) as temporary:
        pd.DataFrame(rows).to_csv(temporary, index=False)


def collect_measurements(parts: Sequence[str | os.PathLike], measured: str | os.PathLike) -> None:
    """Concatenate the measurements of all figures of a suite, in the given order."""
    frames = [pd.read_csv(part, dtype=str, keep_default_na=False) for part in parts]
    with atomic_path(measured) as temporary:
        pd.concat(frames).to_csv(temporary, index=False)
