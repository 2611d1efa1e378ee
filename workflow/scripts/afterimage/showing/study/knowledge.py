"""How many answers a model gets right without the image, in each suite that asks."""

from functools import partial

import pandas as pd

from afterimage.showing.accuracy import unparsed_share
from afterimage.showing.baselines import (
    BASELINE_NOTE,
    BASELINES,
    CONSTANT,
    POSITION,
    answerer,
    measured,
    right_or_expected,
)
from afterimage.showing.bounds import interval_note
from afterimage.showing.columns import Share
from afterimage.showing.declaration import By, Table
from afterimage.showing.values import Bounds, Value, answers, outcomes, right, within

#: What was shown: the image itself, and the two probes.
SHOWN = ("image", "text_only", "blank")
_HEADERS = {"image": "Image", "text_only": "Text only", "blank": "Blank image"}


def _is_shown(shown: str, answers: pd.DataFrame) -> pd.Series:
    return answers["shown"] == shown


#: One row per suite and model, and those of who does not look; of each kind of image answers, right ones, unread ones,
#: and accuracy in percent with bounds.
_CSV: tuple[str | Value, ...] = (
    *("kind", "suite", "model"),
    *(
        value
        for shown in SHOWN
        for value in within(
            f"{shown}_",
            partial(_is_shown, shown),
            (
                answers(),
                *measured(right("k"), also=(CONSTANT, POSITION)),
                *measured(*outcomes()),
                right_or_expected("k"),
                *measured(Bounds("accuracy_low", "accuracy_high")),
            ),
        )
    ),
    "answer",
)


TABLE = Table(
    "knowledge_all",
    "Right answers with the image, without it, and with a blank one",
    rows=(By("suite"), By("model", references=BASELINES)),
    csv=_CSV,
    columns=(
        answerer(),
        *(
            column
            for shown in SHOWN
            for column in (
                Share(
                    _HEADERS[shown],
                    f"{shown}_k",
                    f"{shown}_n",
                    f"{shown}_accuracy_low",
                    f"{shown}_accuracy_high",
                    value=f"{shown}_accuracy",
                ),
                *unparsed_share(f"{shown}_"),
            )
        ),
    ),
    group_by="suite",
    notes=(
        interval_note("images", "Cells: percent (k/n), and below"),
        "Each answer is scored against the key of the item whose image is left out.",
        "Unparsed: of the answers in the column to its left.",
        BASELINE_NOTE,
        "Only items that were asked both ways and whose answers a parser reads as right or wrong. Unparsed answers "
        "count as wrong: a model that says that it sees no image is among them.",
    ),
)
