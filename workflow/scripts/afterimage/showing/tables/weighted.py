"""Answers by their probabilities: each graded answer becomes one row per option, weighted by the option's probability.

Weights are summed instead of answers (:func:`weights_of`), so that one answer says as much as many drawn ones. Curves
on weights are fitted like those on counts (quasi-binomial); their intervals leave out replicates or resample clusters,
and assume nothing about how a single answer varies.
"""

import numpy as np
import pandas as pd

_PROBE, _WEIGHT = "probe", "weight"
#: What was shown, by probe.
IMAGE, BLANK, NOTHING = "image", "blank", "none"
SHOWN = {None: IMAGE, "blank": BLANK, "text_only": NOTHING}
SHOWN_WORDS = {IMAGE: "the image", BLANK: "a white image", NOTHING: "no image"}


def of_scored(grades: pd.DataFrame) -> pd.DataFrame:
    """Return the answers of models that were asked for probabilities.

    Args:
        grades: Graded answers, perhaps with those to probes.

    Returns:
        Those to the suite's own images, to white ones and to none, with ``probe`` (None for the suite's own) and
        ``shown``, one of the values of :data:`SHOWN`; other probes are left out.
    """
    if _PROBE not in grades:
        grades = grades.assign(**{_PROBE: None})
    probes = grades[_PROBE].astype(object).where(grades[_PROBE].notna(), None)
    chosen = grades["scored"].notna() & probes.isin(list(SHOWN))
    shown = [SHOWN[probe] for probe in probes[chosen]]
    return grades[chosen].assign(
        **{_PROBE: probes[chosen], "shown": pd.Series(shown, probes[chosen].index, object)}
    )


def by_probability(answers: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each option of each answer that has probabilities, ``answer`` being the option.

    Args:
        answers: Graded answers, factors as columns.

    Returns:
        The same columns with ``weight``, the option's probability; those of an answer sum to 1. ``outcome`` says that
        each could be read, ``correct`` whether the option is the key.
    """
    known = answers[answers["option_probabilities"].map(_has_some).astype(bool)]
    shares = [dict(each) for each in known["option_probabilities"]]
    names = [name for each in shares for name in each]
    spread = known.loc[known.index.repeat([len(each) for each in shares])].reset_index(drop=True)
    return spread.assign(
        answer=pd.Series(names, dtype=object),
        weight=np.array([share for each in shares for share in each.values()], dtype=float),
        outcome="contained",
        correct=[name == key for name, key in zip(names, spread["key"], strict=True)],
    )


def weights_of(answers: pd.DataFrame) -> np.ndarray:
    """Return the weight of each answer: 1, unless it is one of :func:`by_probability`."""
    if _WEIGHT in answers:
        return np.asarray(answers[_WEIGHT], dtype=float)
    return np.ones(len(answers))


def counts_of_graded(answers: pd.DataFrame) -> dict[str, int]:
    """Return how many answers were asked for probabilities, and how many have none, too little mass, or some."""
    has = answers["option_probabilities"].map(_has_some).astype(bool)
    lacks = answers["mass"].isna()
    return {
        "n": len(answers),
        "no_scores_k": int(lacks.sum()),
        "no_mass_k": int((~lacks & ~has).sum()),
        "graded_n": int(has.sum()),
    }


def _has_some(shares: object) -> bool:
    return isinstance(shares, dict | list) and len(shares) > 0
