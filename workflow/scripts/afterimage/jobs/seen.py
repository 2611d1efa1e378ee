"""What a model's processor leaves of the stimuli: their invariants, measured again on what the model gets."""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.png import decode_png
from afterimage.files.stimulus import read_images
from afterimage.files.whole import atomic_path

logger = logging.getLogger(__name__)

#: Columns of a suite's measurement that stand here under names of their own.
_SIZE_COLUMNS = ("width_px", "height_px", "size_px")


def measure_seen(
    suite: str, entry: Mapping, stimuli: Sequence[str | os.PathLike], seen: str | os.PathLike
) -> None:
    """Measure each stimulus as the model's processor hands it on, and write one row per stimulus.

    Nothing here is an error: a stimulus that does not measure what it should is flagged (``holds`` is False), so that
    an answer about it is not read as one about the drawing.

    Args:
        suite: The suite's name; it offers ``seen.py`` with ``measure_seen``, or ``invariants.py``.
        entry: The model's backend, model_id, revision and settings.
        stimuli: The Parquet files of the suite's figures.
        seen: The CSV file to write.

    Raises:
        AfterimageError: The processor cannot be loaded, what it makes cannot be shown, or an image cannot be read.
    """
    eyes = import_module(f"afterimage.models.{entry['backend']}.seen")
    processor, see = eyes.load_eyes(entry)
    measure = _measure(suite)
    rows = [
        _row(row, pixels, see(pixels), measure, processor)
        for file in stimuli
        for row, png in read_images(file)
        for pixels in [decode_png(png, f"{file}, stimulus '{row['stimulus_id']}'")]
    ]
    flagged = sum(not row["holds"] for row in rows)
    logger.info("%d of %d stimuli of %s are flagged after %s", flagged, len(rows), suite, processor)
    with atomic_path(seen) as temporary:
        pd.DataFrame(rows).to_csv(temporary, index=False)


Measure = Callable[[str, str, Mapping, object], dict]


def _measure(suite: str) -> Measure:
    """Return the suite's measurement of an image of any size: figure, stimulus id, factors, pixels to a row."""
    name = f"afterimage.suites.{suite}.seen"
    if find_spec(name) is not None:
        return import_module(name).measure_seen
    invariants = import_module(f"afterimage.suites.{suite}.invariants")

    def native(figure: str, stimulus_id: str, factors: Mapping, pixels: object) -> dict:
        return invariants.measure_stimulus(figure, stimulus_id, factors, pixels)[0]

    return native


def _row(row: Mapping, drawn, seen, measure: Measure, processor: str) -> dict:
    try:
        measured = measure(row["figure"], row["stimulus_id"], row["factors"], seen)
    except AfterimageError as error:
        measured = {"holds": False, "remark": str(error)}
    return {
        "stimulus_id": row["stimulus_id"],
        "figure": row["figure"],
        "image_processor": processor,
        "drawn_width_px": drawn.shape[1],
        "drawn_height_px": drawn.shape[0],
        "seen_width_px": seen.shape[1],
        "seen_height_px": seen.shape[0],
        **{name: value for name, value in measured.items() if name not in _SIZE_COLUMNS},
    }
