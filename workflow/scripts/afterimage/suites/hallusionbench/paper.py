"""Where the authors' printed numbers of HallusionBench stand: of GPT-4V, over the 254 and the 269 questions of 2023."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.paper import CellRef, Number, nobody, nowhere

_TABLE = "hallusionbench"
#: The question alone, as the authors asked it.
_PROMPT = "plain"
#: The name of all questions as data.
QUESTIONS = "questions"
#: Their names of scores to ours. Those that they divided by other numbers stand nowhere.
_SCORES = {
    "question_accuracy": "question",
    "figure_accuracy": "figure",
    "pair_accuracy": "pair",
    "easy_pair_accuracy": "easy",
    "hard_pair_accuracy": "hard",
}

recorded = size = nowhere
#: Other questions than today's, judged by people: no row beside a study's.
quoted = nobody


def cell(number: Number) -> CellRef | None:
    """Return where a score over questions, figures or pairs stands."""
    metric = _SCORES.get(number.metric)
    if metric is None:
        return None
    return CellRef(
        _TABLE,
        "value",
        {"kind": "measured", "prompt": _PROMPT, "metric": metric},
        k="k",
        n=("n",),
        low="low",
        high="high",
        asked={"n": int(number.denominator)},
        data=(QUESTIONS,),
    )


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    if _PROMPT in settings["prompts"]:
        return {}
    key = "config key 'suites.hallusionbench.prompts'"
    return {_TABLE: f"the study does not ask with the prompt {_PROMPT} ({key})"}
