"""Items, responses and grades of an invented suite whose answers are judged."""

from afterimage.contract.readings import JudgeFields
from afterimage.grading.grade import grade

PROMPTS = {
    "right": {
        "text": "Q {question} G {gold} A {answer}",
        "values": [0, 1],
        "aggregation": "majority",
    },
    "rate": {"text": "G {gold} A {answer}", "values": [0, 1, 2], "aggregation": "mean"},
}
AGGREGATIONS = {name: prompt["aggregation"] for name, prompt in PROMPTS.items()}


def item(number, kind="right", image=None):
    """An item that is answered "Yes", or described."""
    stimulus = f"image_{number if image is None else image}"
    rated = kind == "rate"
    return {
        "item_id": f"{kind}_{number}",
        "suite": "s",
        "stimulus_id": stimulus,
        "figure": "f",
        "prompt": "p",
        "question": kind,
        "messages": [],
        "answer_type": "description" if rated else "yes_no",
        "options": [],
        "key": "A dog." if rated else "Yes",
        "factors": {},
    }


def response(number, text, kind="right", repeat=0, model="m", **changes):
    return {
        "item_id": f"{kind}_{number}",
        "suite": "s",
        "model": model,
        "repeat": repeat,
        "text": text,
        "reasoning": None,
        "answer_text": text,
        "finish_reason": "stop",
        "backend": "b",
        "model_id": "i",
        "revision": None,
        "settings": "{}",
        "request_sha256": f"request {kind} {number}",
        "prompt_tokens": None,
        "completion_tokens": None,
        "reasoning_tokens": None,
        "latency_seconds": None,
        **changes,
    }


def fields(item, response):
    """What the invented suite tells the judge; items of the kind "unjudged" are not for it."""
    if item["question"] == "unjudged":
        return None
    values = {"gold": item["key"], "answer": response["text"]}
    if item["question"] == "right":
        values["question"] = f"question of {item['item_id']}"
    return JudgeFields(item["question"], values)


def parsed(items, responses):
    """Grades as the parser leaves them."""
    return [grade(row, items[row["item_id"]]) for row in responses]
