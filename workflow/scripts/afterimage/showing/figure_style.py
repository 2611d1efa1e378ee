"""The look of all charts: print size, sober, readable for the colour-blind and in grey."""

import matplotlib as mpl
import seaborn as sns

#: Seaborn's colour-blind palette in an order whose neighbours differ in lightness too.
PALETTE = tuple(sns.color_palette("colorblind").as_hex()[index] for index in (0, 1, 2, 7))

#: Hatches that tell classes apart where colours fail.
HATCHES = ("", "///", "...", "")


def apply() -> None:
    """Set matplotlib's parameters; call before any figure is made."""
    mpl.use("Agg")
    sns.set_theme(
        context="paper",
        style="whitegrid",
        font="DejaVu Sans",
        rc={
            "axes.titlelocation": "left",
            "axes.titlesize": "medium",
            "figure.dpi": 100,
            "hatch.linewidth": 0.6,
            "pdf.fonttype": 42,
            "savefig.bbox": "tight",
            "savefig.dpi": 200,
        },
    )
