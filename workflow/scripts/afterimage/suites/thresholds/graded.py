"""Tables of thresholds on probabilities, beside those on what was read of the same answers."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd

from afterimage.showing.columns import Number, Text, whole
from afterimage.showing.declaration import Note, Settings, Table
from afterimage.showing.study.graded import COVERED, MEANING
from afterimage.showing.weighted import SHOWN_WORDS, by_probability, counts_of_graded, of_scored
from afterimage.suites.thresholds.columns import BOUNDED, UNKNOWN, Curve, told_threshold
from afterimage.suites.thresholds.steps import Steps

#: What names the columns on readings and those on probabilities.
READ, GRADED = "read", "graded"
COUNTS = ("n", "no_scores_k", "no_mass_k", "graded_n")
#: Notes of every table that has numbers on readings beside those on probabilities.
NOTES: tuple[Note, ...] = (
    MEANING,
    "Read: from what was read of the replies. On probabilities: each answer counts for each option with its "
    "probability, one answer for as much as many drawn ones.",
    COVERED,
    "A white image, no image: the same questions with nothing to see, where the study asks them (probes).",
)
#: The column that tells what was shown, where a study shows more than images.
SHOWN_COLUMN = Text("Shown", "shown", SHOWN_WORDS, if_several=True)

_GROUP = ("prompt", "model", "shown")

Curves = Callable[[pd.DataFrame, Mapping], dict[str, Curve]]


def graded_thresholds(
    name: str,
    title: str,
    condition: tuple[str, str],
    fitted: Curves,
    steps: Steps,
    asked: Callable[[pd.DataFrame], pd.DataFrame] = lambda answers: answers,
) -> Table:
    """Declare the table of a suite's thresholds on probabilities.

    Args:
        name: Of its files.
        title: What it shows.
        condition: Header and column of what has a curve of its own.
        fitted: Returns the curves of answers of one model and prompt, condition to curve.
        steps: What levels stand for.
        asked: Chooses the answers to which curves are fitted.
    """
    header, column = condition
    numbers = [
        (
            Number(f"{words},\n{steps.unit}", *_named(way)),
            Text("No threshold", f"no_threshold_{way}"),
        )
        for way, words in ((READ, "Threshold, read"), (GRADED, "Threshold, on probabilities"))
    ]
    return Table(
        name,
        title,
        rows=partial(_rows, column, fitted, steps, asked),
        csv=_columns(column),
        columns=(
            *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
            *(Text(header, column), SHOWN_COLUMN),
            *(one for pair in numbers for one in pair),
            *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
            whole("n", "n"),
        ),
        notes=(
            *NOTES,
            "Threshold: difference at which three of four sides are named rightly, lapses apart, with its {coverage} "
            "interval (jackknife over replicates).",
        ),
        empty=("no answer about sides has probabilities",),
    )


def _named(way: str) -> tuple[str, ...]:
    return tuple(f"{end}_{way}" for end in BOUNDED)


def _columns(column: str) -> tuple[str, ...]:
    ways = (name for way in (READ, GRADED) for name in (*_named(way), f"no_threshold_{way}"))
    return ("prompt", "model", column, "shown", *COUNTS, *ways)


def _rows(
    column: str,
    fitted: Curves,
    steps: Steps,
    asked: Callable[[pd.DataFrame], pd.DataFrame],
    grades: pd.DataFrame,
    settings: Settings,
) -> pd.DataFrame:
    rows = []
    own = asked(of_scored(grades))
    for names, answers in own.groupby(list(_GROUP), sort=False):
        found = {
            READ: fitted(answers, settings),
            GRADED: fitted(by_probability(answers), settings),
        }
        for name in found[READ] | found[GRADED]:
            row = dict(zip(_GROUP, names, strict=True)) | {column: name}
            row |= counts_of_graded(answers)
            for way, curves in found.items():
                reason, *bounded = told_threshold(curves.get(name, UNKNOWN), steps)
                row |= {
                    f"no_threshold_{way}": reason,
                    **dict(zip(_named(way), bounded, strict=True)),
                }
            rows.append(row)
    return pd.DataFrame(rows, columns=list(_columns(column)))


def of_names(names: Sequence[str], answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers to some questions."""
    return answers[answers["question"].isin(names)]
