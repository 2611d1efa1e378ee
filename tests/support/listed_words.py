"""The words of the lists that readers know (``resources/answers``), written out: each alternative of a word once.

For texts of one word over and over: ``benchmarks/reading.py --words`` and ``unit/grading/test_reading_work.py``.
"""

import re._constants as op
import re._parser as parser
from collections.abc import Iterator

from afterimage.files.yaml import read_yaml
from afterimage.grading.language.words import FOLDER

#: What stands between two of the same word.
JOINTS = ("", " ", ", ", ". ")
_OF_CATEGORY = {op.CATEGORY_SPACE: " ", op.CATEGORY_DIGIT: "3"}
_ANY = "o"


def words() -> dict[str, str]:
    """Return each word, with the list in which it stands first."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.rglob("*.yaml")):
        for location, expression in _leaves(read_yaml(path), str(path.relative_to(FOLDER))):
            for word in written(expression):
                if word.strip():
                    found.setdefault(word, location)
    return found


def repeated(piece: str, size: int = 10_240) -> str:
    """Return a text of at least so many bytes of UTF-8: something over and over."""
    return piece * (size // len(piece.encode()) + 1)


def written(expression: str) -> list[str]:
    """Return texts for a regular expression: each alternative in it once, the others as they come first."""
    return list(dict.fromkeys(_sequence(parser.parse(expression))))


def _leaves(data: object, location: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, dict):
        for key, value in data.items():
            # The numbers of a language are the keys of a mapping.
            if isinstance(value, int):
                yield location, str(key)
            else:
                yield from _leaves(value, f"{location} {key}")
    elif isinstance(data, list):
        for value in data:
            yield from _leaves(value, location)
    elif isinstance(data, str):
        yield location, data


def _sequence(parts) -> list[str]:
    """Return the first text of all parts joined, then each other text of each part among the first of the rest."""
    choices = [_part(*part) for part in parts]
    firsts = [choice[0] for choice in choices]
    return [
        "".join(firsts),
        *(
            "".join((*firsts[:at], other, *firsts[at + 1 :]))
            for at, choice in enumerate(choices)
            for other in choice[1:]
        ),
    ]


def _part(kind, of) -> list[str]:
    if kind is op.LITERAL:
        return [chr(of)]
    if kind is op.IN:
        return _signs(of)
    if kind is op.BRANCH:
        return [text for branch in of[1] for text in _sequence(branch)]
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, _, inner = of
        return [text * max(1, least) for text in _sequence(inner)] + ([""] if least == 0 else [])
    if kind is op.SUBPATTERN:
        return _sequence(of[-1])
    if kind is op.ATOMIC_GROUP:
        return _sequence(of)
    # What takes no room, or stands for any sign.
    return [_ANY if kind in (op.ANY, op.NOT_LITERAL) else ""]


def _signs(of) -> list[str]:
    if of[0][0] is op.NEGATE:
        return [_ANY]
    found = []
    for kind, what in of:
        if kind is op.LITERAL:
            found.append(chr(what))
        elif kind is op.RANGE:
            found.append(chr(what[0]))
        else:
            found.append(_OF_CATEGORY.get(what, _ANY))
    return found
