"""Where the two targets look equal at each strength of the inducer, the illusion's magnitude, and what is known."""

import numpy as np
import pandas as pd

from afterimage.showing.accuracy import unparsed_share
from afterimage.showing.bounds import mean_bounds
from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.pairs import pairs_table
from afterimage.showing.values import OUTCOMES
from afterimage.suites.illusion_strength.perceiving import (
    KINDS,
    NEUTRAL_COUNTS,
    knowledge_index,
    neutral_counts,
    pooled_knowledge,
)
from afterimage.suites.illusion_strength.psychometrics import GROUP, given_answers, strength_rows
from afterimage.suites.illusion_strength.tables.condensed import condensed

#: The rows that pool the illusions.
ALL = "all"

_BOUNDS = ("_low", "_high", "_bootstrap_low", "_bootstrap_high")
_COLUMNS = [
    *GROUP,
    "strength",
    "n",
    *OUTCOMES,
    "no_pse",
    *(f"{name}{end}" for name in ("slope", "pse", "magnitude") for end in ("", *_BOUNDS)),
    "location",
    "criterion",
    "c",
    "lapse",
    "replicates",
    *NEUTRAL_COUNTS,
    *(f"knowledge_{name}{end}" for name in KINDS for end in ("", "_low", "_high")),
    "illusions",
    "illusions_with_magnitude",
]
_WHOLE = [*NEUTRAL_COUNTS, "replicates", "illusions", "illusions_with_magnitude"]


# A function: a curve is fitted to all strengths at once, and rows of all illusions are made of their rows.
def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Fit each model's psychometric curves and count its neutral answers.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed".

    Returns:
        One row per model, prompt, question, illusion and strength, and rows with the illusion "all". ``n`` answers,
        ``unparsed`` of them unread and in no fit, of these ``cut_off`` and ``refused``.
        Differences and magnitudes are in units of the fake's difference.
        ``no_pse`` says why ``pse`` is empty ("no answers", "flat", "inverted", "not crossed"). ``_low`` and ``_high``
        are the jackknife's bounds over replicates, ``_bootstrap_`` those of the counted-out bootstrap; on rows "all",
        of the bootstrap over illusions, ``magnitude`` being the mean over ``illusions_with_magnitude`` of
        ``illusions``. Neutral counts and K, on rows of the actual question with a strength above 0, are over that
        strength and its opposite.

    Raises:
        AfterimageError: As in :func:`answers.given_answers`.
    """
    answers = given_answers(grades)
    rows: list[dict] = []
    asked = GROUP[:-1]
    for names, of_question in answers.groupby(asked, sort=False):
        key = dict(zip(asked, names, strict=True))
        own: list[dict] = []
        for illusion, of_illusion in of_question.groupby("illusion", sort=False):
            for row in strength_rows(of_illusion, settings):
                row |= key | {"illusion": illusion}
                if key["question"] == "actual" and row["strength"] > 0:
                    counts = neutral_counts(of_illusion, row["strength"])
                    row |= counts | knowledge_index(counts, settings)
                own.append(row)
        rows += own
        for strength in sorted({row["strength"] for row in own}):
            of_strength = [row for row in own if row["strength"] == strength]
            rows.append(key | _pooled(of_strength, settings))
    frame = pd.DataFrame(rows, columns=_COLUMNS)
    frame[_WHOLE] = frame[_WHOLE].astype("Int64")
    return frame


def _spelled(name: str) -> str:
    """Return an illusion's name without its underscores."""
    return "all illusions" if name == ALL else name.replace("_", " ")


def _pooled(rows: list[dict], settings: Settings) -> dict:
    having = [row for row in rows if np.isfinite(row["magnitude"])]
    magnitude, low, high = mean_bounds(
        [row["magnitude"] for row in having], [row["illusion"] for row in having], settings
    )
    pooled = {
        "illusion": ALL,
        "strength": rows[0]["strength"],
        "n": sum(row["n"] for row in rows),
        **{name: sum(row[name] for row in rows) for name in OUTCOMES},
        "no_pse": "",
        "magnitude": magnitude,
        "magnitude_low": low,
        "magnitude_high": high,
        "illusions": len(rows),
        "illusions_with_magnitude": len(having),
    }
    if "neutral_control_k" in rows[0]:
        pooled |= pooled_knowledge(rows, settings)
    return pooled


TABLE = Table(
    "illusion_strength",
    "Illusion magnitude and knowledge index, at the full strength of the inducer",
    rows=rows_of,
    csv=tuple(_COLUMNS),
    columns=(
        Text("Illusion", "illusion", _spelled),
        Text("Prompt", "prompt", if_several=True),
        Text("Magnitude,\nactual", "magnitude_actual", numeric=True),
        Text("Magnitude,\napparent", "magnitude_apparent", numeric=True),
        Share("Neutral,\nno inducer", "neutral_control_k", "neutral_control_n"),
        Share("Neutral,\ncongruent", "neutral_congruent_k", "neutral_congruent_n"),
        Share("Neutral,\nconflict", "neutral_conflict_k", "neutral_conflict_n"),
        Text("K", "knowledge", numeric=True),
        *unparsed_share(end=""),
    ),
    notes=(
        "Magnitude B = mu(0) - mu(s) in units of the fake's difference, at the greatest strength s; positive where the "
        "inducer works as on people. {coverage} intervals: jackknife over the replicates of a figure; over all "
        "illusions, bootstrap over those that have a magnitude (how many of how many below; {resamples} resamples, "
        "seed {seed}). Too few to say: fewer than six illusions, or replicates that all agree.",
        "No PSE: the answers do not tell at which difference the targets look equal, with or without the inducer: flat "
        "(the slope does not differ from 0), inverted, not crossed (one half, inside the differences shown), or no "
        "answers.",
        "Neutral: answers to the actual question that the targets are the same, where they differ by the whole "
        "difference of the fake; congruent as in the fake, conflict against the inducer. K: their share with the "
        "inducer less that without, 0 for a reader of the image, 1 for whoever says so wherever an inducer is; "
        "{coverage} intervals from those of both shares, over all illusions with illusions as clusters "
        "(docs/statistics.md).",
        "Unparsed answers are in no curve; they count as not neutral.",
        "Who does not look has no row, since nothing here is right or wrong: whoever guesses or always answers alike "
        "has a flat curve, so no PSE, and is neutral as often with the inducer as without, so that K is 0.",
    ),
    readers=condensed,
    group_by="model",
)

PAIRS = pairs_table(
    "pairs_illusion_strength",
    "Models compared on the same images of the grid",
    by=("question",),
    cluster="figure",
    clusters="illusions",
)
