"""What a reference responder says to items, without a study."""

from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Request


def replies_of(backend, settings, answer, items):
    """Return item id to reply.

    Args:
        backend: Its module.
        settings: Of its entry in the registry.
        answer: The suite's part that it answers by, where it needs one.
        items: What is asked; no picture is shown.
    """
    requests = [
        Request(
            number,
            (),
            {
                **{name: item[name] for name in ("item_id", "figure", "question", "factors")},
                "options": [(option["option_id"], option["text"]) for option in item["options"]],
            },
        )
        for number, item in enumerate(items)
    ]
    entry = ModelEntry("textbook", "textbook", "textbook", settings=settings)
    replies = backend.load(entry, answer)(requests)
    return {item["item_id"]: reply.text for item, reply in zip(items, replies, strict=True)}
