"""The knowledge index: is "the same" answered because the inducer is there, whatever the pixels show?

K(s) = P(neutral | actual question, strengths s and -s, |d| = D) - P(neutral | actual question, s = 0, |d| = D):
0 for a reader of the image, 1 for somebody who calls targets the same wherever an inducer
is. D is the fake's difference.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from afterimage.showing.bounds import difference_bounds
from afterimage.suites.illusion_strength.answers import cell_kind

#: Which cells with an inducer are compared with those without.
KINDS = ("both", "congruent", "conflict")
_COUNTED = ("congruent", "conflict", "control")
#: Names of the counts behind K.
NEUTRAL_COUNTS = tuple(f"neutral_{kind}_{end}" for kind in _COUNTED for end in ("k", "n"))

_FULL_DIFFERENCE = 1.0


def neutral_counts(answers: pd.DataFrame, strength: float) -> dict[str, int]:
    """Count neutral answers at the full difference.

    Args:
        answers: From ``answers.given_answers``, of one model, prompt, question and illusion.
        strength: Greater than 0; the opposite strength is counted with it.

    Returns:
        ``neutral_<kind>_k`` and ``neutral_<kind>_n`` for congruent, conflict and control. All answers are in n,
        unparsed ones among them; without a neutral option all are 0.
    """
    asked = answers[~answers["forced"] & (answers["difference"].abs() == _FULL_DIFFERENCE)]
    asked = asked[asked["strength"].abs().isin([0.0, strength])]
    kind = np.array(
        [cell_kind(s, d) for s, d in zip(asked["strength"], asked["difference"], strict=True)]
    )
    neutral = (asked["given"] == "neutral").to_numpy()
    counts = {}
    for name in _COUNTED:
        chosen = kind == name
        counts[f"neutral_{name}_k"] = int((neutral & chosen).sum())
        counts[f"neutral_{name}_n"] = int(chosen.sum())
    return counts


def knowledge_index(counts: Mapping, settings: Mapping) -> dict[str, float]:
    """Return K of one illusion with Newcombe's interval for the difference of two independent shares (1998).

    Args:
        counts: From :func:`neutral_counts`.
        settings: "confidence".

    Returns:
        ``knowledge_<kind>``, ``_low`` and ``_high`` for each of KINDS, -1 to 1; NaN where a denominator is 0.
    """
    row = {}
    for kind in KINDS:
        k, n, control_k, control_n = _pair(counts, kind)
        value = low = high = float("nan")
        if n and control_n:
            value = k / n - control_k / control_n
            # Every answer is about an image of its own.
            shares = (_single(k, n), _single(control_k, control_n))
            low, high = difference_bounds(*shares, settings)
        row |= _named(kind, value, low, high)
    return row


def pooled_knowledge(counts: Sequence[Mapping], settings: Mapping) -> dict[str, float]:
    """Return K over illusions, each share over all their answers, with intervals whose clusters are illusions.

    Args:
        counts: From :func:`neutral_counts`, one per illusion.
        settings: "confidence".

    Returns:
        As :func:`knowledge_index`, and the summed counts.
    """
    row: dict[str, float] = {name: sum(each[name] for each in counts) for name in NEUTRAL_COUNTS}
    for kind in KINDS:
        units = np.array([_pair(each, kind) for each in counts])
        k, n, control_k, control_n = units.sum(axis=0).tolist()
        value = k / n - control_k / control_n if n and control_n else float("nan")
        shares = units[:, :2].T, units[:, 2:].T
        low, high = difference_bounds(*map(tuple, shares), settings, shared=True)
        row |= _named(kind, value, low, high)
    return row


def _single(k: int, n: int) -> tuple[list[int], list[int]]:
    """Return k successes out of n clusters of one answer each."""
    return [1] * k + [0] * (n - k), [1] * n


def _pair(counts: Mapping, kind: str) -> tuple[int, int, int, int]:
    kinds = ("congruent", "conflict") if kind == "both" else (kind,)
    k, n = (sum(counts[f"neutral_{name}_{end}"] for name in kinds) for end in "kn")
    return k, n, counts["neutral_control_k"], counts["neutral_control_n"]


def _named(kind: str, value: float, low: float, high: float) -> dict[str, float]:
    name = f"knowledge_{kind}"
    return {name: value, f"{name}_low": float(low), f"{name}_high": float(high)}
