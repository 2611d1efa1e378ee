"""What a textbook says: the usual number, whatever is drawn."""

from collections.abc import Mapping

from afterimage.contract.silent import CANNOT_TELL
from afterimage.items.textbook import require_known
from afterimage.suites.counting_bias.names import FAMILIAR, IDENTIFY


def answer(beside: Mapping, rule: str) -> str:
    """Return the usual number, and that every flag and board is the usual one.

    Args:
        beside: What stands beside the request: ``question``, and ``factors`` with ``usual`` and ``context``.
        rule: ``cued`` names the usual number always; ``gated`` cannot tell where nothing names the subject.

    Raises:
        AfterimageError: The rule is unknown.
    """
    require_known("rule", rule)
    if beside["question"] == IDENTIFY:
        return "{Yes}"
    if rule == "gated" and beside["factors"]["context"] != FAMILIAR:
        return CANNOT_TELL
    return f"{{{beside['factors']['usual']}}}"
