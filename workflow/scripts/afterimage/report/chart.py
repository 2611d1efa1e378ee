"""The overview's chart: every suite a band, every score a mark with its interval. A template draws it."""

from collections.abc import Mapping, Sequence
from typing import Any

#: Outlines around 0, 0 of marks that can be told apart without colour; as in the study's other charts.
SHAPES = (
    "M-3.4,0a3.4,3.4 0 1,0 6.8,0a3.4,3.4 0 1,0 -6.8,0z",
    "M-3,-3H3V3H-3z",
    "M0,-4L3.8,2.8H-3.8z",
    "M0,-4.2L4.2,0L0,4.2L-4.2,0z",
    "M0,4L3.8,-2.8H-3.8z",
    "M0,-3.8L3.6,-1.2L2.2,3.1H-2.2L-3.6,-1.2z",
    "M-4,0L2.8,3.8V-3.8z",
    "M4,0L-2.8,3.8V-3.8z",
)
#: How many colours the style has for marks.
COLOURS = 7
_LEFT, _RIGHT, _WIDTH = 8, 16, 520
_NAME, _GAP, _FOOT = 18, 10, 26
# A mark has a line of its own; of many, the lines are closer and the marks smaller.
_LINE, _LINES = 9, 72


def look(place: int, kind: str) -> dict[str, Any]:
    """Return how the mark of a row looks: ``shape``, the number of its ``colour``, and whether it is ``hollow``."""
    return {
        "shape": SHAPES[place % len(SHAPES)],
        "colour": place % COLOURS,
        "hollow": kind in ("recorded", "people"),
    }


def strip_chart(
    columns: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return where everything is drawn, in units of the picture.

    Args:
        columns: The suites: ``title`` and ``label``.
        rows: Who is drawn: ``name``, ``look`` and ``cells``, each None or as
            :func:`front.with_marks` returns it.

    Returns:
        ``width``, ``height``, ``ticks`` (``x``, ``text``), ``bands`` (``name``, ``label``, ``top``, ``bottom``,
        ``mark``: the x of the best score without looking, or None) each with ``marks`` (``x``, ``y``, ``low``,
        ``high``, ``look``, ``says``), and ``scale``, the size of the marks.
        Who has no score in a suite takes no room there.
    """
    bands, top = [], 4.0
    most = max(
        (sum(map(bool, cells)) for cells in zip(*(row["cells"] for row in rows), strict=True)),
        default=0,
    )
    line_height = min(_LINE, _LINES / max(1, most))
    for place, column in enumerate(columns):
        drawn = [(row, row["cells"][place]) for row in rows if row["cells"][place]]
        bottom = top + _NAME + line_height * len(drawn) + _GAP / 2
        baselines = [one["mark"] for _, one in drawn if one["mark"] is not None]
        bands.append(
            {
                "name": column["title"],
                "label": column["label"],
                "top": top,
                "bottom": bottom,
                "mark": _x(baselines[0]) if baselines else None,
                "marks": [
                    {
                        "y": top + _NAME + line_height * (line + 0.5),
                        "x": _x(one["value"]),
                        "low": None if one["low"] is None else _x(one["low"]),
                        "high": None if one["high"] is None else _x(one["high"]),
                        "look": row["look"],
                        "says": f"{row['name']}: {one['text']} %",
                    }
                    for line, (row, one) in enumerate(drawn)
                ],
            }
        )
        top = bottom + _GAP / 2
    return {
        "width": _WIDTH,
        "height": top + _FOOT,
        "bottom": top,
        "ticks": [{"x": _x(value), "text": f"{value}"} for value in range(0, 101, 25)],
        "bands": bands,
        "scale": round(max(0.7, line_height / _LINE), 2),
    }


def _x(percent: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * percent / 100, 1)
