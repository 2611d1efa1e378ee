"""An answer of somebody made up, as tables get it."""

from typing import Any


def graded(
    stimulus_id: str, prompt: str, answer: object, key: object, **factors: Any
) -> dict[str, Any]:
    """Return a graded answer, right where it is the key; the factors are among ``factors``, as columns."""
    return {
        "item_id": f"{stimulus_id}/{prompt}",
        "stimulus_id": stimulus_id,
        "repeat": 0,
        "prompt": prompt,
        "question": prompt,
        "key": key,
        "is_listed": True,
        "answer": answer,
        "outcome": "unparsed" if answer is None else "exact",
        "reason": "refused: no" if answer is None else "",
        "correct": answer == key,
        "score": None,
        **factors,
    }
