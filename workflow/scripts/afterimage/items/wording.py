"""Wordings, and what image-blind baselines need of them.

A question and its options in the words of a request, taken apart again.

Each suite's prompt file gives their layout, in one of two forms: under the headings ``Question:`` and
``Options:``, or with a mark before each option.
"""

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from afterimage.errors import AfterimageError, unknown_name

#: In English and in Japanese.
_QUESTION, _OPTIONS = ("Question:", "質問："), ("Options:", "選択肢：")


def headed_question(text: str) -> str | None:
    """Return the question of a request with headings; None if no line starts with ``Question:``.

    A request may show worked examples first: the last question is the one that is asked.
    """
    lines = _from_question(text)
    if not lines:
        return None
    (heading,) = (known for known in _QUESTION if lines[0].startswith(known))
    return lines[0].removeprefix(heading).strip()


def headed_options(text: str) -> tuple[str, list[str]]:
    """Split a request with headings into the question and its options.

    Args:
        text: ``Question: <stem>``, a line ``Options:`` and one option per line, after any preamble.

    Raises:
        AfterimageError: There is no question, or no option below it.
    """
    question, lines = headed_question(text), _from_question(text)
    if question is None:
        raise AfterimageError(f"the request holds no line that starts with '{_QUESTION[0]}'.")
    headings = [index for index, line in enumerate(lines) if line in _OPTIONS]
    below = lines[headings[0] + 1 :] if headings else []
    # An empty line ends the list; instructions may follow.
    options = list(takewhile(bool, below))
    if not options:
        raise AfterimageError(
            f"the question '{question}' has no options below it: expected a line '{_OPTIONS[0]}' "
            "and one option per line."
        )
    return question, options


def marked_options(text: str, option: re.Pattern[str]) -> tuple[str, list[tuple[str, str]]]:
    """Split a request into the question and its options, each with the mark before it.

    The question is the last line before the first option, empty if there is none. The groups of ``option`` are the
    mark and the text.
    """
    found = list(option.finditer(text))
    before = text[: found[0].start()] if found else text
    lines = before.strip().splitlines()
    return lines[-1] if lines else "", [(match[1], match[2]) for match in found]


def _from_question(text: str) -> list[str]:
    """Return the lines of a request from its last question on, stripped; none where there is no question."""
    lines = [line.strip() for line in text.splitlines()]
    starts = [index for index, line in enumerate(lines) if line.startswith(_QUESTION)]
    return lines[starts[-1] :] if starts else []


# ---- textbook ----

#: cued: the textbook is always right. gated: only where what it speaks of is there. Suites say what that means to them.
RULES = ("cued", "gated")


def require_known(kind: str, name: str, valid: tuple[str, ...] = RULES) -> None:
    """Raise the error for an unknown rule or question."""
    if name not in valid:
        raise unknown_name(kind, name, valid, "textbook")


def offered(context: Mapping[str, Any], rule: str) -> dict[str, str]:
    """Return the possible answers, option id to text.

    Args:
        context: The request's metadata: ``options`` as pairs of option id and text, ``item_id``.
        rule: One of RULES.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    require_known("rule", rule)
    texts = dict(context["options"])
    if not texts:
        raise AfterimageError(
            f"textbook: item '{context.get('item_id')}' offers no answers; expected the possible ones."
        )
    return texts
