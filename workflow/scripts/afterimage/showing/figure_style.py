"""The look of all charts: print size, sober, readable for the colour-blind and in grey."""

from typing import Any

import matplotlib as mpl
from cycler import cycler

#: Ten colours that the colour-blind tell apart: seaborn's palette of that name (Waskom 2021).
COLOUR_BLIND = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#ca9161",
    "#fbafe4",
    "#949494",
    "#ece133",
    "#56b4e9",
)

#: Four of them in an order whose neighbours differ in lightness too.
PALETTE = tuple(COLOUR_BLIND[index] for index in (0, 1, 2, 7))

# Seaborn's palette "deep": what a mark without a colour of its own gets.
_DEEP = (
    "#4c72b0",
    "#dd8452",
    "#55a868",
    "#c44e52",
    "#8172b3",
    "#937860",
    "#da8bc3",
    "#8c8c8c",
    "#ccb974",
    "#64b5cd",
)

# Print is four fifths of the size for screens.
_PRINT = 0.8
_DARK, _LIGHT = ".15", ".8"

# A white ground with light lines behind the data, as in seaborn's style "whitegrid" and context "paper"; written out,
# because importing seaborn takes longer than drawing a chart.
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": _LIGHT,
    "axes.grid": True,
    "axes.labelcolor": _DARK,
    "axes.labelsize": 12 * _PRINT,
    "axes.prop_cycle": cycler(color=_DEEP),
    "axes.linewidth": 1.25 * _PRINT,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "figure.dpi": 100,
    "font.family": ["DejaVu Sans"],
    "font.size": 12 * _PRINT,
    "grid.color": _LIGHT,
    "grid.linewidth": _PRINT,
    "legend.fontsize": 11 * _PRINT,
    "legend.title_fontsize": 12 * _PRINT,
    "lines.linewidth": 1.5 * _PRINT,
    "lines.markersize": 6 * _PRINT,
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "patch.linewidth": _PRINT,
    "pdf.fonttype": 42,
    "savefig.bbox": "tight",
    "savefig.dpi": 200,
    "text.color": _DARK,
    **{
        f"{axis}tick.{name}": value
        for axis in "xy"
        for name, value in {
            "color": _DARK,
            "labelsize": 11 * _PRINT,
            "major.size": 6 * _PRINT,
            "major.width": 1.25 * _PRINT,
            "minor.size": 4 * _PRINT,
            "minor.width": _PRINT,
        }.items()
    },
    "xtick.bottom": False,
    "ytick.left": False,
}


def apply() -> None:
    """Set matplotlib's parameters; call before any figure is made."""
    mpl.use("Agg")
    mpl.rcParams.update(_STYLE)
