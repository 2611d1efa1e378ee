"""Grades of items that are asked with and without their image."""


def grade(item, correct, probe=None, outcome="exact", **changes):
    named = f"{item}~{probe}" if probe else item
    return {
        "item_id": named,
        "suite": "some_suite",
        "model": "a_model",
        "repeat": 0,
        "stimulus_id": item,
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "key": "a",
        "answer": "a" if correct else None,
        "outcome": outcome,
        "reason": "refused: no image" if outcome == "unparsed" else "",
        "reasoning_given": False,
        "offered": [],
        "is_listed": False,
        "correct": correct,
        "score": None,
        "readings": {},
        "decided_by": "parser",
        "factors": {"probe": probe} if probe else {},
        **changes,
    }
