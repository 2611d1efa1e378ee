"""HallusionBench's own scores: question, figure and pair accuracy, easy and hard, and the leaning towards yes.

Guan et al. 2024, section 4. Answers are read by a parser here, not by people; who wants a judgement of the explanations
needs a judge. One row per model, prompt and metric: ``k`` of ``n``, percent with bounds, how many of the answers behind
it could not be read, and how many ``sets`` of pictures are behind it.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.bounds import share_bounds
from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.values import Group, Percent, Worked, outcomes
from afterimage.suites.hallusionbench.metrics import scores

_WORDS = {
    "question": "All questions",
    "figure": "Figures, all questions right",
    "pair": "Pairs, all figures right",
    "easy": "Easy pairs (original or no image)",
    "hard": "Hard pairs (edited image)",
    "yes_share": "Answered yes",
    "gold_yes_share": "Yes is right",
    "fp_ratio": "Wrong yes among wrong answers",
}


def _metrics(answers: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Count every score of one model and prompt; what is counted are questions, figures or pairs."""
    for score, behind in scores(answers):
        yield (
            {"metric": score.metric, "k": score.correct, "n": score.n, "units": score.units},
            behind,
        )


def _bounds(group: Group) -> tuple[float, float]:
    units = group.row["units"]
    return share_bounds(units, units.index, group.settings)


def _sets(group: Group) -> tuple[int]:
    return (group.row["units"].index.nunique(),)


TABLE = Table(
    "hallusionbench",
    "HallusionBench: language hallucination and visual illusion",
    rows=(By(("prompt", "model")), _metrics),
    csv=(
        *("model", "prompt", "metric", "k", "n"),
        *(Percent("value", "k"), Worked(("low", "high"), _bounds)),
        *outcomes(),
        Worked(("sets",), _sets, "whole"),
    ),
    columns=(
        Text("Model", "model"),
        Text("Prompt", "prompt"),
        Text("Score", "metric", words=_WORDS),
        Share("Percent", "k", low="low", high="high", decimals=2),
        *UNPARSED,
    ),
    notes=(
        "A figure counts when all its questions are answered right, a pair when one question is about all its figures. "
        "Figures that are asked about without their image are left out of the figures.",
        "Without an image, an answer that leaves the question open is right, as the authors count it. Any other answer "
        "that says neither yes nor no is unparsed and wrong.",
        "Read by a parser, not judged by people: docs/free_text.md.",
        interval_note("sets, a picture with its edited ones"),
    ),
)
