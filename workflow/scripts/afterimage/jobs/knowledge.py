"""How many answers a model gets right without the image, in each suite that asks."""

import os
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.items.rows import PROBE, probed_id
from afterimage.jobs.tables import read_grades
from afterimage.showing.table_layout import Layout, Share, Text, write_described
from afterimage.statistics.intervals import wilson_interval

#: What was shown: the image itself, and the two probes.
SHOWN = ("image", "text_only", "blank")
_HEADERS = {"image": "Image", "text_only": "Text only", "blank": "Blank image"}
_COUNTED = ("n", "k", "unparsed_k", "accuracy", "accuracy_low", "accuracy_high")
_COLUMNS = ["suite", "model", *(f"{shown}_{name}" for shown in SHOWN for name in _COUNTED)]


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
        for row in _rows(read_grades([path], with_probes=True), spec["confidence"])
    ]
    frame = pd.DataFrame(rows, columns=_COLUMNS)
    whole = {name: "Int64" for name in _COLUMNS[2:] if name.rpartition("_")[2] in ("n", "k")}
    write_described(frame.astype(whole), outputs, _layout(spec))


def _rows(grades: pd.DataFrame, confidence: float) -> Iterator[dict]:
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
        shown = {"image": own[own["item_id"].isin(probed)]}
        shown |= {name: probes[probes[PROBE] == name] for name in SHOWN[1:]}
        counts = {
            f"{name}_{key}": value
            for name, answers in shown.items()
            for key, value in _counted(answers, confidence).items()
        }
        yield {"suite": suite, "model": model, **counts}


def _counted(answers: pd.DataFrame, confidence: float) -> dict:
    n, k = len(answers), int(answers["correct"].sum())
    low, high = wilson_interval(k, n, confidence)
    return {
        "n": n,
        "k": k,
        "unparsed_k": int((answers["outcome"] == "unparsed").sum()),
        "accuracy": 100 * k / n if n else float("nan"),
        "accuracy_low": 100 * low,
        "accuracy_high": 100 * high,
    }


def _layout(spec: Mapping) -> Layout:
    shares = [
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
    ]
    return Layout(
        title="Right answers with the image, without it, and with a blank one",
        columns=(Text("Model", "model"), *shares),
        group_by="suite",
        notes=(
            f"Cells: percent (k/n), Wilson {100 * spec['confidence']:g} % interval below, answers taken as "
            "independent. Each answer is scored against the key of the item whose image is left out.",
            "Unparsed: of the answers in the column to its left.",
            "Only items that were asked both ways and whose answers a parser reads as right or wrong. Unparsed answers "
            "count as wrong: a model that says that it sees no image is among them.",
        ),
    )
