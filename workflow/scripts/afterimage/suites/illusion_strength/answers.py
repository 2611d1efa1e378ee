"""Graded answers as what was said about the two targets: the first, neither, the second, or nothing readable."""

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.values import OUTCOMES, with_outcomes
from afterimage.suites.illusion_strength.names import YES_NO

#: What an answer can say, in the order of the tables' columns.
GIVEN = ("first", "neutral", "second", "unparsed")
READ = GIVEN[:3]
#: Why nothing was readable, as far as tables count it.
INSTEAD = OUTCOMES[1:]

#: A model's answers to one question about one illusion are analysed together.
GROUP = ["model", "prompt", "question", "illusion"]

_FACTORS = ("strength", "difference", "realised", "replicate", "first", "second", "neutral")
_NUMBERS = ("strength", "difference", "realised")


def given_answers(grades: pd.DataFrame) -> pd.DataFrame:
    """Return what each answer says about the targets.

    Args:
        grades: Graded answers of all models, factors as columns; those to yes-or-no questions are left out.

    Returns:
        One row per answer: GROUP; ``strength`` and ``difference`` (nominal), ``realised`` (the drawn difference as a
        fraction of the fake's); ``replicate``; ``given``, one of GIVEN; ``forced``, whether no neutral option was
        offered; ``cut_off`` and ``refused``, whether an unread answer is.

    Raises:
        AfterimageError: A factor is missing or not a number, or an answer is none of the item's options.
    """
    grades = grades[~grades["prompt"].isin(YES_NO)]
    missing = [name for name in _FACTORS if name not in grades]
    if missing:
        raise AfterimageError(
            f"grades of suite 'illusion_strength': no factor '{missing[0]}'; expected the factors "
            f"{', '.join(_FACTORS)}."
        )
    answers = grades.rename(columns={"figure": "illusion"}).reset_index(drop=True)
    for name in _NUMBERS:
        answers[name] = _numbers(answers, name)
    answers = with_outcomes(answers).assign(given=_given(answers))
    answers["forced"] = answers["neutral"] == ""
    return answers[[*GROUP, *_NUMBERS, "replicate", "given", "forced", *INSTEAD]]


def cell_counts(answers: pd.DataFrame) -> pd.DataFrame:
    """Count what was answered per cell.

    Args:
        answers: From :func:`given_answers`.

    Returns:
        One row per GROUP, strength and difference, in the order of first appearance of the groups: ``realised``
        (mean over the cell), ``kind`` (see :func:`cell_kind`), ``replicates``, one count for each of GIVEN and
        INSTEAD, ``n``.
    """
    cell = [*GROUP, "strength", "difference"]
    said = {name: answers["given"] == name for name in GIVEN}
    rows = (
        answers.assign(**said)
        .groupby(cell, sort=False)
        .agg(
            realised=("realised", "mean"),
            replicates=("replicate", "nunique"),
            **{name: (name, "sum") for name in (*GIVEN, *INSTEAD)},
            n=("given", "size"),
        )
        .reset_index()
    )
    rows.insert(
        len(cell) + 1,
        "kind",
        [cell_kind(s, d) for s, d in zip(rows["strength"], rows["difference"], strict=True)],
    )
    return rows


def cell_kind(strength: float, difference: float) -> str:
    """Return ``control`` (no inducer), ``equal`` (no difference), ``congruent`` or ``conflict``.

    Congruent: the difference has the direction in which the inducer makes it appear, as in a fake illusion.
    """
    if strength == 0:
        return "control"
    if difference == 0:
        return "equal"
    return "congruent" if (strength > 0) == (difference > 0) else "conflict"


def _numbers(answers: pd.DataFrame, name: str) -> pd.Series:
    values = pd.to_numeric(answers[name], errors="coerce")
    wrong = ~np.isfinite(values)
    if wrong.any():
        row = answers[wrong].iloc[0]
        raise AfterimageError(
            f"grade of item {row['item_id']} by model '{row['model']}': factor '{name}' is {row[name]!r}; expected a "
            f"number."
        )
    # Adding nothing turns a minus zero into zero.
    return values + 0.0


def _given(answers: pd.DataFrame) -> np.ndarray:
    unread = answers["answer"].isna()
    said = [(answers["answer"] == answers[name]) & ~unread for name in READ]
    known = np.logical_or.reduce([unread, *said])
    if not known.all():
        row = answers[~known].iloc[0]
        options = ", ".join(f"'{row[name]}'" for name in READ if row[name])
        raise AfterimageError(
            f"grade of item {row['item_id']} by model '{row['model']}': the answer '{row['answer']}' is no option of "
            f"the item; expected one of {options}."
        )
    return np.select([*said, unread], list(GIVEN), default="")
