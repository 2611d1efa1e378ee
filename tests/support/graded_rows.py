"""An answer of somebody made up, as tables get it."""

from typing import Any


def graded(stimulus_id: str, prompt: str, said: object, key: object, **own: Any) -> dict[str, Any]:
    """Return a graded answer, right where it is the key; the factors are among ``own``, as columns."""
    return {
        "item_id": f"{stimulus_id}/{prompt}",
        "stimulus_id": stimulus_id,
        "repeat": 0,
        "prompt": prompt,
        "question": prompt,
        "key": key,
        "is_listed": True,
        "answer": said,
        "outcome": "unparsed" if said is None else "exact",
        "reason": "refused: no" if said is None else "",
        "correct": said == key,
        "score": None,
        **own,
    }
