"""Where printed numbers about POPE stand: RePOPE's F1 in the table of corrected labels.

The article about polling for objects prints no measured score, so no cell of a study is compared with it.
"""

from collections.abc import Mapping

from afterimage.contract.paper import Number, Place, nobody, nowhere
from afterimage.suites.pope.names import RELABELLED

#: The paper's plot: F1 by POPE's labels and by the corrected ones.
_F1 = {"f1_pope": ("", "n"), "f1_repope": ("_relabelled", "n_relabelled")}
#: How many questions each file of POPE asks.
_QUESTIONS = 3000

recorded = size = nowhere
#: F1 was read off a plot.
quoted = nobody


def place(number: Number) -> Place | None:
    """Return where a model's F1 on one of the splits, or their mean, stands."""
    if number.paper != "repope" or number.table != "fig2":
        return None
    end, count = _F1[number.metric]
    mean = number.subset == "mean"
    return Place(
        RELABELLED,
        f"f1{end}",
        {"strategy": number.subset, "kind": "measured"},
        n=() if mean else (count,),
        low=f"f1{end}_low",
        high=f"f1{end}_high",
        factor=0.01,
        asked={} if mean else {"n": _QUESTIONS},
    )


def missing(settings: Mapping) -> dict[str, str]:
    """Return why there are no scores by corrected labels."""
    if settings["relabel"]:
        return {}
    return {RELABELLED: "no corrected labels are named (config key 'suites.pope.relabel')"}
