"""Perceive or recall: yes-or-no answers about the same images, with the inducer and without, asked both ways.

After VI-Probe (arXiv 2601.22150; its formulas were seen in an account of the CVPR version only): an original has equal
targets, a perturbed image truly different ones, and the control of each lacks the inducer.

The knowledge index K asks: is "the same" answered because the inducer is there, whatever the pixels show?

K(s) = P(neutral | actual question, strengths s and -s, |d| = D) - P(neutral | actual question, s = 0, |d| = D):
0 for a reader of the image, 1 for a responder that calls targets the same wherever an inducer is. D is the fake's
difference.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.tables.baselines import ALWAYS, GUESSING
from afterimage.showing.tables.bounds import (
    Interval,
    difference_bounds,
    jackknife_bounds,
    share_bounds,
    with_width,
)
from afterimage.showing.tables.values import OUTCOMES, with_outcomes
from afterimage.suites.illusion_strength.psychometrics import cell_kind
from afterimage.suites.illusion_strength.questions import DIFFERENT, FORWARD, GUIDE, YES, YES_NO

#: Which perturbed images with an inducer are in a row.
INDUCERS = ("both", "congruent", "conflict")
#: The parts of a row: targets equal or different, with inducer or without.
PARTS = ("original", "perturbed", "control_original", "control_perturbed")
#: Outcomes of a pair of answers to same? and different?; "pfc" is the sum of the next two.
SHARES = ("pfc", "pfa", "cbw", "tfi", "unread_pair")
#: The drops, by their names in tables.
DROPS = ("illusion_drop", "control_drop", "excess_drop")
#: Why there is no multiplier.
INCLUDES_0, UNKNOWN = "control drop includes 0", "control drop has no interval"
#: Responders that do not see the image, in the rows below the models'. A guess is yes or no at random, each time anew.
UNSEEING = (GUESSING, *ALWAYS)
#: Expected values of a guess, in percent: of an answer, and of a pair of them as in :data:`SHARES`.
GUESSED = 50.0
_GUESSED_PAIR = dict(zip(SHARES, (50.0, 25.0, 25.0, 50.0, 0.0), strict=True))

#: Part of a stabilised ratio: the paper adds it to the control's drop.
_STABILISER = 0.001
# Points: bounds that are no further apart print as the same number.
_MIN_WIDTH = 0.01
_FACTORS = ("strength", "difference", "replicate")
_COLUMNS = (
    *("model", "prompt", GUIDE, "illusion", "stimulus_id", "repeat", "replicate", "answer", "key"),
)


def yes_no_answers(grades: pd.DataFrame) -> pd.DataFrame:
    """Return the yes-or-no answers of all models.

    Returns:
        One row per answer: ``model``, ``prompt``, ``guide`` ("no" where images have no such factor), ``illusion``,
        ``stimulus_id``, ``repeat``, ``replicate``, ``answer``, ``key``; ``strength`` and ``distance`` (the size of the
        difference), numbers; ``kind`` (:func:`cell_kind`), ``part`` (one of :data:`PARTS`), ``right``, ``read``
        and :data:`OUTCOMES`.

    Raises:
        AfterimageError: A factor is missing.
    """
    answers = grades[grades["prompt"].isin(YES_NO)].rename(columns={"figure": "illusion"})
    missing = [name for name in _FACTORS if name not in answers]
    if missing:
        raise AfterimageError(
            f"grades of suite 'illusion_strength': no factor '{missing[0]}'; expected the factors "
            f"{', '.join(_FACTORS)}."
        )
    guide = answers[GUIDE] if GUIDE in answers else pd.Series("", index=answers.index)
    answers = answers.assign(**{GUIDE: guide.fillna("").replace("", "no")})
    answers = with_outcomes(answers.reset_index(drop=True))
    strength, difference = (answers[name].astype(float) + 0.0 for name in _FACTORS[:2])
    kinds = [cell_kind(s, d) for s, d in zip(strength, difference, strict=True)]
    control = np.where(strength == 0, "control_", "")
    equal = np.where(difference == 0, PARTS[0], PARTS[1])
    return answers[[*_COLUMNS, *OUTCOMES]].assign(
        strength=strength,
        distance=difference.abs(),
        kind=kinds,
        part=[f"{prefix}{condition}" for prefix, condition in zip(control, equal, strict=True)],
        right=answers["correct"].fillna(False).astype(bool),
        read=answers["answer"].notna(),
    )


def unseeing(answers: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the answers of each unseeing responder to all questions of the models, under its name as ``model``.

    A guess has the answers of always yes: their counts are replaced later (:func:`as_guessed`).
    """
    items = answers.drop_duplicates(["prompt", "stimulus_id"]).assign(repeat=0, read=True)
    items = items.assign(**dict.fromkeys(OUTCOMES, False))
    for name in UNSEEING:
        answer = ALWAYS.get(name, YES)
        yield items.assign(model=name, answer=answer, right=items["key"] == answer)


