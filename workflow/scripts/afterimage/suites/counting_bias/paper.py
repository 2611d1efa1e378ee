"""Where numbers of "Vision language models are biased" (arXiv 2505.23941) stand beside the study's of other images."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.paper import CellRef, Number, nowhere

_TABLE = "counting_bias"
#: The prompt in the paper's words, with its example.
_PROMPT = "official"
#: Table and subset as printed, to task and alteration: of topics that the suite draws, altered.
_CELLS = {
    ("table2", "game_boards"): ("boards", "altered"),
    ("table2", "patterned_grids"): ("grids", "altered"),
    ("table6", "flag_stars"): ("stars", "altered"),
    ("table6", "flag_stripes"): ("stripes", "altered"),
    ("table6", "grid_remove"): ("grids", "-1"),
}
#: Over several printed models.
_MEAN = "mean"

recorded = size = nowhere


def cell(number: Number) -> CellRef | None:
    """Return where the same topic stands; means over models, people, and topics that are not drawn stand nowhere."""
    cell = _CELLS.get((number.table, number.subset))
    if cell is None or number.model == _MEAN:
        return None
    task, alteration = cell
    rows = {"prompt": _PROMPT, "task": task, "context": "familiar", "alteration": alteration}
    return CellRef(_TABLE, "accuracy", rows, k="right_k", n=("n",), low="low", high="high")


def quoted(number: Number) -> tuple[CellRef, ...]:
    found = cell(number)
    return () if found is None else (found,)


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return why nothing is compared: the images are Afterimage's own, and the words the paper's only if asked for."""
    if _PROMPT not in settings["prompts"]:
        key = "config key 'suites.counting_bias.prompts'"
        return {_TABLE: f"the study does not ask in the paper's words ({key}: {_PROMPT})"}
    return {_TABLE: "other flags, boards and grids than the paper's (docs/drawn_suites.md)"}
