"""What a judge's reply counts as."""

import unicodedata
from collections.abc import Collection


def counted(reply: str, values: Collection[int]) -> int | None:
    """Return the vote in a judge's reply, or None where the reply does not count.

    A reply counts when it holds exactly one digit, after compatibility normalisation (NFKC), and that is one of the
    values; words around it do not matter: "1", "**1**", "2: No conflict." count, "1 or 2", "10", "yes" do not.

    Args:
        reply: The reply as received.
        values: The digits that the prompt asks for.
    """
    # Other scripts' digits are digits too, so that none of them stands unnoticed beside the one that is read.
    digits = [sign for sign in unicodedata.normalize("NFKC", reply) if sign.isdigit()]
    if len(digits) != 1 or not digits[0].isascii():
        return None
    value = int(digits[0])
    return value if value in values else None
