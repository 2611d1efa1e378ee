"""The cells of printed numbers about POPE: its paper's and LLaVA-1.5's in the table of scores, RePOPE's in its own.

The article about polling for objects prints no measured score, so no cell of a study is compared with it.
"""

from afterimage.contract.paper import CellRef, Number, nobody, nowhere
from afterimage.contract.stimulus import Json
from afterimage.suites.pope.names import POPE, RELABELLED, STRATEGIES, asks_files

#: RePOPE's plot: F1 by POPE's labels and by the corrected ones.
_F1 = {"f1_pope": ("", "n"), "f1_repope": ("_relabelled", "n_relabelled")}
#: How many questions each file of POPE asks, and about how many images.
_QUESTIONS, _IMAGES = 3000, 500
#: Columns of the counts behind a score: its own, and those that sum up to what it is of.
_COUNTS = {"precision": ("tp", ("tp", "fp")), "recall": ("tp", ("tp", "fn"))}
#: The line that LLaVA's runs put behind a question, as an id of a suffix; its questions are data of their own.
SINGLE_WORD = "single_word"
_LLAVA = "llava_1_5"
#: The mean over the strategies, of which the authors of the paper print none.
_MEAN = "mean"

recorded = size = nowhere
#: RePOPE's F1 was read off a plot; no table shows the others' rows.
quoted = nobody


def cell(number: Number) -> CellRef | None:
    """Return the cell of a model's score on one of the splits, or of the mean F1."""
    if number.paper == "repope":
        return _relabelled(number) if number.table == "fig2" else None
    if not number.is_result:
        return None
    metric, split = number.metric, number.subset
    k, n = _COUNTS.get(metric, ("", ("n",)))
    parts = STRATEGIES if split == _MEAN else (split,)
    return CellRef(
        POPE,
        metric,
        {"variant": POPE, "strategy": split, "kind": "measured"},
        k=k,
        n=() if split == _MEAN else n,
        low=f"{metric}_low",
        high=f"{metric}_high",
        asked=_counts_asked(number),
        data=tuple(f"{part}/{SINGLE_WORD}" if number.paper == _LLAVA else part for part in parts),
    )


def _counts_asked(number: Number) -> dict[str, int]:
    """Return the paper's number of questions; LLaVA asked those of the first release."""
    if number.subset == _MEAN:
        return {"images": _IMAGES}
    return {"n": int(number.denominator) if number.paper == _LLAVA else _QUESTIONS}


def _relabelled(number: Number) -> CellRef:
    end, count = _F1[number.metric]
    mean = number.subset == _MEAN
    return CellRef(
        RELABELLED,
        f"f1{end}",
        {"strategy": number.subset, "kind": "measured"},
        n=() if mean else (count,),
        low=f"f1{end}_low",
        high=f"f1{end}_high",
        factor=0.01,
        asked={} if mean else {"n": _QUESTIONS},
        data=STRATEGIES if mean else (number.subset,),
    )


def missing(settings: Json) -> dict[str, str]:
    """Return why there are no scores of the official questions, or none by corrected labels."""
    reasons = {}
    if not asks_files(settings):
        reasons[POPE] = (
            "data absent: the study samples its own questions; the official ones come from the hub or from files "
            "(config key 'suites.pope.source': hub or questions)"
        )
    if not settings["relabel"]:
        reasons[RELABELLED] = "no corrected labels are named (config key 'suites.pope.relabel')"
    return reasons
