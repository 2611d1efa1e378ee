"""Charts: pictures of finished tables."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from afterimage.contract.parts import resolve
from afterimage.files.whole import atomic_path


def draw_chart(
    spec: Mapping,
    tables: Sequence[str | os.PathLike],
    outputs: Sequence[str | os.PathLike],
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    Args:
        spec: ``part``, where the function is that draws it, and ``chart``, its name where that function draws several.
        tables: The tables, in files of their names.
        outputs: The pictures to write.
    """
    frames = {Path(table).stem: pd.read_csv(table) for table in tables}
    draw = resolve(spec["part"])
    figure = draw(frames, spec["chart"]) if "chart" in spec else draw(frames)
    for output in outputs:
        with atomic_path(output) as temporary:
            # Without dates in the file, the same tables give the same bytes.
            figure.savefig(temporary, metadata=_undated(Path(output).suffix))


def _undated(suffix: str) -> dict:
    return {"CreationDate": None} if suffix == ".pdf" else {}
