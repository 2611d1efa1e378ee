"""Psychometric curves of one illusion: a panel per model, prompt and question, a colour per strength."""

from collections.abc import Mapping
from statistics import NormalDist

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.figure_style import legend_below
from afterimage.suites.illusion_strength.people import MAGNITUDE, SOUGHT
from afterimage.suites.thresholds.charts import PEOPLE, people_label, people_of

QUESTIONS = {"actual": "What it is (actual)", "apparent": "What it looks like (apparent)"}
# Blue to red through grey: told apart by the colour-blind, and in grey by their markers.
_COLOURS = ("#2166ac", "#4aa3d4", "#4d4d4d", "#f08a5d", "#b2182b")
_MARKERS = ("v", "<", "o", ">", "^")
_PANEL_INCHES = (3.7, 2.5)
# Below the curves, a strip with the interval of each strength's point of equality.
_STRIP_TOP, _STRIP_STEP = -0.11, 0.085
_FINE = 201


def draw(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw P(first) + P(neutral)/2 against the true difference, and where it crosses one half.

    Args:
        tables: ``illusion_strength``, ``illusion_strength_cells`` and, where people have answered,
            ``illusion_strength_people``, whose points of equality are a band: people say how it looks.
        chart: ``illusion_strength_<illusion>``.
    """
    figure_style.apply()
    illusion = chart.removeprefix("illusion_strength_")
    cells, fits = (
        frame[frame["illusion"] == illusion]
        for frame in (tables["illusion_strength_cells"], tables["illusion_strength"])
    )
    people = people_of(tables.get("illusion_strength_people"), SOUGHT.bounded)
    people = people[(people["condition"] == illusion) & (people["track"] != MAGNITUDE)]
    strengths = sorted(fits["strength"].unique())
    rows = list(dict.fromkeys(zip(fits["model"], fits["prompt"], strict=True)))
    prompts = fits["prompt"].nunique()
    width, height = _PANEL_INCHES
    figure = Figure(
        figsize=(width * len(QUESTIONS), 0.8 + height * max(len(rows), 1)), layout="constrained"
    )
    panels = figure.subplots(
        max(len(rows), 1), len(QUESTIONS), sharex=True, sharey=True, squeeze=False
    )
    for place, (model, prompt) in enumerate(rows):
        for axes, question in zip(panels[place], QUESTIONS, strict=True):
            own = [
                frame[
                    (frame["model"] == model)
                    & (frame["prompt"] == prompt)
                    & (frame["question"] == question)
                ]
                for frame in (cells, fits)
            ]
            _draw_panel(axes, *own, strengths)
            if question == "apparent":
                _draw_people(axes, people, strengths)
            title = f"{model} ({prompt})" if prompts > 1 else str(model)
            axes.set_title(title if question == "actual" else "", parse_math=False)
        panels[place][0].set_ylabel("P(first) + P(neutral)/2")
    for axes, title in zip(panels[0], QUESTIONS.values(), strict=True):
        axes.annotate(
            title, (0.5, 1.16), xycoords="axes fraction", ha="center", va="bottom", weight="bold"
        )
    for axes in panels[-1]:
        axes.set_xlabel("true difference d (1 = that of the fake)")
    figure.suptitle(illusion.replace("_", " "), x=0.01, ha="left", weight="bold")
    entries: list[tuple[Artist, str]] = [
        (_handle(strength, strengths), f"s = {strength:+g}" if strength else "no inducer")
        for strength in strengths
    ]
    if len(people):
        entries.append((Patch(color=PEOPLE, alpha=0.25), people_label(people)))
    legend_below(figure, entries, columns=len(entries))
    return figure


def _draw_panel(
    axes: Axes, cells: pd.DataFrame, fits: pd.DataFrame, strengths: list[float]
) -> None:
    axes.axhline(0.5, color="#888888", linewidth=0.6, zorder=1)
    axes.axhline(_STRIP_TOP + 0.05, color="#cccccc", linewidth=0.6, zorder=1)
    limit = max(1.0, float(cells["realised"].abs().max()) if len(cells) else 1.0)
    fine = np.linspace(-limit, limit, _FINE)
    for place, strength in enumerate(strengths):
        colour, marker = _look(strength, strengths)
        # Wider below, narrower above: curves that coincide show as bands.
        later = len(strengths) - 1 - place
        own = cells[cells["strength"] == strength]
        read = own["n"] - own["unparsed"]
        share = ((own["first"] + own["neutral"] / 2) / read.where(read > 0)).to_numpy(float)
        axes.plot(
            own["realised"],
            share,
            linestyle="none",
            marker=marker,
            markersize=3.5 + 0.6 * later,
            color=colour,
            markeredgecolor="white",
            markeredgewidth=0.4,
            zorder=3,
            clip_on=False,
        )
        level = _STRIP_TOP - _STRIP_STEP * place
        for _, fit in fits[fits["strength"] == strength].iterrows():
            if fit["no_pse"] != "no answers":
                width = 1.1 + 0.6 * later
                axes.plot(fine, _curve(fit, fine), color=colour, linewidth=width, zorder=2)
            _mark_equality(axes, fit, level, colour, marker, limit)
    axes.set_xlim(-1.06 * limit, 1.06 * limit)
    axes.set_ylim(_STRIP_TOP - _STRIP_STEP * len(strengths), 1.05)
    axes.set_yticks([0, 0.5, 1])
    axes.tick_params(labelsize="small")


def _draw_people(axes: Axes, people: pd.DataFrame, strengths: list[float]) -> None:
    """Draw the band between the quartiles of people's points of equality, and their median, in a strength's colour."""
    for _, row in people.iterrows():
        colour, _ = _look(float(row["track"]), strengths)
        value, low, high = (row[name] for name in SOUGHT.bounded)
        axes.axvspan(low, high, color=colour, alpha=0.18, linewidth=0, zorder=0)
        axes.axvline(value, color=colour, linewidth=0.9, linestyle=":", zorder=1)


def _curve(fit: pd.Series, differences: np.ndarray) -> np.ndarray:
    cumulative = np.vectorize(NormalDist().cdf)
    x = fit["slope"] * differences - fit["location"]
    first, second = cumulative(x - fit["criterion"]), cumulative(-x - fit["criterion"])
    return 0.5 + (1 - fit["lapse"]) * (first - second) / 2


def _mark_equality(
    axes: Axes, fit: pd.Series, level: float, colour: str, marker: str, limit: float
) -> None:
    """Draw the point of equality with its interval, or say in words why there is none."""
    if pd.isna(fit["pse"]):
        axes.text(
            0.99 * limit,
            level,
            f"no PSE: {fit['no_pse']}",
            color=colour,
            fontsize=5.5,
            ha="right",
            va="center",
        )
        return
    axes.plot([fit["pse_low"], fit["pse_high"]], [level, level], color=colour, linewidth=1.4)
    axes.plot(fit["pse"], level, marker=marker, color=colour, markersize=4.5)


def _look(strength: float, strengths: list[float]) -> tuple[str, str]:
    """Return colour and marker by sign and rank among the strengths of that sign."""
    if strength == 0:
        return _COLOURS[2], _MARKERS[2]
    same_sign = sorted((s for s in strengths if s * strength > 0), key=abs, reverse=True)
    is_greatest = same_sign[0] == strength
    place = (0 if is_greatest else 1) if strength < 0 else (4 if is_greatest else 3)
    return _COLOURS[place], _MARKERS[place]


def _handle(strength: float, strengths: list[float]) -> Line2D:
    colour, marker = _look(strength, strengths)
    return Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1.3)
