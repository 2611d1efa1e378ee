"""Working out from a request's text alone what is asked, and saying what was seen in the form that is asked for."""

import re

from afterimage.errors import AfterimageError
from afterimage.items.wording import marked_options

_OPTION = re.compile(r"(?<!\d)(\d+)\s*[:：]\s*(\S+)")
_CHOOSE = "選択してください"
_DESCRIBE = "3個「、」で分けて書いてください"
_FULL_WIDTH_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")

#: What the observer says of an object that is made of none of the drawn materials.
NO_IDEA = "わかりません"


def options_of(text: str) -> dict[str, str] | None:
    """Return number to word of the options in a request; None if it asks for words of one's own.

    Raises:
        AfterimageError: It asks for neither.
    """
    request = text.translate(_FULL_WIDTH_DIGITS)
    if _CHOOSE in request:
        options = dict(marked_options(request.splitlines()[-1], _OPTION)[1])
        if len(options) > 1:
            return options
    if _DESCRIBE in request:
        return None
    raise AfterimageError(
        f"the request '{text.strip()[:40]}...' neither offers numbered words nor asks for three; expected one of "
        "the texture suite's tasks."
    )


def phrase(options: dict[str, str] | None, words: tuple[str, ...]) -> str:
    """Answer with the number of the first fitting option, or with the first three words.

    Args:
        options: What :func:`options_of` returned.
        words: Words that fit what was seen, the best first.
    """
    if options is None:
        return "、".join(words[:3])
    for word in words:
        for number, option in options.items():
            if option == word:
                return number
    return NO_IDEA
