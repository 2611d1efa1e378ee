"""Table I of the paper: other data sets of illusions beside its own, and below them the study's."""

import textwrap
from collections.abc import Mapping
from typing import Any

import pandas as pd

from afterimage.showing.columns import Text, whole
from afterimage.showing.declaration import PaperForm
from afterimage.showing.references import REFERENCE

_KINDS = {
    "statements": "binary",
    "choices": "multiple-choice",
    "descriptions": "open-ended description",
}
_ALL_KINDS = ", ".join(_KINDS.values())
#: As printed there; the numbers stand in ``resources/published/illusionbench_plus.csv`` as well.
PRINTED = (
    ("GVIL", 16, "binary", 1600, "none", "color and size illusions and variants"),
    ("HallusionBench", 72, "binary", 1129, "none", "color and size illusions and variants"),
    ("IllusionVQA", 374, "multiple-choice", 1435, "none", "12 types, mainly classical illusions"),
    (
        *("IllusionBench+", 1051, _ALL_KINDS, 8716, "included"),
        "classical, real scene, no illusion, Ishihara, trap",
    ),
)
#: Letters of a line of words, so that the table is no wider than a page.
_LINE = 26
_COLUMNS = ("model", "images", "types", "instances", "described", "shown")
_OWN = "This study"


def _beside_others(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the printed rows and, below them, that of the images that were asked about."""
    by_category = {row["category"]: row for row in frame.to_dict(orient="records")}
    total = by_category.pop("total")
    shown = [name for name, row in by_category.items() if row["images"]]
    own = (
        *(_OWN, total["images"], _types(total), total["instances"]),
        "included" if total["goldens"] else "none",
        ", ".join(shown).replace("_", " ").replace("ishihara", "Ishihara"),
    )
    rows = pd.DataFrame([*PRINTED, own], columns=_COLUMNS)
    return rows.assign(kind=REFERENCE)


def _types(row: Mapping[str, Any]) -> str:
    return ", ".join(said for column, said in _KINDS.items() if row[column])


def _in_lines(words: str) -> str:
    return textwrap.fill(words, _LINE, break_on_hyphens=False)


FORM = PaperForm(
    "Data sets of visual illusions (table I of Zhang et al.).",
    (
        Text("Dataset", "model"),
        whole("Base images", "images"),
        Text("Question type", "types", _in_lines),
        whole("Instances", "instances"),
        Text("Text description", "described"),
        Text("Image type", "shown", _in_lines),
    ),
    _beside_others,
    "Others as printed there; instances of HallusionBench include more than visual illusions.",
)
