"""The overview's chart: every suite a band, every score a mark with its interval. A template draws it."""

from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.showing.looks import MARKERS, looks_of

_LEFT, _RIGHT, _WIDTH = 8, 16, 520
_NAME, _GAP, _FOOT = 18, 10, 26
# A mark has a line of its own; of many, the lines are closer and the marks smaller.
_LINE, _LINES = 9, 72


def signs(kinds: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return how everybody's mark looks: ``shape``, the number of its ``colour``, and whether it is ``hollow``.

    Args:
        kinds: Name to a group of :data:`front.GROUPS`.
    """
    return {
        name: {"shape": MARKERS[look.marker], "colour": look.colour, "hollow": look.hollow}
        for name, look in looks_of(list(kinds), kinds).items()
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
        (
            sum(map(_has_score, cells))
            for cells in zip(*(row["cells"] for row in rows), strict=True)
        ),
        default=0,
    )
    line_height = min(_LINE, _LINES / max(1, most))
    for place, column in enumerate(columns):
        drawn = [(row, row["cells"][place]) for row in rows if _has_score(row["cells"][place])]
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
                        "says": _told(row["name"], one),
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


def _told(name: str, one: Mapping[str, Any]) -> str:
    return f"{name}: {one['text']} %{', ' if one['unread'] else ''}{one['unread']}"


def _has_score(one: Mapping[str, Any] | None) -> bool:
    return bool(one) and one["value"] is not None


def _x(percent: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * percent / 100, 1)
