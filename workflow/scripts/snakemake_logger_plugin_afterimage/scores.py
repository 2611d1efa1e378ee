"""The main score of each model on each suite, out of the tables' CSV files.

How a suite names its scores: ``contract/front.py`` of the package, of which nothing is imported here.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def main_score(results: str, front: Mapping[str, Any], model: str) -> tuple[str, str]:
    """Return a model's main score in percent with its interval, and what is to be said of the answers behind it.

    Args:
        results: The folder of the study's results.
        front: The suite's scores as the study announces them.
        model: The model.

    Returns:
        Both empty if it has none; the first is empty if none of its answers could be read.
    """
    scores = {score["label"]: score for score in front["scores"]}
    found = [_score(results, front, scores[label], model) for label in front["main"]]
    if not all(found):
        return "", ""
    _, text, doubt = min(found, key=lambda candidate: candidate[0])
    companion = scores.get(front["beside"])
    if text and companion and (other := _score(results, front, companion, model)):
        text += f" ({other[0]:.1f})"
    return text, doubt or next((candidate[2] for candidate in found if candidate[2]), "")


def _score(
    results: str, front: Mapping[str, Any], score: Mapping[str, Any], model: str
) -> tuple[float, str, str] | None:
    """Return a score as number, as text, and what is to be said of it; None if there is none."""
    path = Path(results, "tables", f"{score['table']}.csv")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row.get("model") == model]
    except (OSError, ValueError):
        return None
    for row in rows:
        if _fits(row, score["where"]) and row.get(score["value"]):
            value, *ends = (
                _percent(row.get(score[name]), front) for name in ("value", "low", "high")
            )
            doubt, is_nothing = _told(score, row, rows, front)
            if is_nothing:
                return -1, "", doubt
            text = f"{value:.1f}"
            return value, text if None in ends else f"{text} [{ends[0]:.1f}, {ends[1]:.1f}]", doubt
    return None


def _told(
    score: Mapping[str, Any],
    row: Mapping[str, str],
    rows: list[dict[str, str]],
    front: Mapping[str, Any],
) -> tuple[str, bool]:
    """Return which answers could not be read or are missing, in words, and whether none could be read."""
    counted = [row]
    if score["counted_where"] is not None:
        same = {"prompt": row["prompt"]} if "prompt" in row else {}
        counted = [other for other in rows if _fits(other, {**same, **score["counted_where"]})]
    counted = [other for other in counted if other.get(score["n"])]
    n, unread, missing = (
        sum(int(float(other.get(score[name]) or 0)) for other in counted)
        for name in ("n", "unread", "missing")
    )
    doubts = []
    if 100 * unread > front["most_unread"] * n:
        doubts.append(f"{unread:,} of {n:,} unread")
    if 100 * missing > front["most_unread"] * (n + missing):
        doubts.append(f"{missing:,} of {n + missing:,} missing")
    return ", ".join(doubts), 0 < n == unread


def _fits(row: Mapping[str, str], where: Mapping[str, str]) -> bool:
    return all(row.get(name) == wanted for name, wanted in where.items())


def _percent(cell: str | None, front: Mapping[str, Any]) -> float | None:
    return 100 * float(cell) / front["top"] if cell else None
