"""Rows and columns: two numbers, each in its place, read as "5x6" (rows first).

Order of the rules: the last answer in a requested form, ``rows={5} columns={6}`` or ``(5,6)``; the
one number of rows and the one number of columns that the reply names, or those of its concluding
sentence; "5x6" or "5 by 6". One number alone is unparsed, whatever it counts.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language import number_words
from afterimage.grading.language.evidence import (
    after_take_back,
    asserted_text,
    final_answers,
    is_withdrawn,
    refuses,
)
from afterimage.grading.language.number_words import in_digits
from afterimage.grading.language.reply_text import (
    conclusion_marks,
    is_repeated_example,
    lowered,
    plain,
    sentences,
    window,
    without_tables,
)
from afterimage.grading.parsed import NOTHING, TAKEN_BACK, Parsed, unread

_BRACED = r"\{?\s*([0-9]+)\s*\}?"
_BETWEEN = r"[\s,;]*(?:and\s+)?"
_LABELLED_FORM = re.compile(
    rf"\brows?\s*=\s*{_BRACED}{_BETWEEN}(?:number of\s+)?col(?:umn)?s?\s*=\s*{_BRACED}(?![0-9.])"
)
_PAIR = re.compile(r"[({\[]\s*\{?([0-9]+)\}?\s*,\s*\{?([0-9]+)\}?\s*[)}\]]")
_PAIR_OF_BRACES = re.compile(r"\{\s*([0-9]+)\s*\}\s*(?:,|x|\u00d7|and)?\s*\{\s*([0-9]+)\s*\}")
_COLUMNS_FIRST = re.compile(r"\bcolumns?\s*,\s*rows?\)?\s*(?:=|:|is|are)?\s*$")
_PRODUCT = re.compile(
    r"(?<![\w.])([0-9]+)\s?(?:[x\u00d7]|-?by-?|\sby\s)\s?([0-9]+)(?![\w.]*[0-9])(?!\s?(?:px|pixel))"
)
_BARE = re.compile(r"\s*([0-9]+)\s*(?:,|\s|and)+\s*([0-9]+)[\s.]*$")

_TOKEN = re.compile(
    rf"(?P<number>(?<![\w.,-])(?:[0-9]+|{number_words.PATTERN})(?![\w-]|[.,][0-9]))"
    r"|(?P<label>\b(?:rows?|columns?|cols?|zeilen?|spalten?|filas?|columnas?|lignes?|colonnes?)\b|行|列)"
)
_ASSIGNS = re.compile(r"[\s)\"']*(?:=|:|数?(?:は|为|是|:)|\bis\b|\bare\b|\{|\u2014)[\s\"'{(]*$")
_NUMBER_OF_ASSIGNED = re.compile(r"\s[^.;\n]{0,40}\b(?:is|are|:|=)\s*[\"'{(]*$")
_QUALIFIES = re.compile(
    r"[\s)}\]\"']*(?:(?!and\b|or\b|by\b|x\b|in\b|with\b|per\b|of\b)[a-z]+\s+){0,2}$"
)


_ROWS = ("row", "zeil", "fila", "lign", "行")


class _Token(NamedTuple):
    kind: str  # "number", "row" or "column"
    value: str
    start: int
    end: int


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as rows by columns; never raises, whatever the reply.

    Returns:
        Rows and columns as "5x6", with outcome "exact" (in a requested form) or "contained"; or
        None with outcome "unparsed" and why.
    """
    reply = in_digits(lowered(plain(without_tables(window(text)))))
    if not reply:
        return NOTHING
    taken_back = after_take_back(reply)
    if taken_back is not None:
        before, behind = _read(taken_back[0]), _read(taken_back[1])
        # "It is not 5x6" behind "5x6" names no other size.
        if behind.answer in (None, before.answer) and is_withdrawn(taken_back):
            return TAKEN_BACK
        if behind.answer is not None:
            return behind._replace(why="what stands behind a take-back")
    return _read(reply)


def _read(reply: str) -> Parsed:
    formed = _last_form(reply)
    if formed is not None:
        return Parsed(formed, "exact", "the last answer in a requested form")
    for segment in final_answers(reply):
        announced = _read_prose(segment.split("\n")[0])
        if announced.answer is not None:
            return announced._replace(why="the announced size")
    parsed = _read_prose(asserted_text(reply))
    if parsed.answer is None and refuses(reply):
        return unread(REFUSED, "the reply gives no answer")
    return parsed