def as_guessed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the expected values of a guess instead of counts; missing values stay missing."""
    expected = dict.fromkeys(PARTS, GUESSED) | dict.fromkeys(DROPS, 0.0) | _GUESSED_PAIR
    expected |= {f"control_{name}": share for name, share in _GUESSED_PAIR.items()}
    known = {name: share for name, share in expected.items() if pd.notna(row.get(name))}
    uncounted = dict.fromkeys((name for name in row if name.endswith("_k")), None)
    return {**row, **known, **uncounted, "multiplier": np.nan, "no_multiplier": INCLUDES_0}


def chosen(answers: pd.DataFrame, inducer: str) -> pd.DataFrame:
    """Return the answers of a row: of perturbed images with an inducer only those of its kind."""
    if inducer == INDUCERS[0]:
        return answers
    return answers[(answers["part"] != "perturbed") | (answers["kind"] == inducer)]


def accuracies(
    answers: pd.DataFrame, clusters: str, settings: Mapping[str, Any]
) -> dict[str, float]:
    """Return, for each of :data:`PARTS`, ``n_<part>``, ``<part>_k``, ``<part>`` in percent, ``_low`` and ``_high``.

    Args:
        answers: To one prompt, from :func:`chosen`; unread answers are wrong.
        clusters: The column of what may be answered alike.
        settings: "confidence".
    """
    row: dict[str, float] = {}
    for part in PARTS:
        of_part = answers[answers["part"] == part]
        low, high = bounds_of(of_part["right"], of_part[clusters], settings)
        row |= {f"n_{part}": len(of_part), f"{part}_k": int(of_part["right"].sum())}
        row |= {part: 100 * of_part["right"].mean() if len(of_part) else np.nan}
        row |= {f"{part}_low": low, f"{part}_high": high}
    return row


def drops(answers: pd.DataFrame, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return how much accuracy falls from original to perturbed images, with inducer, without, and their difference.

    Args:
        answers: To one prompt, from :func:`chosen`.
        settings: "confidence".

    Returns:
        :data:`DROPS` in points with ``_low`` and ``_high`` (jackknife over the replicates; NaN if these agree);
        ``multiplier``, the ratio of the first two as the paper has it, and ``no_multiplier``, why there is none: its
        denominator may be 0.
    """
    replicates, replicate = np.unique(list(answers["replicate"]), return_inverse=True)
    cells = (replicate, np.array([PARTS.index(part) for part in answers["part"]], dtype=np.intp))
    sums = np.zeros((2, len(replicates), len(PARTS)))
    for counts, counted in zip(sums, (answers["right"], 1), strict=True):
        np.add.at(counts, cells, counted)
    whole = _drops(*(counts.sum(axis=0) for counts in sums))
    left_out = [counts.sum(axis=0) - counts for counts in sums]
    without = [_drops(k, n) for k, n in zip(*left_out, strict=True)]
    row: dict[str, Any] = {}
    bounds = {}
    for index, name in enumerate(DROPS):
        replicates_without = np.array([values[index] for values in without])
        bounds[name] = jackknife_bounds(whole[index], replicates_without, settings)
        widened = with_width(*bounds[name], _MIN_WIDTH)
        row |= dict(
            zip((name, f"{name}_low", f"{name}_high"), (whole[index], *widened), strict=True)
        )
    low, high = bounds["control_drop"]
    reason = UNKNOWN if np.isnan(low) else INCLUDES_0 if low <= 0 <= high else ""
    ratio = row["illusion_drop"] / (row["control_drop"] + 100 * _STABILISER)
    return row | {"multiplier": np.nan if reason else ratio, "no_multiplier": reason}


def _drops(right: np.ndarray, n: np.ndarray) -> tuple[float, float, float]:
    """Return the drops in points from counts of each of PARTS; NaN if a part has no answers."""
    shares = np.divide(100 * right, n, out=np.full(len(PARTS), np.nan), where=n > 0)
    original, perturbed, control, control_perturbed = map(float, shares)
    drop, control_drop = original - perturbed, control - control_perturbed
    return drop, control_drop, drop - control_drop


def bounds_of(right: pd.Series, clusters: pd.Series, settings: Mapping[str, Any]) -> Interval:
    """Return the bounds of a share in percent; where every answer is its own cluster, each count is computed once."""
    if clusters.is_unique:
        return _bounds_of_single(int(right.sum()), len(right), settings["confidence"])
    return Interval(*share_bounds(right, clusters, settings))


@cache
def _bounds_of_single(right: int, n: int, confidence: float) -> Interval:
    answers = np.arange(n) < right
    return Interval(*share_bounds(answers, range(n), {"confidence": confidence}))


