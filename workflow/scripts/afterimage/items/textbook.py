"""What the suites' textbooks have in common: the two rules, and the answers that an item offers."""

from collections.abc import Mapping
from typing import Any

from afterimage.errors import AfterimageError, unknown_name

#: cued: the textbook is always right. gated: only where what it speaks of is there. Suites say what that means to them.
RULES = ("cued", "gated")


def require_known(kind: str, name: str, valid: tuple[str, ...] = RULES) -> None:
    """Raise the error for an unknown rule or question."""
    if name not in valid:
        raise unknown_name(kind, name, valid, "textbook")


def offered(beside: Mapping[str, Any], rule: str) -> dict[str, str]:
    """Return the possible answers, option id to text.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text, ``item_id``.
        rule: One of RULES.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    require_known("rule", rule)
    texts = dict(beside["options"])
    if not texts:
        raise AfterimageError(
            f"textbook: item '{beside.get('item_id')}' offers no answers; expected the possible ones."
        )
    return texts
