"""Contrast sensitivity over spatial frequency: one panel per prompt that asks for a side, one line per model."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import ModelStyle, legend_below, model_styles

#: Sensitivities that levels of contrast from 64 to 0.5 % stand for, and where marks beyond them lie.
_LEAST, _MOST = 100 / 64, 100 / 0.5
_UNDER, _OVER = _LEAST / 2.2, _MOST * 1.7
_UNFITTED = "yes or no"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw sensitivity on logarithmic axes; open marks above and below have no threshold within what was shown.

    Args:
        tables: ``contrast``.
    """
    figure_style.apply()
    frame = tables["contrast"]
    frame = frame[(frame["kind"] == "measured") & (frame["no_threshold"] != _UNFITTED)]
    prompts = list(dict.fromkeys(frame["prompt"]))
    figure = Figure(figsize=(0.6 + 4.3 * max(1, len(prompts)), 4.2), layout="constrained")
    panels = figure.subplots(1, max(1, len(prompts)), sharey=True, squeeze=False)[0]
    if not prompts:
        say_empty(panels[0])
        return figure
    styles = model_styles(list(dict.fromkeys(frame["model"])))
    handles: dict[str, Artist] = {}
    for axes, prompt in zip(panels, prompts, strict=True):
        asked = frame[frame["prompt"] == prompt]
        for number, (model, style) in enumerate(styles.items()):
            own = asked[asked["model"] == model].sort_values("frequency_cycles")
            shift = 2 ** (0.1 * (number - (len(styles) - 1) / 2) / max(len(styles) / 4, 1))
            handles[model] = _draw_line(axes, own, style, shift)
        _dress(axes, sorted(asked["frequency_cycles"].astype(int).unique()))
        axes.set_title(f"prompt {prompt}", parse_math=False)
    panels[0].set_ylabel("sensitivity (100 / threshold in %)")
    legend_below(figure, [(handle, model) for model, handle in handles.items()], columns=4)
    return figure


def _draw_line(axes: Axes, frame: pd.DataFrame, style: ModelStyle, shift: float) -> Artist:
    at = frame["frequency_cycles"].to_numpy(float) * shift
    # The upper bound of a threshold is the lower one of a sensitivity.
    low, high = (100 / frame[f"threshold_{end}"].to_numpy(float) for end in ("high", "low"))
    # Of a threshold beyond what was shown the bounds tell how far within it may lie.
    known = np.isfinite(low)
    axes.vlines(at[known], low[known], high[known], color=style.colour, linewidth=1)
    look = {"color": style.colour, "marker": style.marker, "markersize": 5}
    (line,) = axes.plot(at, frame["sensitivity"], linestyle=style.stroke, linewidth=1.3, **look)
    over = frame["no_threshold"].fillna("").str.startswith("below").to_numpy(bool)
    none = frame["sensitivity"].isna().to_numpy(bool) & ~over
    for chosen, height in ((over, _OVER), (none, _UNDER)):
        axes.plot(
            at[chosen], np.full(chosen.sum(), height), linestyle="none", fillstyle="none", **look
        )
    return line


def _dress(axes: Axes, frequencies: list[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(frequencies, [str(one) for one in frequencies])
    ticks = {_UNDER: "none", **{at: f"{at:g}" for at in (2, 5, 10, 20, 50, 100, 200)}}
    axes.set_yticks([*ticks, _OVER], [*ticks.values(), "more"])
    axes.minorticks_off()
    axes.set_ylim(_UNDER / 1.4, _OVER * 1.3)
    for low, high in ((_UNDER / 1.4, _LEAST), (_MOST, _OVER * 1.3)):
        axes.axhspan(low, high, color="#f2f2f2", linewidth=0, zorder=0)
    axes.set_xlabel("cycles per image width")
