"""Measurements as files: what the images of a figure, or of a suite, show."""

import logging
import os
from collections.abc import Mapping, Sequence

import pandas as pd

from afterimage.files.whole import atomic_path

logger = logging.getLogger(__name__)


def write_measurements(
    figure: str, rows: Sequence[Mapping[str, object]], measured: str | os.PathLike[str]
) -> None:
    """Write what the images of a figure show, one row per measurement."""
    flagged = sum(not row["holds"] for row in rows)
    logger.info("%s: %d measurements, %d outside their limit", figure, len(rows), flagged)
    with atomic_path(measured) as temporary:
        pd.DataFrame(rows).to_csv(temporary, index=False)


def collect_measurements(
    parts: Sequence[str | os.PathLike[str]], measured: str | os.PathLike[str]
) -> None:
    """Concatenate the measurements of all figures of a suite, in the given order."""
    frames = [pd.read_csv(part, dtype=str, keep_default_na=False) for part in parts]
    with atomic_path(measured) as temporary:
        pd.concat(frames).to_csv(temporary, index=False)
