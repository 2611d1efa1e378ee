"""Printed numbers that have none of the study beside them, and why."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

_NO_RUN = "not run"


def not_run(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return why printed numbers have none of this study beside them, with how many they are, and whose where told."""
    reasons = Counter(
        (row.get("suite", ""), row["reason"]) for row in rows if row["status"] == _NO_RUN
    )
    return [
        {
            "what": f"{suite}: {_printed_numbers(count)}" if suite else _printed_numbers(count),
            "why": reason,
        }
        for (suite, reason), count in reasons.most_common()
    ]


def not_run_here(
    numbers: Iterable[Mapping[str, str]], papers: Mapping[str, str], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the same of the papers that the study's suites measure; others are none of its business."""
    own = [row for row in numbers if row["paper"] in papers]
    return not_run(
        {
            "status": row["status"].replace("_", " "),
            "reason": row["reason"],
            "suite": titles[papers[row["paper"]]],
        }
        for row in own
    )


def _printed_numbers(count: int) -> str:
    return f"{count:,} printed number{'s' if count > 1 else ''}"
