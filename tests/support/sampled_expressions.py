"""Texts that the expressions of word lists match: one of each alternative, the shortest."""

import re
from re import _constants as op
from re import _parser as parser

# Alternatives of one expression that are sampled, at most.
_MAXIMUM = 4


def samples(expression):
    """Return short texts that an expression matches as a whole, one of each of its first alternatives."""
    found = []
    for text in _of(parser.parse(expression)):
        if re.search(expression, text) and text.strip() and text not in found:
            found.append(text)
    return found[:_MAXIMUM]


def _of(parsed):
    texts = [""]
    for code, value in parsed:
        choices = _of_one(code, value)
        texts = [text + more for text in texts for more in choices][: 4 * _MAXIMUM]
    return texts


def _of_one(code, value):
    if code is op.LITERAL:
        return [chr(value)]
    if code is op.BRANCH:
        return [text for branch in value[1] for text in _of(branch)]
    if code is op.SUBPATTERN:
        return _of(value[3])
    if code in (op.MAX_REPEAT, op.MIN_REPEAT):
        return [text * value[0] for text in _of(value[2])] if value[0] else [""]
    if code is op.IN:
        return [chr(entry) for kind, entry in value if kind is op.LITERAL][:3] or ["x"]
    return [""]
