"""The cells of VI-Probe's printed numbers (arXiv 2601.22150), beside the study's, which are about other figures."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.paper import CellRef, Number, nobody, nowhere

_TABLE = "perceive_recall"
#: Subset and metric as printed, to the column of the table.
_COLUMNS = {
    ("illusion_original", "accuracy"): "original",
    ("illusion_perturbed", "accuracy"): "perturbed",
    ("control_original", "accuracy"): "control_original",
    ("control_perturbed", "accuracy"): "control_perturbed",
    **{("all", name): name for name in ("pfc", "pfa", "cbw", "tfi")},
}
_MULTIPLIER = ("all", "illusion_multiplier")
_ROWS = {"prompt": "same", "guide": "no", "illusion": "all", "inducer": "both"}

recorded = size = nowhere
#: The paper's numbers were seen in another's account only.
quoted = nobody


def cell(number: Number) -> CellRef | None:
    if number.table not in ("table2", "fig4"):
        return None
    cell = (number.subset, number.metric)
    if cell == _MULTIPLIER:
        return CellRef(_TABLE, "multiplier", _ROWS)
    column = _COLUMNS[cell]
    n = "pairs" if number.subset == "all" else f"n_{column}"
    low, high = f"{column}_low", f"{column}_high"
    return CellRef(_TABLE, column, _ROWS, k=f"{column}_k", n=(n,), low=low, high=high)


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    return {_TABLE: "other figures than the paper's 27 cases (docs/illusion_strength.md)"}
