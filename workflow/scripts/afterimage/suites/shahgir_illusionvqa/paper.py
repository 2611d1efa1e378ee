"""Where the authors' printed accuracies of IllusionVQA stand, of models and of the three people who answered."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.paper import CellRef, Number, nobody, nowhere
from afterimage.suites.shahgir_illusionvqa.dataset import FEW_SHOT, PROMPTS, SUBSETS

_TABLE = "illusionvqa"
#: Metric as printed to the prompt; people were asked as models are without examples.
_PROMPTS = {f"accuracy_{name}": name for name in PROMPTS} | {"accuracy": PROMPTS[0]}

recorded = size = nowhere
#: No table shows the paper's rows.
quoted = nobody


def data_name(subset: str, prompt: str) -> str:
    """Return the name of a subset as data; prompts with examples show more than its questions."""
    return f"{subset}/examples" if prompt in FEW_SHOT else subset


def cell(number: Number) -> CellRef | None:
    if number.table not in SUBSETS:
        return None
    prompt = _PROMPTS[number.metric]
    return CellRef(
        _TABLE,
        "accuracy",
        {
            "kind": "measured",
            "prompt": prompt,
            "subset": number.table,
            "category": number.subset.replace("_", " "),
        },
        k="correct_k",
        n=("n",),
        low="low",
        high="high",
        asked={"n": int(number.denominator)},
        data=(data_name(number.table, prompt),),
    )


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return nothing: what is not asked has no row."""
    return {}
