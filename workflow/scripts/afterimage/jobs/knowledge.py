"""How many answers a model gets right without the image, in each suite that asks."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.items.rows import PROBE, probed_id
from afterimage.jobs.tables import read_grades
from afterimage.showing.columns import Share, Text
from afterimage.showing.compute import as_frame
from afterimage.showing.declaration import Table
from afterimage.showing.table_files import write_table
from afterimage.showing.values import Bounds, Percent, answers, outcomes, right, within, worked

#: What was shown: the image itself, and the two probes.
SHOWN = ("image", "text_only", "blank")
_HEADERS = {"image": "Image", "text_only": "Text only", "blank": "Blank image"}


def _is_shown(shown: str, answers: pd.DataFrame) -> pd.Series:
    return answers["shown"] == shown


#: One row per suite and model; of each kind of image answers, right ones, unread ones, and accuracy in percent with
#: Wilson's bounds.
_CSV = (
    *("suite", "model"),
    *(
        value
        for shown in SHOWN
        for value in within(
            f"{shown}_",
            partial(_is_shown, shown),
            (
                *(answers(), right("k"), *outcomes(), Percent("accuracy", "k")),
                Bounds("accuracy_low", "accuracy_high", "k"),
            ),
        )
    ),
)


def make_knowledge(
    spec: Mapping,
    grades: Sequence[str | os.PathLike],
    outputs: Mapping[str, str | os.PathLike],
) -> None:
    """Count right answers with and without the image per suite and model, and write that as each of ``outputs``.

    Only questions count that were asked without the image, too, and only those that a parser reads as right or wrong.

    Args:
        spec: ``confidence`` of the intervals.
        grades: Grade files of all models for the suites that ask without image.
        outputs: Form (csv, markdown, latex, html, json) to file.

    Raises:
        AfterimageError: No suite asks without image.
    """
    if not grades:
        raise AfterimageError(
            "table knowledge_all: no suite of this study asks its questions without images; expected text_only or "
            "blank among the probes of one (suites.<suite>.probes)."
        )
    rows = [
        row
        # One at a time: a study's grades may be millions.
        for path in grades
        for row in _rows(read_grades([path], with_probes=True), spec)
    ]
    write_table(TABLE, as_frame(rows, _CSV), outputs, spec)


def _rows(grades: pd.DataFrame, spec: Mapping) -> Iterator[dict]:
    if PROBE not in grades:
        return
    readable = grades[(grades["decided_by"] == "parser") & grades["score"].isna()]
    for (suite, model), part in readable.groupby(["suite", "model"], sort=False):
        own = part[part[PROBE].isna()]
        probes = part[part[PROBE].isin(SHOWN)]
        probed = [
            probed_id(item, probe)
            for item, probe in zip(probes["item_id"], probes[PROBE], strict=True)
        ]
        # A judge or people may have decided on the answer with the image; it is then no longer beside the others.
        probes = probes[pd.Series(probed, index=probes.index).isin(own["item_id"])]
        asked = pd.concat(
            [
                own[own["item_id"].isin(probed)].assign(shown="image"),
                probes.assign(shown=probes[PROBE]),
            ]
        )
        yield worked(_CSV, asked, spec, {"suite": suite, "model": model})


TABLE = Table(
    "knowledge_all",
    "Right answers with the image, without it, and with a blank one",
    rows=(),
    csv=_CSV,
    columns=(
        Text("Model", "model"),
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
                ),
                Share("Unparsed", f"{shown}_unparsed_k", f"{shown}_n"),
            )
        ),
    ),
    group_by="suite",
    notes=(
        "Cells: percent (k/n), Wilson {coverage} interval below, answers taken as "
        "independent. Each answer is scored against the key of the item whose image is left out.",
        "Unparsed: of the answers in the column to its left.",
        "Only items that were asked both ways and whose answers a parser reads as right or wrong. Unparsed answers "
        "count as wrong: a model that says that it sees no image is among them.",
    ),
)
