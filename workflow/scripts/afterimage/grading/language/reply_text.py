"""A reply without its typography: one form of quotes, dashes and spaces, no Markdown, no LaTeX.

Only the beginning and the end of a long reply are read: answers are there, and reading takes bounded time. Tables
become lines, and boxed text is labelled as a final answer.

Unlike :func:`afterimage.grading.readers.choice.normalise` it keeps lines, case and punctuation: graders of
open answers read sentences and lists.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from afterimage.grading.language.typography import levelled
from afterimage.grading.language.words import ahead, load

_QUOTES = str.maketrans(
    dict.fromkeys("\u00b4\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011", "-")
    | dict.fromkeys("\u2012\u2013\u2014\u2015", "\u2014")
)
# Emphasis opens before a non-space and closes after one; a lone star is a bullet or a product.
_EMPHASIS = re.compile(r"(?<![^\W_])(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3})(?![^\W_])")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
_LATEX_MATH = re.compile(r"\\[()\[\]]|\$")
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{[^{}]*\}\s*\{[^{}]*\}")
_LATEX_TIMES = re.compile(r"\\times(?![a-zA-Z])")
# A command's name goes and its braces stay: "\boxed{5}" then reads "{5}".
_LATEX_COMMAND = re.compile(r"\\[a-zA-Z]+\s*(?=\{)|\\[;,!: ]")
# The period after the number of a list's item ends no sentence, nor does that of "e.g.".
_SENTENCE_END = re.compile(
    r"\n|(?=[.!?])(?<!^[0-9])(?<!^[0-9]{2})(?<![\n(][0-9])(?<![\n(][0-9]{2})(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)"
    r"[.!?]+[\"')\]]*(?=\s|$)|。|[!?](?=[^\x00-\x7f])"
)
_CONCLUSION = re.compile(
    r"(?:^\s*|[,;:]\s*|\band\s)so\b(?! that\b)|,\s*that(?:'s| is| makes| gives)\b|\bi\.e\.|"
    r"\b(?:therefore|thus|hence|consequently|accordingly|"
    r"in total|a total|total number|total(?=\s*[=:]|\sis\b)|altogether|in all|"
    r"overall|in conclusion|in summary|to summarize|final answer|the answer|"
    r"final count|actually|in fact|on closer inspection)\b"
)
_EXAMPLE = re.compile(r"\b(?:e\.g\.?|for example|for instance|such as)[,:]?\s*$")
_TAG = re.compile(
    r"</?(?:b|i|u|p|em|strong|span|div|br|li|ul|ol|code|pre|h[1-6])\b[^<>\n]{0,60}>", re.I
)
# An object on one line, each of whose fields is a statement.
_OBJECT = re.compile(r"\{[^{}\n]{1,400}\}")
_SPACES = re.compile(r"[^\S\n]+")

#: Characters of a long reply that are read, at its beginning and at its end.
HEAD, TAIL = 500, 1100
# Limit of nested typography, removed layer by layer.
_PASSES = 6
# "It isn't true that they don't touch": they do.
_DENIED_TWICE = re.compile(
    r"\b(?:it|that)(?:'s| is)? ?(?:not|n't) (?:\w+ )?(?:true|so|correct|right|accurate|the case) that ((?:\w+ ){1,4}?)"
    r"(is|are|was|were|do|does|did|has|have)(?:n't| not)\b"
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s{0,3}\{((?:[^{}]|\{[^{}]{0,200}\}){0,300})\}")
_ROW = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$")
_RULE = re.compile(r"[\s|:-]+")
_ANSWER_COLUMN = re.compile(
    r"\W*(?:final )?(?:answer|verdict|result|conclusion|correct\??|choice|decision)\W*", re.I
)


def plain(text: str) -> str:
    """Remove the typography of ``text``; never raises.

    Symbols such as an encircled letter stay: they are no letters. Only the beginning and the end of a long text are
    kept.
    """
    text = window(text).replace("\r\n", "\n").replace("\r", "\n")
    text = levelled(text)
    if not text.isascii():
        text = text.translate(_FOLDED).translate(_QUOTES)
    # Removing one mark can uncover another.
    for _ in range(_PASSES):
        simpler = _plain_once(text)
        if simpler == text:
            break
        text = simpler
    return text


@lru_cache(maxsize=8)
def prepared(text: str) -> str:
    """Return a reply as readers expect it: plain, in lower case, tables and boxes as labelled lines."""
    text = window(text)
    text = _OBJECT.sub(lambda fields: fields[0].replace(', "', ',\n"'), text)
    text = _BOXED.sub(lambda box: f"\nFinal answer: {box[1]}\n", text)
    return _DENIED_TWICE.sub(r"\1\2", lowered(plain(without_tables(text))))


def lowered(text: str) -> str:
    """Return a plain text in lower case, with the accents that words lose in capitals: "NAO" becomes "não"."""
    capitals, written = _in_capitals()
    return written.sub(lambda word: capitals[word[0]], text).lower()


@cache
def _in_capitals() -> tuple[Mapping[str, str], re.Pattern[str]]:
    words = {
        key: word for of_language in load("capitals").values() for key, word in of_language.items()
    }
    written = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return words, re.compile(rf"\b{ahead(words)}(?:{written})(?!\w)")


def window(text: str) -> str:
    """Return the beginning and the end of a long text as lines of their own; a short one as it is."""
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n{text[-TAIL:]}"


def without_tables(text: str) -> str:
    """Turn each row of a Markdown table into a line with the words of its header."""
    if "|" not in text:
        return text
    lines: list[str] = []
    header: list[str] | None = None
    for line in text.split("\n"):
        row = _ROW.match(line)
        if row is None:
            header = None
            lines.append(line)
            continue
        cells = [cell.strip() for cell in row[1].split("|")]
        if _RULE.fullmatch(row[1]):
            continue
        if header is None:
            header = cells
        else:
            lines.append(_row_in_words(header, cells))
    return "\n".join(lines)


def _row_in_words(header: list[str], cells: list[str]) -> str:
    if len(cells) != 2 or len(header) != 2 or cells[0].isdigit():
        return "; ".join(f"{name}: {cell}" for name, cell in zip(header, cells, strict=False))
    if _ANSWER_COLUMN.fullmatch(header[1]):
        return (
            f"{cells[0]}; answer: {cells[1]}"
            if cells[0].endswith("?")
            else f"{cells[0]}: {cells[1]}"
        )
    return f"{cells[0]}: {cells[1]}"


@lru_cache(maxsize=32)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of each sentence of a plain text; a line ends a sentence as well."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    starts = [0, *ends]
    return tuple(
        (start, end)
        for start, end in zip(starts, [*ends, len(text)], strict=True)
        if text[start:end].strip()
    )


def conclusion_marks(sentence: str) -> list[int]:
    """Return the positions where a plain, lower-case sentence announces a conclusion."""
    return [found.start() for found in _CONCLUSION.finditer(sentence)]


def is_repeated_example(before: str) -> bool:
    """Tell whether the text after ``before`` is an example, as in a repeated instruction."""
    return _EXAMPLE.search(before[-40:]) is not None


def _plain_once(text: str) -> str:
    text = _TAG.sub(" ", text)
    text = _LATEX_FRACTION.sub(" fraction ", _LATEX_MATH.sub("", text))
    text = _LATEX_COMMAND.sub("", _LATEX_TIMES.sub("x", text))
    text = _EMPHASIS.sub("", _HEADING.sub("", text))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n")).strip()


class _Folded(dict[int, str]):
    """Character to its folded form, computed on first use; for :meth:`str.translate`."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        category = unicodedata.category(sign)
        # Superscripts and encircled signs would fold to plain digits and letters.
        folded = sign if category in ("So", "No") else unicodedata.normalize("NFKC", sign)
        self[code] = "" if category == "Cf" else folded
        return self[code]


_FOLDED = _Folded()
