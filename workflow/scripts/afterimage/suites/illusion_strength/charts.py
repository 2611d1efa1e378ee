"""Charts of the grid: the answers about each illusion, all illusions at the greatest strength, and yes or no."""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import say_empty
from afterimage.showing.charts.figure_style import ModelStyle, legend_below, model_styles
from afterimage.suites.illusion_strength.perceiving import UNSEEING
from afterimage.suites.illusion_strength.psychometrics import ALL, spelled
from afterimage.suites.illusion_strength.questions import FORWARD, GUIDE
from afterimage.suites.illusion_strength.tables import MAGNITUDE, SOUGHT
from afterimage.suites.thresholds.charts import (
    PEOPLE,
    draw_read_and_graded,
    people_label,
    people_of,
)

QUESTIONS = {"actual": "What it is (actual)", "apparent": "What it looks like (apparent)"}
# Blue to red through grey: distinct to the colour-blind, and by their markers in grey.
_COLOURS = ("#2166ac", "#4aa3d4", "#4d4d4d", "#f08a5d", "#b2182b")
_MARKERS = ("v", "<", "o", ">", "^")
_CURVES_INCHES = (3.7, 2.5)
# Below the curves, a strip with the interval of each strength's point of equality.
_STRIP_TOP, _STRIP_STEP = -0.11, 0.085
_FINE = 201


