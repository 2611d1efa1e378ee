"""How many images of each category and difficulty there are: the paper's figure 4."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.suites.illusionbench.names import DIFFICULTIES

#: Light to dark, as the ratings rise; they differ in print without colour, too.
_SHADES = ("#bfd7ea", "#5b9bd5", "#1f4e79")


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw a bar for each category, parted by difficulty, with the number of its questions beside it.

    Args:
        tables: ``illusionbench_data``.
    """
    figure_style.apply()
    frame = tables["illusionbench_data"].set_index("category").drop(index="total")[::-1]
    figure = Figure(figsize=(6.0, 2.6), layout="constrained")
    axes = figure.subplots()
    start = pd.Series(0, frame.index)
    for difficulty, shade in zip(DIFFICULTIES, _SHADES, strict=True):
        own = frame[f"images_{difficulty}"]
        axes.barh(frame.index, own, left=start, color=shade, label=difficulty)
        start = start + own
    names = [name.replace("_", " ") for name in frame.index]
    axes.set_yticks(range(len(frame)), names)
    most = max(int(frame["images"].max()), 1)
    for place, (images, instances) in enumerate(
        zip(frame["images"], frame["instances"], strict=True)
    ):
        axes.text(images + most / 50, place, f"{images} images, {instances} questions", va="center")
    axes.set_xlim(0, 1.75 * most)
    axes.grid(False)
    axes.set_xlabel("images")
    axes.legend(title="difficulty", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure
