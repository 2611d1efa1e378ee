"""The paper's table 1, both questions about an illusion and its fake with their options, and its appendix E."""

from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.items.wording import headed_question
from afterimage.showing.cards import Card, Picture, Words
from afterimage.showing.example_page import question_text

Items = Sequence[Mapping[str, Any]]
#: The paper's example; a study without it shows its first illusion.
_EXAMPLE = "ebbinghaus"
_SHOWN = {"genuine": "genuine illusion", "fake": "fake illusion"}
#: What the paper calls its two questions.
_QUESTIONS = ("actual", "apparent")


def question(items: Items) -> list[Card]:
    """Return table 1: variant A genuine and fake side by side, its two questions, their options and right answers.

    Args:
        items: The suite's, in the order of the figures.
    """
    own = [item for item in _first_prompt(items) if item["factors"]["variant"] == "A"]
    figures = [item["figure"] for item in own]
    if not own:
        return []
    figure = _EXAMPLE if _EXAMPLE in figures else figures[0]
    asked = {
        (item["factors"]["condition"], item["question"]): item
        for item in own
        if item["figure"] == figure
    }
    conditions = [name for name in _SHOWN if all((name, asking) in asked for asking in _QUESTIONS)]
    if not conditions:
        return []
    pictures = [Picture(asked[name, "actual"]["item_id"], _SHOWN[name]) for name in conditions]
    words = [Words("illusion", (figure.replace("_", " "),) * len(conditions), own=True)]
    for name in _QUESTIONS:
        about = [asked[condition, name] for condition in conditions]
        words += [
            Words(
                f"question ({name})",
                tuple(
                    headed_question(question_text(item)) or question_text(item) for item in about
                ),
            ),
            Words(f"options ({name})", tuple("\n".join(_options(item).values()) for item in about)),
            Words(f"right answer ({name})", tuple(_options(item)[item["key"]] for item in about)),
        ]
    return [Card("", tuple(pictures), tuple(words))]


def illusions(items: Items) -> list[Card]:
    """Return appendix E: the illusions that count, in the paper's order, each with its first genuine image.

    Args:
        items: The suite's, in the order of the figures.
    """
    first: dict[str, str] = {}
    for item in _first_prompt(items):
        if item["factors"]["condition"] == "genuine":
            first.setdefault(item["figure"], item["item_id"])
    pictures = tuple(
        Picture(item, f"{number}. {figure.replace('_', ' ')}")
        for number, (figure, item) in enumerate(first.items(), start=1)
    )
    return [Card("", pictures)] if pictures else []


def _first_prompt(items: Items) -> Items:
    return [item for item in items if item["prompt"] == items[0]["prompt"]]


def _options(item: Mapping[str, Any]) -> dict[str, str]:
    return {option["option_id"]: option["text"] for option in item["options"]}
