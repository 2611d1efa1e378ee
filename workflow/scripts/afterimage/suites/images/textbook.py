"""No textbook has a user's images: the reference responder ``textbook`` says that it cannot tell."""

from collections.abc import Mapping

RULES = ("cued", "gated")


def answer(beside: Mapping, rule: str) -> str:
    """Say that it cannot tell, whatever the question and the rule."""
    return "I cannot tell."