def draw_illusion(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw P(first) + P(neutral)/2 against the true difference, and where it crosses one half.

    The points of equality of the table ``illusion_strength_people`` are a band: people say how it looks.
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
    width, height = _CURVES_INCHES
    figure = Figure(
        figsize=(width * len(QUESTIONS), 0.8 + height * max(len(rows), 1)), layout="constrained"
    )
    panels = figure.subplots(
        max(len(rows), 1), len(QUESTIONS), sharex=True, sharey=True, squeeze=False
    )
    for index, (model, prompt) in enumerate(rows):
        for axes, question in zip(panels[index], QUESTIONS, strict=True):
            of_cells, of_fits = (
                frame[
                    (frame["model"] == model)
                    & (frame["prompt"] == prompt)
                    & (frame["question"] == question)
                ]
                for frame in (cells, fits)
            )
            _draw_curves(axes, of_cells, of_fits, strengths)
            if question == "apparent":
                _draw_band(axes, people, strengths)
            title = f"{model} ({prompt})" if prompts > 1 else str(model)
            axes.set_title(title if question == "actual" else "", parse_math=False)
        panels[index][0].set_ylabel("P(first) + P(neutral)/2")
    for axes, title in zip(panels[0], QUESTIONS.values(), strict=True):
        axes.annotate(
            title, (0.5, 1.16), xycoords="axes fraction", ha="center", va="bottom", weight="bold"
        )
    for axes in panels[-1]:
        axes.set_xlabel("true difference d (1 = that of the fake)")
    figure.suptitle(spelled(illusion), x=0.01, ha="left", weight="bold")
    entries: list[tuple[Artist, str]] = [
        (_handle(strength, strengths), f"s = {strength:+g}" if strength else "no inducer")
        for strength in strengths
    ]
    if len(people):
        entries.append((Patch(color=PEOPLE, alpha=0.25), people_label(people)))
    legend_below(figure, entries, columns=len(entries))
    return figure


def _draw_curves(
    axes: Axes, cells: pd.DataFrame, fits: pd.DataFrame, strengths: list[float]
) -> None:
    axes.axhline(0.5, color="#888888", linewidth=0.6, zorder=1)
    axes.axhline(_STRIP_TOP + 0.05, color="#cccccc", linewidth=0.6, zorder=1)
    limit = max(1.0, float(cells["realised"].abs().max()) if len(cells) else 1.0)
    fine = np.linspace(-limit, limit, _FINE)
    for index, strength in enumerate(strengths):
        colour, marker = _look(strength, strengths)
        # Wider below, narrower above: curves that coincide show as bands.
        later = len(strengths) - 1 - index
        of_strength = cells[cells["strength"] == strength]
        read = of_strength["n"] - of_strength["unparsed"]
        share = (
            (of_strength["first"] + of_strength["neutral"] / 2) / read.where(read > 0)
        ).to_numpy(float)
        axes.plot(
            of_strength["realised"],
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
        level = _STRIP_TOP - _STRIP_STEP * index
        for _, fit in fits[fits["strength"] == strength].iterrows():
            if fit["no_pse"] != "no answers":
                width = 1.1 + 0.6 * later
                axes.plot(fine, _curve(fit, fine), color=colour, linewidth=width, zorder=2)
            _mark_equality(axes, fit, level, colour, marker, limit)
    axes.set_xlim(-1.06 * limit, 1.06 * limit)
    axes.set_ylim(_STRIP_TOP - _STRIP_STEP * len(strengths), 1.05)
    axes.set_yticks([0, 0.5, 1])
    axes.tick_params(labelsize="small")


def _draw_band(axes: Axes, people: pd.DataFrame, strengths: list[float]) -> None:
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
    curve: np.ndarray = 0.5 + (1 - fit["lapse"]) * (first - second) / 2
    return curve


def _mark_equality(
    axes: Axes, fit: pd.Series, level: float, colour: str, marker: str, limit: float
) -> None:
    """Draw the point of equality with its interval, or say in words why there is none."""
    if pd.isna(fit["pse"]):
        axes.text(
            0.99 * limit,
            level,
            Note("no PSE: {reason}", reason=fit["no_pse"]),
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
    index = (0 if is_greatest else 1) if strength < 0 else (4 if is_greatest else 3)
    return _COLOURS[index], _MARKERS[index]


def _handle(strength: float, strengths: list[float]) -> Line2D:
    colour, marker = _look(strength, strengths)
    return Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1.3)


class _Panel(NamedTuple):
    title: str
    label: str
    question: str
    column: str
    limits: tuple[float, float]


_PANELS = (
    _Panel("Magnitude, actual", "B (1 = the fake's difference)", "actual", "magnitude", (-1, 1)),
    _Panel(
        "Magnitude, apparent", "B (1 = the fake's difference)", "apparent", "magnitude", (-1, 1)
    ),
    _Panel("Knowledge index", "K", "actual", "knowledge_both", (-1, 1)),
)
_ROW_INCHES, _MODEL_INCHES = 0.12, 0.09
# Width of the strip at the left for models without a value, as a share of the limits.
_STRIP = 0.24


def draw_summary(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw three panels per prompt: magnitudes for both questions, and K, with their intervals."""
    figure_style.apply()
    people = people_of(tables.get("illusion_strength_people"), SOUGHT.bounded)
    people = people[people["track"] == MAGNITUDE]
    frame = tables["illusion_strength"]
    frame = frame[frame["strength"] == frame["strength"].max()]
    illusions = [name for name in dict.fromkeys(frame["illusion"]) if name != ALL] + [ALL]
    models, prompts = (list(dict.fromkeys(frame[name])) for name in ("model", "prompt"))
    styles = model_styles(models)
    height = 1.4 + len(illusions) * (_ROW_INCHES + _MODEL_INCHES * len(models))
    figure = Figure(figsize=(9.6, height * len(prompts)), layout="constrained")
    panels = figure.subplots(len(prompts), len(_PANELS), sharey=True, squeeze=False)
    for row, prompt in zip(panels, prompts, strict=True):
        of_prompt = frame[frame["prompt"] == prompt]
        for axes, panel in zip(row, _PANELS, strict=True):
            _draw_panel(
                axes, of_prompt[of_prompt["question"] == panel.question], panel, illusions, styles
            )
            title = panel.title
            if len(prompts) > 1:
                title = Note("{title} ({prompt})", title=title, prompt=prompt)
            axes.set_title(title, parse_math=False)
            if panel.column == "magnitude" and panel.question == "apparent":
                _draw_people(axes, people, illusions, panel.limits)
    entries: list[tuple[Artist, str]] = [
        (
            Line2D([], [], color=style.colour, marker=style.marker, markersize=5, linewidth=1.2),
            model,
        )
        for model, style in styles.items()
    ]
    if len(people):
        entries.append((Patch(color=PEOPLE, alpha=0.25), people_label(people)))
    legend_below(figure, entries, columns=4)
    return figure


def _draw_panel(
    axes: Axes,
    frame: pd.DataFrame,
    panel: _Panel,
    illusions: list[str],
    styles: Mapping[str, ModelStyle],
) -> None:
    low, high = panel.limits
    left = low - _STRIP * (high - low)
    axes.axvspan(left, low, color="#f2f2f2", linewidth=0, zorder=0)
    axes.axvline(0, color="#888888", linewidth=0.7, zorder=1)
    step = 0.8 / max(len(styles), 1)
    for number, (model, style) in enumerate(styles.items()):
        rows = frame[frame["model"] == model].set_index("illusion").reindex(illusions)
        levels = np.arange(len(illusions)) + (number - (len(styles) - 1) / 2) * step
        value = rows[panel.column].to_numpy(float)
        bounds = [rows[f"{panel.column}_{end}"].to_numpy(float) for end in ("low", "high")]
        axes.hlines(
            levels, *(np.clip(bound, low, high) for bound in bounds), color=style.colour, lw=1.1
        )
        known = np.isfinite(value)
        look: dict[str, Any] = {"linestyle": "none", "marker": style.marker, "color": style.colour}
        axes.plot(np.clip(value, low, high), levels, markersize=4, clip_on=False, **look)
        axes.plot(
            np.full((~known).sum(), left + (low - left) * (number + 1) / (len(styles) + 1)),
            levels[~known],
            markersize=3.2,
            fillstyle="none",
            markeredgewidth=0.7,
            **look,
        )
    axes.axhline(len(illusions) - 1.5, color="#888888", linewidth=0.7)
    axes.set_yticks(range(len(illusions)), [spelled(name) for name in illusions])
    axes.set_ylim(len(illusions) - 0.45, -0.55)
    axes.set_xlim(left, high * 1.04)
    nothing = "no PSE" if panel.column == "magnitude" else "none"
    axes.set_xticks([(left + low) / 2, -0.5, 0, 0.5, 1], [nothing, "−0.5", "0", "0.5", "1"])
    axes.set_xlabel(panel.label)
    axes.grid(axis="y", visible=False)
    axes.tick_params(labelsize="small")


def _draw_people(
    axes: Axes, people: pd.DataFrame, illusions: list[str], limits: tuple[float, float]
) -> None:
    """Draw the band between people's quartiles and their median in the rows of their illusions."""
    for _, row in people[people["condition"].isin(illusions)].iterrows():
        at = illusions.index(row["condition"])
        value, low, high = np.clip([row[name] for name in SOUGHT.bounded], *limits)
        look: dict[str, Any] = {"color": PEOPLE, "linewidth": 0, "alpha": 0.25, "zorder": 1}
        axes.fill_betweenx([at - 0.45, at + 0.45], low, high, **look)
        axes.vlines(value, at - 0.45, at + 0.45, color=PEOPLE, linewidth=1.2, zorder=1)


def draw_graded(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the points of the question what is, or of the only one that was asked."""
    frame = tables["illusion_strength_graded"]
    frame = frame[frame["strength"] == frame["strength"].max()]
    if len(frame):
        frame = frame[frame["question"] == min(frame["question"])]
    label = "PSE (1 = the fake's difference)"
    return draw_read_and_graded(frame, ("illusion",), "pse", label, "no_pse")


_LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "control": ("no inducer", {"color": "#333333", "linestyle": "-", "marker": "o"}),
    "congruent": (
        "difference as the inducer",
        {"color": "#0173b2", "linestyle": "--", "marker": "^"},
    ),
    "conflict": ("difference against it", {"color": "#de8f05", "linestyle": "-.", "marker": "v"}),
}
_SHARES = {
    "pfa": ("consistent, right", "#029e73"),
    "cbw": ("consistent, wrong", "#de8f05"),
    "tfi": ("same word to both", "#cc78bc"),
    "unread_pair": ("unread", "#bbbbbb"),
}
_IN_A_ROW = 4
_PANEL_INCHES, _BAR_INCHES = 1.75, 0.24


def draw_perceive_recall(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the curves of the first forward prompt over all illusions, and the shares of pairs with the inducer.

    Images with an aid are left to the tables.
    """
    figure_style.apply()
    dose, shares = (
        frame[frame[GUIDE] == "no"]
        for frame in (tables["perceive_recall_dose"], tables["perceive_recall"])
    )
    prompts = [name for name in dict.fromkeys(dose["prompt"]) if name in FORWARD]
    prompt = (prompts or [*dict.fromkeys(dose["prompt"]), ""])[0]
    dose = dose[(dose["prompt"] == prompt) & (dose["illusion"] == ALL)]
    models = [name for name in dict.fromkeys(dose["model"]) if name not in UNSEEING]
    rows = max(1, math.ceil(len(models) / _IN_A_ROW))
    bars = 0.9 + _BAR_INCHES * max(1, len(models))
    figure = Figure(figsize=(7.2, 0.9 + rows * _PANEL_INCHES + bars), layout="constrained")
    above, below = figure.subfigures(
        2, 1, squeeze=False, height_ratios=[rows * _PANEL_INCHES + 0.3, bars]
    ).flat
    if not models:
        say_empty(above.subplots())
        return figure
    panels = above.subplots(rows, min(_IN_A_ROW, len(models)), sharey=True, squeeze=False).flat
    for axes, model in zip(panels, models, strict=False):
        _draw_dose(axes, dose[dose["model"] == model], model)
    for axes in [*panels][len(models) :]:
        axes.set_visible(False)
    above.supylabel("right, %", fontsize="small")
    above.supxlabel("true difference (1 = the fake's)", fontsize="small")
    of_prompt = shares[(shares["prompt"] == prompt) & (shares["illusion"] == ALL)]
    _draw_shares(
        below.subplots(), of_prompt[of_prompt["inducer"] == "both"].set_index("model"), models
    )
    legend_below(figure, _entries(), columns=4)
    return figure


def _draw_dose(axes: Axes, dose: pd.DataFrame, model: str) -> None:
    equal = dose[dose["kind"] == "equal"]
    for kind, (_, look) in _LINES.items():
        of_kind = dose[dose["kind"] == kind]
        if kind != "control":
            of_kind = pd.concat([equal, of_kind])
        counts = of_kind.groupby("difference")[["right_k", "n"]].sum()
        axes.plot(
            counts.index, 100 * counts["right_k"] / counts["n"], markersize=3.5, lw=1.2, **look
        )
    axes.set_title(model, fontsize="small", parse_math=False)
    axes.set_xlim(-0.05, 1.05)
    axes.set_ylim(-4, 104)
    axes.set_yticks([0, 50, 100])
    axes.tick_params(labelsize="small")


def _draw_shares(axes: Axes, shares: pd.DataFrame, models: Sequence[str]) -> None:
    left = pd.Series(0.0, index=models)
    for name, (_, colour) in _SHARES.items():
        widths = shares[name].reindex(models).astype(float).fillna(0)
        axes.barh(range(len(models)), widths, left=left, color=colour, height=0.7)
        left += widths
    axes.set_yticks(range(len(models)), models, fontsize="small")
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    axes.set_ylim(len(models) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(
        "both ways of asking about an image with the inducer, % of pairs", fontsize="small"
    )
    axes.grid(axis="y", visible=False)


def _entries() -> list[tuple[Artist, str]]:
    lines = [
        (Line2D([], [], markersize=4, lw=1.2, **look), label) for label, look in _LINES.values()
    ]
    return [*lines, *((Patch(color=colour), label) for label, colour in _SHARES.values())]