def _read_prose(reply: str) -> Parsed:
    named = _named_counts(reply)
    if named is not None:
        return named
    products = list(dict.fromkeys(_cell(*found.groups()) for found in _PRODUCT.finditer(reply)))
    if len(products) == 1:
        return Parsed(products[0], "contained", "the one product in the reply")
    pair = _PAIR_OF_BRACES.search(reply) or _BARE.match(reply)
    if pair is not None and not products:
        return Parsed(_cell(*pair.groups()), "contained", "two numbers, rows first as requested")
    code = AMBIGUOUS if len(products) > 1 else OFF_TOPIC
    return unread(code, _why_unread(reply, products))


def _last_form(reply: str) -> str | None:
    forms = [(found.start(), _cell(*found.groups())) for found in _LABELLED_FORM.finditer(reply)]
    for found in _PAIR.finditer(reply):
        first, second = found.groups()
        if _COLUMNS_FIRST.search(reply[max(0, found.start() - 60) : found.start()]):
            first, second = second, first
        forms.append((found.start(), _cell(first, second)))
    answers = [cell for start, cell in sorted(forms) if not is_repeated_example(reply[:start])]
    return answers[-1] if answers else None


def _named_counts(reply: str) -> Parsed | None:
    counts = _counts(reply)
    if not (counts["row"] and counts["column"]):
        return None
    if all(len(values) == 1 for values in counts.values()):
        cell = _cell(counts["row"][0], counts["column"][0])
        return Parsed(cell, "contained", "the one number of rows and of columns")
    for start, end in reversed(sentences(reply)):
        concluded = _counts(reply[start:end])
        if conclusion_marks(reply[start:end]) and all(len(v) == 1 for v in concluded.values()):
            cell = _cell(concluded["row"][0], concluded["column"][0])
            return Parsed(cell, "contained", "rows and columns of the concluding sentence")
    found = "; ".join(f"{kind}s {', '.join(values[:10])}" for kind, values in counts.items())
    return unread(AMBIGUOUS, f"the reply names several sizes: {found}")


def _counts(text: str) -> dict[str, list[str]]:
    """Return the distinct numbers that stand with "rows" and with "columns"."""
    tokens = _tokens(text)
    counts: dict[str, list[str]] = {"row": [], "column": []}
    for index, token in enumerate(tokens):
        if token.kind == "number":
            continue
        value = _value_of_label(text, tokens, index)
        if value is not None and value not in counts[token.kind]:
            counts[token.kind].append(value)
    return counts


def _value_of_label(text: str, tokens: Sequence[_Token], index: int) -> str | None:
    if _is_assigned(text, tokens, index):
        return tokens[index + 1].value
    before = tokens[index - 1] if index else None
    if before is None or before.kind != "number":
        return None
    if index > 1 and _is_assigned(text, tokens, index - 2):
        return None
    return before.value if _QUALIFIES.match(text[before.end : tokens[index].start]) else None


def _is_assigned(text: str, tokens: Sequence[_Token], index: int) -> bool:
    """Tell whether the number behind is the label's: "rows: 5", but not "5 rows: 6 columns"."""
    if tokens[index].kind == "number" or index + 1 >= len(tokens):
        return False
    number = tokens[index + 1]
    gap = text[tokens[index].end : number.start]
    counted = text[: tokens[index].start].endswith("number of ")
    if number.kind != "number" or not (
        _ASSIGNS.match(gap) or (counted and _NUMBER_OF_ASSIGNED.match(gap))
    ):
        return False
    if index + 2 >= len(tokens) or tokens[index + 2].kind == "number":
        return True
    adjacent = _QUALIFIES.match(text[number.end : tokens[index + 2].start])
    return not adjacent or _is_assigned(text, tokens, index + 2)


def _tokens(text: str) -> list[_Token]:
    tokens = []
    for found in _TOKEN.finditer(text):
        if found["number"]:
            tokens.append(_Token("number", _digits(found["number"]), *found.span()))
        else:
            kind = "row" if found["label"].startswith(_ROWS) else "column"
            tokens.append(_Token(kind, found["label"], *found.span()))
    return tokens


def _why_unread(reply: str, products: Sequence[str]) -> str:
    if len(products) > 1:
        return f"the reply names several sizes: {', '.join(products)}"
    numbers = {token.value for token in _tokens(reply) if token.kind == "number"}
    if len(numbers) == 1:
        return "the reply names one number only"
    return "the reply names no number of rows and of columns"


def _cell(rows: str, columns: str) -> str:
    return f"{_digits(rows)}x{_digits(columns)}"


def _digits(number: str) -> str:
    if number[0] in "0123456789":
        return number.lstrip("0") or "0"
    return str(number_words.value_of(number))
