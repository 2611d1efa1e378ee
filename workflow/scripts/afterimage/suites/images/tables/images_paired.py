"""Every two models on the same questions: what both, one or neither got right, and whether they differ.

Counts are of items; ``difference`` is that of the accuracies in percentage points, first minus second, with bounds;
``p`` from flipping the signs of ``images`` with all of their questions, ``p_holm`` corrected for all rows.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Difference, PValue, Text, whole
from afterimage.showing.comparing import Corrected, Differing, Matched
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import test_note
from afterimage.showing.model_pairs import fewer_than_two, pairs_table
from afterimage.showing.pairs import PAIR_COUNTS, Pairs
from afterimage.showing.values import Distinct, answers
from afterimage.suites.images.names import SET


def _first_answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades[grades["repeat"] == 0]


def _alone(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if grades["model"].nunique() < 2:
        yield "The study has one model; nothing to compare it with."


TABLE = Table(
    "images_paired",
    "Own images: models compared on the same questions",
    of=_first_answers,
    rows=(
        By((SET, "prompt"), names=("set", "prompt")),
        Pairs("model", same=("stimulus_id", "item_id")),
    ),
    csv=(
        *("set", "prompt", "first", "second"),
        answers(),
        *PAIR_COUNTS,
        Matched("stimulus_id", low="low", high="high"),
        *(Distinct("images", "stimulus_id"), Differing("stimulus_id", "differing_images")),
        Corrected(),
    ),
    columns=(
        Text("Set", "set"),
        Text("Prompt", "prompt"),
        Text("First", "first"),
        Text("Second", "second"),
        whole("Both\nright", "both"),
        whole("Only\nfirst", "only_first"),
        whole("Only\nsecond", "only_second"),
        whole("Neither", "neither"),
        Difference("Difference", "only_first", "only_second", low="low", high="high"),
        PValue("p", "p", "differing_images"),
        PValue("p, corrected", "p_holm", "differing_images"),
    ),
    notes=(
        _alone,
        "Numbers of questions; difference: accuracy of the first minus that of the second, percentage points.",
        "Brackets: {coverage} interval, Tango's on what the pairs are worth.",
        test_note("images"),
        "Of repeated answers the first one counts. An answer that could not be read is not right.",
    ),
    empty=(fewer_than_two,),
    split_by="Set",
    csv_formats={"p": "%.6g", "p_holm": "%.6g"},
)

PAIRS = pairs_table(
    "pairs_images", "Own images: models compared on the same questions", by=("set",)
)
