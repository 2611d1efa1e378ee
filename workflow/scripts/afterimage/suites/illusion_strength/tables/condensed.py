"""What readers see of the long table: each model and illusion at the greatest strength, both questions in a row."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.columns import NOT_AVAILABLE, TOO_FEW_TO_SAY, rounded
from afterimage.showing.values import OUTCOMES
from afterimage.suites.illusion_strength.perceiving import NEUTRAL_COUNTS

_ROW = ["model", "prompt", "illusion"]


def condensed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row per model, prompt and illusion of the whole table.

    Magnitudes are printed with their interval, or say why there is none; counts are those at the greatest strength;
    ``n`` and what could not be read are of both questions and all strengths.
    """
    greatest = frame["strength"].max()
    rows = []
    for names, own in frame.groupby(_ROW, sort=False):
        row: dict = dict(zip(_ROW, names, strict=True))
        row |= {name: int(own[name].sum()) for name in ("n", *OUTCOMES)}
        for question in ("actual", "apparent"):
            asked = own[own["question"] == question]
            row[f"magnitude_{question}"] = _magnitude(asked, greatest)
        row |= _knowledge(own[(own["question"] == "actual") & (own["strength"] == greatest)])
        rows.append(row)
    return pd.DataFrame(rows)


def estimate(value: float, low: float, high: float) -> str:
    """Print a number and, below, its interval."""
    if pd.isna(value):
        return NOT_AVAILABLE
    bounds = ", ".join(rounded(bound, 2) for bound in (low, high))
    return f"{rounded(value, 2)}\n[{TOO_FEW_TO_SAY if pd.isna(low) else bounds}]"


def _magnitude(asked: pd.DataFrame, greatest: float) -> str:
    full = asked[asked["strength"] == greatest]
    if full.empty:
        return NOT_AVAILABLE
    row = full.iloc[0]
    printed = estimate(row["magnitude"], row["magnitude_low"], row["magnitude_high"])
    if pd.notna(row["illusions"]):
        return f"{printed}\n{row['illusions_with_magnitude']}/{row['illusions']}"
    if pd.notna(row["magnitude"]):
        return printed
    return f"no PSE:\n{_reason(asked, row)}"


def _reason(asked: pd.DataFrame, row: Mapping) -> str:
    """Return why a magnitude is missing: the curve with the inducer, else the one without."""
    if _text(row["no_pse"]):
        return _text(row["no_pse"])
    without = asked[asked["strength"] == 0]
    if without.empty:
        return "strength 0 not asked"
    return f"{_text(without.iloc[0]['no_pse'])} without inducer"


def _text(value: object) -> str:
    return "" if pd.isna(value) else str(value)


def _knowledge(full: pd.DataFrame) -> dict:
    if full.empty or pd.isna(full.iloc[0]["neutral_control_n"]):
        return {**dict.fromkeys(NEUTRAL_COUNTS, 0), "knowledge": NOT_AVAILABLE}
    row = full.iloc[0]
    bounds = (row[f"knowledge_both{end}"] for end in ("", "_low", "_high"))
    return {**{name: int(row[name]) for name in NEUTRAL_COUNTS}, "knowledge": estimate(*bounds)}
