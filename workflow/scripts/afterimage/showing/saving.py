"""Figures to files, with the same bytes whenever the same is drawn."""

import os
from collections.abc import Iterable
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from afterimage.files.whole import atomic_path


def save_figure(figure: Figure, outputs: Iterable[str | os.PathLike[str]]) -> None:
    """Write a figure to each of some files, in the format that its name ends in, cut to what is drawn.

    What is laid out, and how large it is, is found once; matplotlib would draw everything once more for each file.
    """
    if layout := figure.get_layout_engine():
        layout.execute(figure)
        figure.set_layout_engine(None)
    drawn = figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"])
    for output in outputs:
        # A date in the file would be other bytes every time.
        undated = {"CreationDate": None} if Path(output).suffix == ".pdf" else {}
        with atomic_path(output) as temporary:
            figure.savefig(temporary, bbox_inches=drawn, metadata=undated)
