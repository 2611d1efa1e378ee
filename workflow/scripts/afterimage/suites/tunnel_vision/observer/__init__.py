"""The ideal observer of the tasks: reads the graph out of the pixels and answers what the question asks."""

import hashlib
import re

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options
from afterimage.seeing.image import Image
from afterimage.suites.tunnel_vision.names import COLOURS, NONE, SHAPES
from afterimage.suites.tunnel_vision.observer import follow, same_object, trace

_FOLLOW = re.compile(
    rf"large ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)}) and take (\d+) steps?", re.IGNORECASE
)
_TRACE, _SAME_OBJECT = "wire that starts at the filled dot", "part has been moved"


def answer(image: Image, text: str) -> str:
    """Answer a request by what the image shows.

    Where the image does not tell, as without labels or where neither side may be named, it guesses: by the image, so
    that the same request always gets the same answer.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request, with options, one per line.

    Returns:
        The full text of one of the options.

    Raises:
        AfterimageError: It asks for none of the tasks, or no option says what is the case.
    """
    question, options = headed_options(text)
    found = _answer(image, " ".join(question.split()))
    if found is None:
        return _guess(image, options)
    if found == NONE:
        others = [option for option in options if not re.search(r"left|right", option.lower())]
        return others[0] if others else _guess(image, options)
    named = [option for option in options if found in option.lower()]
    if not named:
        raise AfterimageError(f"no option names '{found}'; found: {', '.join(options)}.")
    return named[0]


def _answer(image: Image, question: str) -> str | None:
    if steps := _FOLLOW.search(question):
        colour, form, hops = steps.groups()
        names = follow.chain(follow.graph(image), f"{colour} {form}".lower(), int(hops))
        return names[-1].split()[0] if len(names) == int(hops) + 1 else None
    if _TRACE in question.lower():
        return trace.wires(image).ends[0]
    if _SAME_OBJECT in question.lower():
        return same_object.moved(image).side
    raise AfterimageError(f"the question '{question}' asks for none of the tasks.")


def _guess(image: Image, options: list[str]) -> str:
    return options[hashlib.sha256(image.tobytes()).digest()[0] % len(options)]