def paired(answers: pd.DataFrame) -> pd.DataFrame:
    """Return each image's answers to a forward prompt, joined with the same model's to ``different``.

    Returns:
        The rows of forward prompts whose image was asked about both ways, with the truths :data:`SHARES`: ``pfc`` the
        two say the same of the image, ``pfa`` and both are right, ``cbw`` and both are wrong, ``tfi`` the same word to
        both, ``unread_pair`` one of them was not read, so that the pair is none of these.
    """
    image = ["model", "stimulus_id", "repeat"]
    reverse = answers[answers["prompt"] == DIFFERENT][[*image, "answer", "right", "read"]]
    forward = answers[answers["prompt"].isin(FORWARD)]
    both = forward.merge(reverse, on=image, suffixes=("", "_reverse"))
    read = both["read"] & both["read_reverse"]
    flipped = read & (both["answer"] != both["answer_reverse"])
    right = both["right"] & both["right_reverse"]
    return both.assign(
        pfc=flipped,
        pfa=flipped & right,
        cbw=flipped & ~right,
        tfi=read & ~flipped,
        unread_pair=~read,
    )


def pair_shares(
    pairs: pd.DataFrame, clusters: str, settings: Mapping[str, Any], prefix: str = ""
) -> dict[str, float]:
    """Return ``pairs`` and, of each of :data:`SHARES`, ``_k``, percent, ``_low`` and ``_high``.

    Args:
        pairs: From :func:`paired`.
        clusters: The column of what may be answered alike.
        settings: "confidence".
        prefix: Of the names.
    """
    row: dict[str, float] = {f"{prefix}pairs": len(pairs)}
    for name in SHARES:
        low, high = bounds_of(pairs[name], pairs[clusters], settings)
        row[f"{prefix}{name}_k"] = int(pairs[name].sum())
        row[f"{prefix}{name}"] = 100 * pairs[name].mean() if len(pairs) else np.nan
        row |= {f"{prefix}{name}_low": low, f"{prefix}{name}_high": high}
    return row


def unread(answers: pd.DataFrame) -> dict[str, int]:
    """Return the number of unread answers, and of the reasons for these."""
    return {name: int(answers[name].sum()) for name in OUTCOMES}


# ---- The knowledge index ----

#: Which cells with an inducer are compared with those without.
KINDS = ("both", "congruent", "conflict")
_COUNTED = ("congruent", "conflict", "control")
#: Names of the counts behind K.
NEUTRAL_COUNTS = tuple(f"neutral_{kind}_{end}" for kind in _COUNTED for end in ("k", "n"))

_FULL_DIFFERENCE = 1.0


def neutral_counts(answers: pd.DataFrame, strength: float) -> dict[str, int]:
    """Count neutral answers at the full difference.

    Args:
        answers: From ``psychometrics.given_answers``, of one model, prompt, question and illusion.
        strength: Greater than 0; the opposite strength is counted with it.

    Returns:
        ``neutral_<kind>_k`` and ``neutral_<kind>_n`` for congruent, conflict and control. All answers are in n,
        unparsed ones among them; without a neutral option all are 0.
    """
    counted = answers[~answers["forced"] & (answers["difference"].abs() == _FULL_DIFFERENCE)]
    counted = counted[counted["strength"].abs().isin([0.0, strength])]
    kind = np.array(
        [cell_kind(s, d) for s, d in zip(counted["strength"], counted["difference"], strict=True)]
    )
    neutral = (counted["given"] == "neutral").to_numpy()
    counts = {}
    for name in _COUNTED:
        chosen = kind == name
        counts[f"neutral_{name}_k"] = int((neutral & chosen).sum())
        counts[f"neutral_{name}_n"] = int(chosen.sum())
    return counts


def knowledge_index(counts: Mapping[str, int], settings: Mapping[str, Any]) -> dict[str, float]:
    """Return K of one illusion with Newcombe's interval for the difference of two independent shares (1998).

    Args:
        counts: From :func:`neutral_counts`.
        settings: "confidence".

    Returns:
        ``knowledge_<kind>``, ``_low`` and ``_high`` for each of KINDS, -1 to 1; NaN if a denominator is 0.
    """
    row: dict[str, float] = {}
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


def pooled_knowledge(
    counts: Sequence[Mapping[str, int]], settings: Mapping[str, Any]
) -> dict[str, float]:
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
        k_each, n_each, control_k_each, control_n_each = units.T
        shares = (k_each, n_each), (control_k_each, control_n_each)
        low, high = difference_bounds(*shares, settings, shared=True)
        row |= _named(kind, value, low, high)
    return row


def _single(k: int, n: int) -> tuple[list[int], list[int]]:
    """Return k successes out of n clusters of one answer each."""
    return [1] * k + [0] * (n - k), [1] * n


def _pair(counts: Mapping[str, int], kind: str) -> tuple[int, int, int, int]:
    kinds = ("congruent", "conflict") if kind == "both" else (kind,)
    k, n = (sum(counts[f"neutral_{name}_{end}"] for name in kinds) for end in "kn")
    return k, n, counts["neutral_control_k"], counts["neutral_control_n"]


def _named(kind: str, value: float, low: float, high: float) -> dict[str, float]:
    name = f"knowledge_{kind}"
    return {name: value, f"{name}_low": float(low), f"{name}_high": float(high)}
